import { lstatSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { CAPABILITIES } from "@agentgate/rules";
import { globMatcher, globProblem } from "../discovery/exclude.ts";
import { listTree } from "../discovery/list.ts";
import { POLICY_FILE, findRoot, isBelow } from "../discovery/root.ts";
import type { Root } from "../discovery/root.ts";
import { GateError, codeOf } from "../errors.ts";
import { normalise } from "../paths.ts";
import type { TreePath } from "../paths.ts";
import { readBounded } from "../reading/read.ts";
import { REPORT_VERSION } from "../report.ts";
import type { ReportError } from "../report.ts";
import { endOfDay, formatProblem, ownerProblem } from "./formats.ts";
import { PermitError, addPort } from "./permit-edit.ts";
import type { PermitEdit } from "./permit-edit.ts";
import type { NewPort } from "./permit-yaml.ts";
import { replaceFile } from "./replace-file.ts";
import { FAMILIES } from "./schema.ts";
import { MAX_POLICY_BYTES } from "./text.ts";

/** What a port may list. */
export const PORT_CAPABILITIES: readonly string[] = [...CAPABILITIES, ...FAMILIES];

export interface PermitOptions {
  readonly version: string;
  /** Absolute; `path` and `config` are relative to it. */
  readonly cwd: string;
  /** The policy file to write; default: the root's. */
  readonly config?: string;
  /** A file, or a glob; also taken as relative to the root where only that names something. */
  readonly path: string;
  readonly capabilities: readonly string[];
  readonly owner: string;
  readonly note: string;
  /** The last day on which it holds, as `2027-01-31`. */
  readonly expires?: string;
  /** Default: now. */
  readonly now?: Date;
}

/** The JSON document of `permit`. */
export interface PermitReport {
  readonly version: typeof REPORT_VERSION;
  readonly tool: { readonly name: "agentgate"; readonly version: string };
  readonly base: null;
  readonly error: ReportError | null;
  /** What became of the policy file; null with an error: then nothing was written. */
  readonly written: "created" | PermitEdit["kind"] | null;
  /** The policy file, relative to the root. */
  readonly path: string;
  /** The port as the policy now holds it, with its line. */
  readonly port: { readonly path: string; readonly capabilities: readonly string[]; readonly owner: string; readonly note: string; readonly expires: string | null; readonly line: number } | null;
  /** What a person should know; sentences. */
  readonly notes: readonly string[];
}

/** Writes a port into the policy file, which is replaced as a whole or not at all. Never rejects for what it is told. */
export async function writePermit(options: PermitOptions): Promise<PermitReport> {
  const root = findRoot(options.cwd);
  const file = options.config === undefined ? path.join(root.folder, POLICY_FILE) : path.resolve(options.cwd, options.config);
  const shown = path.relative(root.folder, file).split(path.sep).join("/");
  const document = { version: REPORT_VERSION, tool: { name: "agentgate", version: options.version }, base: null, path: shown } as const;
  try {
    checkWords(options);
    const { glob, notes } = await globOf(root, options);
    const before = textOf(file, shown);
    const { text, kind, port } = edit(before, { path: glob, capabilities: [...new Set(options.capabilities)], owner: options.owner.trim(), note: options.note.trim(), expires: options.expires ?? null }, shown);
    if (text !== before) replaceFile(file, before, text, shown);
    const { path: licensed, capabilities, owner, note, expires, line } = port;
    return { ...document, error: null, written: before === null ? "created" : kind, port: { path: licensed, capabilities, owner, note, expires: expires?.text ?? null, line }, notes };
  } catch (error) {
    if (error instanceof GateError) return { ...document, error: error.toReport(), written: null, port: null, notes: [] };
    throw error;
  }
}

function checkWords({ capabilities, owner, note, expires, now = new Date() }: PermitOptions): void {
  if (capabilities.length === 0) throw new GateError("No capability is named.", "Name what the path may do, for example net or fs.write.");
  for (const one of capabilities) {
    if (!PORT_CAPABILITIES.includes(one)) throw new GateError(`There is no capability ${JSON.stringify(one)}.`, `The capabilities are ${PORT_CAPABILITIES.join(", ")}.`);
  }
  const wrongOwner = ownerProblem(owner) ?? oneLineProblem(owner);
  if (wrongOwner !== null) throw new GateError(`--owner ${wrongOwner}.`, "Name the person or team that licenses it and answers for it.");
  const wrongNote = formatProblem("text", note) ?? oneLineProblem(note);
  if (wrongNote !== null) throw new GateError(`--note ${wrongNote}.`, "Say in one line why the path needs it.");
  if (expires === undefined) return;
  const end = endOfDay(expires);
  if (end === null) throw new GateError("--expires is no day of the calendar.", "Give the last day on which it holds, as 2027-01-31.");
  if (end <= now.getTime()) throw new GateError(`--expires ${expires} is over already.`, "Give a day to come, or leave --expires out.");
}

function oneLineProblem(text: string): string | null {
  return /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(text) ? "holds a line break or another control character" : null;
}

/** The glob to write: a file's name escaped, a glob as it is, relative to the root. */
async function globOf(root: Root, { cwd, path: given }: PermitOptions): Promise<{ readonly glob: string; readonly notes: readonly string[] }> {
  const candidates = candidatesOf(root.folder, cwd, given);
  for (const { file } of candidates) {
    const glob = file === null ? null : literal(root.folder, file);
    if (glob !== null) return { glob, notes: [] };
  }
  if (!isBelow(root.folder, path.resolve(realpathSync(cwd), given))) throw new GateError(`The path ${JSON.stringify(given)} lies outside of the tree, which begins at ${root.folder}.`, "Give a file of the tree, or a glob such as src/adapters/**.");
  const globs = candidates.map(({ glob }) => glob);
  const wrong = globProblem(globs[0]!);
  if (wrong !== null) throw new GateError(`The path ${JSON.stringify(given)} ${wrong}.`, "Give a file, or a glob such as src/adapters/**.");
  const { entries } = await listTree(root, []);
  const matched = globs.find((glob) => globProblem(glob) === null && entries.some(matching(glob)));
  if (matched !== undefined) return { glob: matched, notes: [] };
  return { glob: globs[0]!, notes: [`No file of the tree matches ${globs[0]!} yet.`] };
}

function matching(glob: string): (entry: { readonly path: TreePath }) => boolean {
  const matches = globMatcher(glob);
  return ({ path: name }) => matches(name);
}

interface CandidatePath {
  readonly file: TreePath | null;
  readonly glob: string;
}

/** What a path may mean: below the working directory, else below the root, as findings name it. */
function candidatesOf(root: string, cwd: string, given: string): CandidatePath[] {
  const target = path.resolve(cwd, given);
  const here = path.relative(root, realpathSync(cwd)).split(path.sep).join("/");
  const trimmed = given.replace(/^(?:\.\/)+/, "").replace(/\/+$/, "");
  if (path.isAbsolute(given)) {
    const below = path.relative(root, target).split(path.sep).join("/");
    return [{ file: normalise(below), glob: below }];
  }
  const below = { file: normalise(`${here}/${given}`), glob: here === "" ? trimmed : upwards(here, trimmed) };
  return here === "" ? [below] : [below, { file: normalise(given), glob: trimmed }];
}

/** A glob in a folder, its leading `../` resolved. */
function upwards(folder: TreePath, glob: string): string {
  const parts = folder.split("/");
  let rest = glob;
  while (rest.startsWith("../") && parts.length > 0) {
    parts.pop();
    rest = rest.slice(3);
  }
  return [...parts.map(escaped), rest].join("/");
}

/** The glob that matches one file and no other; null where there is no such file. */
function literal(root: string, file: TreePath): string | null {
  const status = file === "" ? "folder" : kindAt(path.join(root, file));
  if (status === null) return null;
  const glob = escaped(file);
  if (status === "folder") throw new GateError(`${file === "" ? "The root" : file} is a folder, and a port names modules.`, `To license everything below it, write ${file === "" ? "**" : `${glob}/**`}; better name the one module that needs it.`);
  if (globProblem(glob) !== null || !globMatcher(glob)(file)) throw new GateError(`${file} has a name that no glob can say.`, "Rename the file, or license its folder.");
  return glob;
}

function kindAt(target: string): "file" | "folder" | null {
  try {
    const status = statSync(target, { throwIfNoEntry: false });
    if (status === undefined) return null;
    return status.isDirectory() ? "folder" : "file";
  } catch {
    return null;
  }
}

function escaped(name: string): string {
  return name.replaceAll(/[[\](){}*?!|\\]/g, String.raw`\$&`);
}

/** The text of the policy file with its byte order mark, null where there is none. */
function textOf(file: string, shown: string): string | null {
  const status = statusOf(file, shown);
  if (status === undefined) return null;
  const hint = "Correct the file first; agentgate check says what is wrong with it.";
  if (status.isSymbolicLink()) throw new GateError(`${shown} is a symbolic link, and is never written through one.`, "Name the file itself with --config, or put it in the link's place.");
  const read = readBounded(file, MAX_POLICY_BYTES);
  if (read.kind === "too-large") throw new GateError(`${shown} has more than ${MAX_POLICY_BYTES} bytes.`, hint);
  if (read.kind === "unreadable") throw new GateError(`${shown} cannot be read: ${read.reason}.`, hint);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(read.bytes);
  } catch {
    throw new GateError(`${shown} is not encoded in UTF-8.`, hint);
  }
}

function statusOf(file: string, shown: string): ReturnType<typeof lstatSync> {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    throw new GateError(`${shown} cannot be reached (${codeOf(error)}).`, "Run it where the root of the tree may be written.");
  }
}

function edit(before: string | null, port: NewPort, shown: string): PermitEdit {
  try {
    return addPort(before, port);
  } catch (error) {
    if (error instanceof PermitError) throw new GateError(`${shown} ${error.message}.`, "Add the port by hand: path, capabilities, owner and note under ports.");
    throw error;
  }
}
