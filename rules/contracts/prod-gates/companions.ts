import { type Fence, LINE_ONE, type Mapping, type Value, decodeText, readMarkdown } from "@agentgate/parsers/contract";
import { type ContractContext, type Diagnostic, diagnostic, other } from "../contract.ts";
import { documentShape } from "../define.ts";
import { documentAt, evidence, lookUp, parseDocument } from "../evidence.ts";
import { type Given, type Spot, list, map, text } from "../fields.ts";
import { shown } from "../shared/values.ts";
import { type Manifest, flagsOf } from "./manifest.ts";

const ROLLBACK_DOC = "ops/rollback.md";
const FLAGS_FILE = "config/flags.yml";
const ROSTER_FILE = "ops/roster.yml";

export const ROSTER = documentShape({
  name: "roster", title: "Who is on call", where: ROSTER_FILE, format: "yaml", unknown: "free",
  fields: { teams: map(list(text("One pager."), "The team's pagers."), "The teams, by name.") },
});

/** What other files say of the same facts, where they exist. */
export function checkCompanions(manifest: Manifest, context: ContractContext): Diagnostic[] {
  return [...rollbackDoc(manifest, context), ...flagFile(manifest, context), ...roster(manifest, context)];
}

function rollbackDoc({ rollback }: Manifest, context: ContractContext): Diagnostic[] {
  const named: Given<unknown> = rollback ?? { path: context.path, at: LINE_ONE, key: "rollback", value: null };
  if (lookUp(context, ROLLBACK_DOC).kind === "absent") return [];
  const { found, value: page } = evidence(context, { ...named, value: ROLLBACK_DOC }, ROLLBACK_DOC, { mayBeBlank: true });
  if (page === null) return [...found];
  const [block, ...further] = readMarkdown(page.text ?? "").fences.filter(({ info }) => /(?:^|[^\w-])rollback(?:$|[^\w-])/.test(info));
  const command = rollback?.value.command;
  if (block === undefined) return [diagnostic("rollback-doc", page, "No fenced block of this page is called rollback, so the page and the contract may say different things. Begin the block of the command with ```sh rollback.")];
  const second = further.map((fence) => diagnostic("rollback-doc", spotOf(page, fence), "This is a second block called rollback, and at night nobody knows which one to run. Keep one.", [other(spotOf(page, block), "the first one")]));
  if (command === undefined || commandOf(block) === linesOf(command.value)) return second;
  return [diagnostic("rollback-doc", spotOf(page, block), `The block runs ${shown(commandOf(block))}, and \`rollback.command\` is ${shown(command.value)}. Write the same command in both.`, [other(command, "the contract's command")]), ...second];
}

function spotOf({ path }: Spot, fence: Fence): Spot {
  return { path, at: fence.at, key: "rollback", value: fence.lines.map((line) => line.text).join("\n") };
}

/** What the block runs: without blank lines and remarks. */
function commandOf(fence: Fence): string {
  return linesOf(fence.lines.map((line) => line.text).filter((line) => !line.trimStart().startsWith("#")).join("\n"));
}

function linesOf(command: string): string {
  return command.split("\n").map((line) => line.trim()).filter((line) => line !== "").join("\n");
}

function flagFile(manifest: Manifest, context: ContractContext): Diagnostic[] {
  const flags = flagsOf(manifest).flatMap(({ value: { name } }) => (name === undefined ? [] : [name]));
  const file = lookUp(context, FLAGS_FILE);
  if (file.kind === "absent" || flags.length === 0) return [];
  const read = file.kind === "file" ? parseDocument("yaml", file.bytes) : null;
  if (read === null || "problem" in read) {
    const message = read === null ? "The file cannot be read, or leads out of the repository." : read.problem.message;
    return [diagnostic("syntax", { path: FLAGS_FILE, at: read?.problem.at ?? LINE_ONE, key: "" }, `${message} Correct the file: it says what the flags are by default.`)];
  }
  const entries = new Map(read.value.entries.map((entry) => [entry.key, entry]));
  return flags.flatMap((name) => defaultOf(name, entries.get(name.value)));
}

function defaultOf(name: Given<string>, entry: Mapping["entries"][number] | undefined): Diagnostic<"flag-file">[] {
  if (entry === undefined) return [diagnostic("flag-file", name, `${FLAGS_FILE} has no flag ${shown(name.value)}, so nothing says that it begins closed. Add it there with the default false.`, [{ path: FLAGS_FILE, at: LINE_ONE, key: "", message: "the flags" }])];
  if (isFalse(entry.value)) return [];
  const spot: Spot = { path: FLAGS_FILE, at: entry.value.at.line === entry.keyAt.line && entry.value.at.length > 0 ? entry.value.at : entry.keyAt, key: entry.key, value: entry.value.kind === "scalar" ? entry.value.value : null };
  return [diagnostic("flag-file", spot, `${shown(name.value)} is not false here: the change is open before anybody opens it. Set the default to false.`, [other(name, "the contract's flag")])];
}

function isFalse(value: Value): boolean {
  return value.kind === "scalar" && value.value === false;
}

function roster({ owner }: Manifest, context: ContractContext): Diagnostic[] {
  const { found, value: listed } = documentAt(context, ROSTER, ROSTER_FILE);
  const teams = listed?.teams?.value;
  const { pager, team } = owner?.value ?? {};
  if (teams === undefined || team === undefined) return [...found];
  const entry = [...teams].find(([name]) => plain(name) === plain(team.value))?.[1];
  if (entry === undefined) {
    const isReported = found.some(({ path }) => path === ROSTER_FILE);
    return [...found, ...(isReported ? [] : [diagnostic("roster", team, `${ROSTER_FILE} has no team ${shown(team.value)}, so nobody is on call for it. Name a team of the roster.`)])];
  }
  if (pager === undefined || entry.value.some((one) => plain(one.value) === plain(pager.value))) return [...found];
  return [...found, diagnostic("roster", pager, `${shown(pager.value)} is no pager of ${shown(team.value)} in ${ROSTER_FILE}: the wrong one rings. Name one of the team's.`, [other(entry, "the team's pagers")])];
}

/** `@payments` is the team payments. */
function plain(name: string): string {
  return name.trim().replace(/^@/, "");
}

const FINDINGS = /^[ \t]*(?:[-*] )?(?:findings|leaks|result):(.*)$/i;
const CLEAN = new Set(["0", "none", "clean"]);

/** The report of the scan for secrets, which says that it found nothing. */
export function checkScan({ secret_scan: named }: Manifest, context: ContractContext): Diagnostic[] {
  const { found, value: report } = evidence(context, named);
  if (report === null) return [...found];
  const decoded = decodeText(report.bytes);
  const lines = ("value" in decoded ? decoded.value : "").split("\n").flatMap((line, index) => {
    const match = FINDINGS.exec(line.replace(/\r$/, ""));
    return match === null ? [] : [{ value: match[1]!.trim(), at: { line: index + 1, column: 1, length: line.trimEnd().length } }];
  });
  if (lines.length === 0) return [diagnostic("scan-dirty", report, "The report has no line `findings:`, `leaks:` or `result:`, so it says nothing. Keep the report as the scanner writes it.")];
  return lines.filter(({ value }) => !CLEAN.has(value.toLowerCase())).map(({ at, value }) =>
    diagnostic("scan-dirty", { path: report.path, at, key: "result", value }, `The scan ended with ${shown(value)}, which is not 0, none or clean. Take the secret out and revoke it, then scan again.`));
}
