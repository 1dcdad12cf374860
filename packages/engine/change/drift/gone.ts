import { positionAt } from "@agentgate/parsers";
import type { Span } from "@agentgate/parsers";
import { placeOf, plainFinding } from "../../judging/finding.ts";
import type { Module } from "../../judging/module.ts";
import { foldersUpward } from "../../modules/manifests.ts";
import { folderOf } from "../../paths.ts";
import type { TreePath } from "../../paths.ts";
import type { Finding } from "../../report.ts";
import type { ChangedFile } from "../change.ts";
import type { Comparison, OpenChange } from "../open.ts";
import type { ChangeSide } from "../side.ts";
import { fileOf } from "./paths.ts";
import { MOST_IMPORTERS } from "./users.ts";

const RULE = "contract-drift";
/** Importers that are listed with a finding. */
const MOST_LISTED = 20;

/** What was a folder is a submodule or a link now: what lies below is not in this tree, and may well be there. */
function liesElsewhere(head: ChangeSide, path: TreePath): boolean {
  return foldersUpward(folderOf(path)).some((folder) => head.entries.has(folder));
}

interface Importer {
  readonly module: Module;
  /** Of the module's name in the import. */
  readonly span: Span;
}

/** A module that is deleted or has another path, while others still import it by the old one. */
export async function goneModule(change: OpenChange, { base, baseImporters }: Comparison, file: ChangedFile): Promise<Finding[]> {
  const path = file.basePath;
  if (path === null || file.status !== "deleted" && file.path === path || change.head.excludes(file.path) !== null || !base.sources.has(path) || liesElsewhere(change.head, path)) return [];
  const importers = (await baseImporters.fewOf([path], MOST_IMPORTERS)).get(path) ?? [];
  await change.head.load(importers);
  const left = importers.flatMap((importer) => importersLeft(change.head, base, importer, path));
  const [first] = left;
  if (first === undefined) return [];
  const place = `${first.module.path}:${positionAt(first.module.facts.lines, first.span[0]).line}`;
  const what = file.status === "deleted" ? "is deleted" : `is ${file.path} now`;
  const message = `${path} ${what}, and ${place} still imports it by its old path. That module fails as soon as it is loaded. Change its importers with it, or leave a module in its place that passes the names on.`;
  const related = left.slice(0, MOST_LISTED).map(({ module, span }) => ({ path: module.path, ...placeOf(module.facts, module.text, span), message: "imported here" }));
  return [{ ...plainFinding(RULE, "error", file.path, message, `module\0${path}`), related }];
}

/** The imports of a module that led to the path and lead nowhere. */
function importersLeft(head: ChangeSide, base: ChangeSide, importer: TreePath, path: TreePath): Importer[] {
  const module = head.module(importer);
  if (module === null || head.excludes(importer) !== null) return [];
  return module.facts.imports.filter(({ typeOnly, typeChecking, optional }) => typeOnly !== true && typeChecking !== true && optional !== true)
    .filter(({ specifier }) => fileOf(base, importer, specifier) === path && fileOf(head, importer, specifier) === null)
    .map(({ specifierSpan }) => ({ module, span: specifierSpan }));
}
