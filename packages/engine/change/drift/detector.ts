import { positionAt } from "@agentgate/parsers";
import { placeOf, plainFinding } from "../../judging/finding.ts";
import type { Module } from "../../judging/module.ts";
import type { TreePath } from "../../paths.ts";
import type { Finding, RelatedPlace } from "../../report.ts";
import type { ChangedFile } from "../change.ts";
import type { ChangeDetector } from "../detectors.ts";
import type { Comparison, OpenChange } from "../open.ts";
import { goneModule } from "./gone.ts";
import type { Places } from "../places.ts";
import { returnsOther } from "./returns.ts";
import { breaks, driftBetween } from "./signature.ts";
import { surfaceOf } from "./surface.ts";
import type { Definition } from "./surface.ts";
import { MOST_IMPORTERS, usersOf } from "./users.ts";
import type { User } from "./users.ts";

const RULE = "contract-drift";
/** Users that are listed with a finding. */
const MOST_LISTED = 20;

/** How a name of a module is another than it was. */
interface Drift {
  readonly name: string;
  readonly before: Definition;
  /** Null: it is gone. */
  readonly after: Definition | null;
  /** The end of a sentence that begins with the name. */
  readonly what: string;
  readonly kind: "gone" | "lost" | "reordered" | "required" | "renamed" | "returns";
}

/**
 * Names that a change takes away from modules, or changes so that calls of before are none of now, while other modules of
 * the tree use them. A change that brings its callers along is silent, unless one of them breaks.
 */
export const driftFindings: ChangeDetector = async (change, places) => {
  const [comparison] = change.comparisons;
  if (comparison === undefined) return [];
  const { files } = comparison.difference;
  const touched = new Set(files.map(({ path }) => path));
  const found: Finding[] = [];
  for (const file of files) {
    if (file.basePath === null || change.head.excludes(file.path) !== null) continue;
    found.push(...await goneModule(change, comparison, file));
    const drifts = await driftsOf(change, comparison, file);
    for (const drift of drifts) found.push(...await findingsOf({ change, places, touched }, file, drift));
  }
  return found;
};

async function driftsOf(change: OpenChange, { difference: { base } }: Comparison, file: ChangedFile): Promise<Drift[]> {
  const [facts, text] = [base.facts(file.basePath!), await base.text(file.basePath!)];
  const module = change.head.module(file.path);
  if (facts === null || text === null || module === null || facts.generated === true) return [];
  const [before, after] = [surfaceOf(facts, text), surfaceOf(module.facts, module.text)];
  return [...before.names].flatMap(([name, old]): Drift[] => {
    const now = after.names.get(name) ?? null;
    if (now === null) return after.isOpen ? [] : [{ name, before: old, after: null, what: "is gone", kind: "gone" }];
    return changed(name, old, now);
  });
}

function changed(name: string, before: Definition, after: Definition): Drift[] {
  if (before.signature === null || after.signature === null || before.kind !== after.kind) return [];
  const drift = driftBetween(before.signature, after.signature);
  if (drift !== null) return [{ name, before, after, ...drift }];
  if (before.returns === null || after.returns === null || !returnsOther(before.returns, after.returns)) return [];
  return [{ name, before, after, what: `returns ${onLine(after.returns)} and returned ${onLine(before.returns)}`, kind: "returns" }];
}

/** Characters of a type that are shown. */
const MOST_SHOWN = 60;

function onLine(type: string): string {
  const line = type.replaceAll(/\s+/g, " ");
  return line.length > MOST_SHOWN ? `${line.slice(0, MOST_SHOWN)}…` : line;
}

interface Looked {
  readonly change: OpenChange;
  readonly places: Places;
  /** Every file of the change. */
  readonly touched: ReadonlySet<TreePath>;
}

async function findingsOf({ change, places, touched }: Looked, { path }: ChangedFile, drift: Drift): Promise<Finding[]> {
  const module = change.head.module(path)!;
  const users = await usersOf(change.head, path, drift.name);
  if (users === null) return isPrivate(drift.name, module) ? [] : [tooMany(module, drift)];
  const broken = users.filter((user) => isBroken(drift, user, places));
  const left = users.filter((user) => isConcerned(drift, user, broken.includes(user))).filter((user) => !touched.has(user.module.path));
  if (broken.length === 0 && left.length === 0) return [];
  const shown = broken.length > 0 ? broken : left;
  const [first] = shown;
  const place = `${first!.module.path}:${positionAt(first!.module.facts.lines, first!.span[0]).line}`;
  const still = broken.length > 0 ? `still ${drift.kind === "gone" ? "takes it" : "calls it as it was"}` : "uses it, and this change leaves that as it is";
  const message = `${drift.name} ${drift.what}, and ${place} ${still}. Code that nobody edited then does something else, or fails when it runs. Change its users with it, or keep the old form beside the new one.`;
  return [{ ...finding(module, drift, broken.length > 0 ? "error" : "warning", message), related: shown.slice(0, MOST_LISTED).map(related) }];
}

/**
 * Who only hands a function on, or imports it, cannot be said to give it anything. Where the answer is the same, a call that still
 * fits is the call that it was, unless part of what it gives is known only when it runs.
 */
function isConcerned({ name, kind }: Drift, { module, given, imported }: User, breaksIt: boolean): boolean {
  if (kind === "gone" || breaksIt) return true;
  if (given === null || imported || isPrivate(name, module)) return false;
  if (kind === "returns") return true;
  if (kind === "renamed") return given.isOpen === true;
  return given.isPartial === true && (kind !== "reordered" || given.isOpen !== true);
}

/** In Python nothing keeps a module from taking a name that another one did not mean for it: it breaks like any other. */
function isPrivate(name: string, { facts }: Module): boolean {
  return facts.language === "python" && name.startsWith("_");
}

function isBroken({ kind, before, after }: Drift, { module, given }: User, places: Places): boolean {
  if (kind === "gone") return true;
  return kind !== "returns" && given !== null && breaks(given, { before: before.signature!, after: after!.signature!, isNew: places.isAdded(module, given.span) });
}

function tooMany(module: Module, drift: Drift): Finding {
  return finding(module, drift, "warning", `${drift.name} ${drift.what}, and more than ${MOST_IMPORTERS} modules may use it. Whether they still can was not looked at. Keep the old form beside the new one, or have its owner look.`);
}

function finding(module: Module, { name, after, kind }: Drift, severity: "error" | "warning", message: string): Finding {
  const place = after === null ? undefined : placeOf(module.facts, module.text, after.span);
  return plainFinding(RULE, severity, module.path, message, `${kind}\0${name}`, place);
}

function related({ module, span }: User): RelatedPlace {
  return { path: module.path, ...placeOf(module.facts, module.text, span), message: "used here" };
}
