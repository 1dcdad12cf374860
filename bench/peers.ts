import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { RULE_METAS } from "@agentgate/rules";
import { EVASION_LANGUAGES, type EvasionLanguage } from "../tools/fixtures/evasion.ts";
import { askAgentgate } from "./peers/agentgate.ts";
import { installed, type Peer, readPeers } from "./peers/install.ts";
import { ask } from "./peers/run.ts";
import { type CheckMap, type Verdict, verdictsOf } from "./peers/score.ts";
import { type Task, tasksOf, writeSuite } from "./peers/suite.ts";
import { ahead, markdownTable, type Row, withTables } from "./peers/table.ts";

/** agentgate and its peers over the evasion suite: `node tools/run.mjs bench/peers.ts [--peer name]… [--language python] [--list] [--write]`. */
const { values } = parseArgs({ options: {
  peer: { type: "string", multiple: true },
  language: { type: "string" },
  /** Prints each technique that a tool gets wrong. */
  list: { type: "boolean", default: false },
  /** Puts the tables into the README. */
  write: { type: "boolean", default: false },
} });
if (values.write && (values.peer !== undefined || values.language !== undefined)) throw new Error("--write needs the tables of all peers and languages");
const cache = path.resolve("node_modules/.cache/agentgate/peers");
const README = "bench/peers/README.md";
const TITLES = { python: "Python", ecmascript: "TypeScript and JavaScript" } as const;
const scratch = mkdtempSync(path.join(tmpdir(), "agentgate-peers-"));
const peers = readPeers().filter(({ name }) => values.peer === undefined || values.peer.includes(name));
try {
  const tables: string[] = [];
  for (const language of EVASION_LANGUAGES.filter((one) => values.language === undefined || values.language === one)) tables.push(`### ${TITLES[language]}`, await compare(language));
  if (values.write) writeFileSync(README, withTables(readFileSync(README, "utf8"), tables));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** Prints what was found in one language, and returns its table. */
async function compare(language: EvasionLanguage): Promise<string> {
  const root = path.join(scratch, language);
  writeSuite("fixtures", language, root);
  const tasks = tasksOf("fixtures", language);
  const own = await askAgentgate("fixtures", language, path.join(scratch, "agentgate", language));
  const ownChecks = Object.fromEntries(RULE_METAS.map(({ id }) => [id, [id]]));
  const rows = [{ name: "agentgate", verdicts: verdictsOf(tasks, own.findings, ownChecks), seconds: own.seconds }, ...peers.flatMap((peer) => rowOf(peer, language, root, tasks))];
  const table = markdownTable(rows).join("\n");
  const better = ahead(rows);
  console.log([`\n### ${TITLES[language]}\n`, table, "\nAhead of agentgate:\n", ...(better.length > 0 ? better : ["nobody, in anything"])].join("\n"));
  if (values.list) for (const row of rows) console.log([`\n${row.name}`, ...wrong(row.verdicts)].join("\n"));
  return table;
}

/** Nothing for a peer that cannot be installed or run here; the others go on. */
function rowOf(peer: Peer, language: EvasionLanguage, root: string, tasks: readonly Task[]): Row[] {
  if (!peer.languages.includes(language)) return [];
  const commands = installed(peer, cache);
  if (typeof commands !== "string") {
    console.log(`${peer.name} ${peer.version} is not compared, it does not install here: ${commands.absent}`);
    return [];
  }
  const settings = path.resolve("bench/peers", peer.name);
  const checks = JSON.parse(readFileSync(path.join(settings, "checks.json"), "utf8")) as CheckMap;
  try {
    const { findings, seconds } = ask(peer.name, { commands, settings, report: path.join(scratch, `${peer.name}-${language}`) }, language, root);
    return [{ name: peer.name, verdicts: verdictsOf(tasks, findings, checks), seconds }];
  } catch (error) {
    console.log(`${peer.name} ${peer.version} is not compared, it gave no report: ${(error as Error).message}`);
    return [];
  }
}

function wrong(verdicts: readonly Verdict[]): string[] {
  return verdicts.filter(({ good }) => good === false).map(({ task }) => `  ${task.rule} ${task.kind === "true" ? "missed" : "noisy"} ${task.technique}`);
}
