import { createHash } from "node:crypto";
import { lineStarts, positionAt } from "@agentgate/parsers";
import { placeOf, plainFinding } from "../../judging/finding.ts";
import type { TreePath } from "../../paths.ts";
import type { Finding } from "../../report.ts";
import { addedLines } from "../added-lines.ts";
import type { ChangedFile, Difference } from "../change.ts";
import type { ChangeDetector } from "../detectors.ts";
import { isEnvironmentFile, secretSettings } from "./environment.ts";
import { secretsIn } from "./find.ts";
import type { Secret } from "./find.ts";

const RULE = "secret-in-change";

/** Findings of one file past which its owner has more to do than read on. */
const MOST_OF_A_FILE = 20;

/**
 * Secrets that a change writes into files of the tree, whatever they are: those on added lines that no merge base has
 * in that file. The places keep them from being shown, here or by any other finding.
 */
export const secretFindings: ChangeDetector = async (change, places) => {
  const [first] = change.comparisons;
  if (first === undefined) return [];
  const found: Finding[] = [];
  for (const file of first.difference.files) {
    if (file.status === "deleted" || change.head.excludes(file.path) !== null) continue;
    const text = await first.difference.head.text(file.path);
    if (text === null) continue;
    const secrets = await newIn(text, file, change.comparisons.map(({ difference }) => difference));
    if (secrets.length === 0) continue;
    for (const { span } of secrets) places.hide(file.path, text, span);
    const lines = lineStarts(text, "python");
    found.push(...secrets.slice(0, MOST_OF_A_FILE).map((secret) => findingOf({ path: file.path, text, lines }, secret)));
  }
  return found;
};

async function newIn(text: string, file: ChangedFile, differences: readonly Difference[]): Promise<readonly Secret[]> {
  const all = await allIn(file.path, text);
  if (all.length === 0) return [];
  const before = await Promise.all(differences.map((difference) => textBefore(file, difference)));
  const added = addedLines(before[0] ?? null, text);
  const lines = lineStarts(text, "python");
  return all.filter(({ span }) => added.has(positionAt(lines, span[0]).line) && before.every((old) => old?.includes(text.slice(span[0], span[1])) !== true));
}

/** A file's text at a base, null where it was not there. */
async function textBefore(file: ChangedFile, { base, files }: Difference): Promise<string | null> {
  const own = files.find(({ path }) => path === file.path);
  const path = own === undefined ? file.path : own.basePath;
  return path === null ? null : base.text(path);
}

/** Secrets by their shapes; in an environment file also by the names of settings, where no shape tells more. */
async function allIn(path: TreePath, text: string): Promise<readonly Secret[]> {
  const shaped = await secretsIn(text);
  if (!isEnvironmentFile(path)) return shaped;
  const named = secretSettings(text).filter(({ span }) => !shaped.some((one) => one.span[0] < span[1] && span[0] < one.span[1]));
  return [...shaped, ...named.map(({ name, span }) => ({ name: `value of ${name}`, span }))].sort((one, other) => one.span[0] - other.span[0]);
}

interface Source {
  readonly path: TreePath;
  readonly text: string;
  /** Where each line begins. */
  readonly lines: readonly number[];
}

function findingOf({ path, text, lines }: Source, { name, span }: Secret): Finding {
  const message = `This change writes ${article(name)} ${name} into the tree. Whoever can read the repository can use it from now on, in the history too when the line is gone. Take it out, revoke it where it was given out, and read it from the environment or a secret store.`;
  // The fingerprint is stored and printed; of a secret nothing else may be.
  const key = createHash("sha256").update(text.slice(span[0], span[1])).digest("hex");
  return plainFinding(RULE, "error", path, message, key, placeOf({ lines }, text, span));
}

function article(name: string): string {
  if (name.startsWith("value of ")) return "the";
  return /^(?:[aeio]|AWS|xAI|npm|SendGrid|OpenAI|Anthropic|1P)/.test(name) && !/^(?:SendGrid|1P)/.test(name) ? "an" : "a";
}
