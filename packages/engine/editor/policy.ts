import { createHash } from "node:crypto";
import { lstatSync } from "node:fs";
import path from "node:path";
import { POLICY_FILE, isNestedPolicy } from "../discovery/root.ts";
import { GateError } from "../errors.ts";
import { plainFinding } from "../judging/finding.ts";
import { configFindings, nestedPolicyFinding } from "../judging/policy-findings.ts";
import { readYaml } from "../policy/located.ts";
import { loadPolicy, loadedPolicy } from "../policy/load.ts";
import type { LoadedPolicy } from "../policy/load.ts";
import { readText } from "../policy/text.ts";
import { readPolicy } from "../policy/policy.ts";
import { inForce } from "../run-settings.ts";
import { realFile, rootOfFile } from "./root.ts";
import type { EditorFinding, EditorRequest, EditorSettings } from "./protocol.ts";

/** The policy that an editor judges by. */
export interface EditorPolicy extends LoadedPolicy {
  /** Equal for equal policies. */
  readonly id: string;
  /** Whether it says anything about ports, so that what no port licenses is worth telling. */
  readonly hasPorts: boolean;
  /** What a person should know about where it comes from, one sentence each. */
  readonly notes: readonly string[];
  /** What is wrong with the settings beside the policy, a sentence each. */
  readonly wrong: readonly string[];
}

/** How messages call a policy in the linter's settings. */
const SETTINGS = "settings.agentgate";

/** Policies of an editor's trees, each read once for one text. */
export class Policies {
  readonly #known = new Map<string, { readonly from: string; readonly policy: EditorPolicy }>();

  /** The policy in force for a tree: that of the settings, else the one at its root, else the default. */
  inForce(root: string, settings: EditorSettings): EditorPolicy {
    const text = textAt(root);
    const from = JSON.stringify([text, settings]);
    const known = this.#known.get(root);
    if (known?.from === from) return known.policy;
    const policy = editorPolicy(root, settings);
    this.#known.set(root, { from, policy });
    return policy;
  }
}

function textAt(root: string): ReturnType<typeof readText> | null {
  const file = path.join(root, POLICY_FILE);
  return lstatSync(file, { throwIfNoEntry: false }) === undefined ? null : readText(file, root);
}

function editorPolicy(root: string, settings: EditorSettings): EditorPolicy {
  const found = policyFrom(root, settings.policy);
  const { problems: wrong } = settings;
  return { ...found, wrong, policy: inForce(found.policy, settings.strict, new Map()), id: JSON.stringify([found.id, settings.strict, wrong]) };
}

function policyFrom(root: string, policy: EditorSettings["policy"]): Omit<EditorPolicy, "wrong"> {
  const own = advised(loadPolicy(root, null));
  if (policy === null) return { ...own, id: idOf(own.text), hasPorts: hasPorts(own.text), notes: [] };
  const text = JSON.stringify({ version: 1, ...policy });
  const read = readPolicy(text);
  const notes = own.text === null || sameKeys(own.text, text) ? [] : [`${SETTINGS} and agentgate.yml differ, and ${SETTINGS} is in force: keep one of them.`];
  if ("failure" in read) {
    const error = new GateError(`${SETTINGS} ${read.failure}.`, "Correct it in the ESLint configuration, or delete it and write agentgate.yml.");
    return { policy: own.policy, problems: [], path: SETTINGS, text, error, id: idOf(text), hasPorts: false, notes };
  }
  // A place in the text that was made here means nothing to anybody.
  const problems = read.problems.map((problem) => ({ ...problem, line: 1, column: 1 }));
  return { policy: read.policy, problems, path: SETTINGS, text, error: null, id: idOf(text), hasPorts: hasPorts(text), notes };
}

/** The command's advice names its own options, which mean something else to a linter. */
function advised(loaded: LoadedPolicy): LoadedPolicy {
  if (loaded.error === null) return loaded;
  return { ...loaded, error: new GateError(loaded.error.message, `Correct the file, or write a policy into ${SETTINGS}, which is then in force instead of it.`) };
}

/** What is wrong with a policy, and what else is `told`, as findings at the first place of whatever file tells it. */
export function problemsOf({ problems, error, notes, wrong, path: source }: EditorPolicy, told: readonly string[]): EditorFinding[] {
  const place = { start: { line: 1, column: 1 }, end: { line: 1, column: 1 } };
  const failed = error === null ? [] : [{ severity: "error" as const, message: `${error.message} ${error.hint} Until then no policy is in force.`, ...place }];
  const located = problems.map(({ line, message }) => ({ severity: "error" as const, message: `${source === SETTINGS ? source : `${source}:${line}`}: ${message}`, ...place }));
  return [...failed, ...located, ...wrong.map((message) => ({ severity: "error" as const, message, ...place })), ...[...notes, ...told].map((message) => ({ severity: "warning" as const, message, ...place }))];
}

/** What is wrong with the text of a policy file, at its lines. A file that is never read is told so. */
export function policyFile({ file, cwd }: Pick<EditorRequest, "file" | "cwd">, text: string): EditorFinding[] {
  if (path.basename(file) !== POLICY_FILE) return [];
  const shown = path.relative(rootOfFile(file, cwd).folder, realFile(file)).split(path.sep).join("/");
  const loaded = loadedPolicy(Buffer.from(text), shown, "this text");
  const failed = loaded.error === null ? [] : [plainFinding("config", "error", shown, `${loaded.error.message} ${CORRECT}`, "")];
  const nested = isNestedPolicy(shown, POLICY_FILE) ? [nestedPolicyFinding(shown, POLICY_FILE)] : [];
  return [...nested, ...failed, ...configFindings(loaded)].map(({ severity, message, start, end }) => ({ severity, message, start, end }));
}

const CORRECT = "Correct it: until then no policy is in force.";

function idOf(text: string | null): string {
  return createHash("sha256").update(text ?? "").digest("hex");
}

function hasPorts(text: string | null): boolean {
  const value = text === null ? null : valueOf(text);
  return value !== null && "ports" in value;
}

function sameKeys(one: string, other: string): boolean {
  return JSON.stringify(sorted(valueOf(one))) === JSON.stringify(sorted(valueOf(other)));
}

/** What a policy's text holds; null where it is none, such as one word. */
function valueOf(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value = plain(readYaml(text));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value as Readonly<Record<string, unknown>> : null;
  } catch {
    return null;
  }
}

function plain(located: ReturnType<typeof readYaml>): unknown {
  if (located.kind === "mapping") return Object.fromEntries(located.entries.map(({ key, value }) => [key, plain(value)]));
  return located.kind === "list" ? located.items.map(plain) : located.value;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)).map(([key, inner]) => [key, sorted(inner)]));
}
