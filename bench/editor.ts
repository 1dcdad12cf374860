import { ESLint } from "eslint";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

/**
 * What our rules cost in an editor: files of 1,000 lines of real code, linted again after each of some edits, by ESLint's
 * own clock (`stats`, which is what TIMING prints). The first run reads the tree and starts the parsers. Run it on a machine
 * that does nothing else: `node tools/run.mjs bench/editor.ts`.
 */
const LINES = 1000;
const EDITS = 25;
const WARM = 5;

interface Timed {
  readonly first: number;
  readonly median: number;
  readonly slowest: number;
  readonly parse: number;
  readonly byRule: ReadonlyMap<string, number>;
}

/** The first lines of Python's own modules and of our own sources, as one module each. */
function sources(): ReadonlyMap<string, string> {
  const library = execFileSync("python3", ["-c", "import os; print(os.path.dirname(os.__file__))"], { encoding: "utf8" }).trim();
  const python = ["smtplib.py", "shutil.py"].map((name) => readFileSync(path.join(library, name), "utf8")).join("\n");
  const folder = "packages/engine/change";
  const typescript = readdirSync(folder).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts")).sort().map((name) => readFileSync(path.join(folder, name), "utf8")).join("\n");
  const cut = (text: string, more = 0): string[] => text.split("\n").slice(0, LINES + more);
  // Cut where a declaration ends, whichever one our sources have there today.
  const whole = cut(withoutRepeatedImports(typescript), 100);
  const declarations = whole.slice(0, whole.lastIndexOf("}") + 1);
  return new Map([["module.py", `${cut(python).join("\n")}\n`], ["module.ts", `${IMPORTS}${declarations.join("\n")}\n`]]);
}

/** The same name is imported by many files, and may be only once in one. */
const IMPORTS = 'import axios from "axios";\nimport { readFileSync } from "node:fs";\nimport path from "node:path";\n';

function withoutRepeatedImports(text: string): string {
  return text.replaceAll(/^(?:import|export \{|export type \{)[^;]*;$/gm, "").replaceAll(/^export (?=class|function|interface|const|type|async)/gm, "");
}

const middle = (numbers: readonly number[]): number => [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)]!;

async function time(folder: string, name: string, text: string): Promise<Timed> {
  const plugin = (await import(pathToFileURL(path.resolve("packages/eslint-plugin/dist/index.js")).href) as { default: { configs: { strict: object[] } } }).default;
  const eslint = new ESLint({ cwd: folder, overrideConfigFile: true, overrideConfig: plugin.configs.strict as never, stats: true });
  const [plain] = await eslint.lintText(text, { filePath: path.join(folder, name) });
  const fatal = plain!.messages.find((message) => message.fatal);
  if (fatal !== undefined) throw new Error(`${name}:${fatal.line}: ${fatal.message}`);
  const runs: { rules: number; parse: number; each: Map<string, number> }[] = [];
  for (let edit = 0; edit < EDITS; edit++) {
    const [result] = await eslint.lintText(text.replace(/\n/, `\n${name.endsWith(".py") ? "#" : "//"} edit ${edit}\n`), { filePath: path.join(folder, name) });
    const pass = result!.stats!.times.passes[0]!;
    const each = new Map(Object.entries(pass.rules ?? {}).map(([rule, { total }]) => [rule, total]));
    runs.push({ rules: [...each.values()].reduce((sum, one) => sum + one, 0), parse: pass.parse?.total ?? 0, each });
  }
  const warm = runs.slice(WARM);
  const byRule = new Map([...warm[0]!.each.keys()].map((rule) => [rule, middle(warm.map(({ each }) => each.get(rule)!))]));
  return { first: runs[0]!.rules, median: middle(warm.map(({ rules }) => rules)), slowest: Math.max(...warm.map(({ rules }) => rules)), parse: middle(warm.map(({ parse }) => parse)), byRule };
}

const folder = mkdtempSync(path.join(tmpdir(), "agentgate-editor-"));
try {
  console.log("| file | lines | first run | median of an edit | slowest edit | parse (ESLint's) |\n| --- | --- | --- | --- | --- | --- |");
  for (const [name, text] of sources()) {
    writeFileSync(path.join(folder, name), text);
    const { first, median, slowest, parse, byRule } = await time(folder, name, text);
    console.log(`| ${name} | ${text.split("\n").length - 1} | ${first.toFixed(0)} ms | ${median.toFixed(1)} ms | ${slowest.toFixed(1)} ms | ${parse.toFixed(1)} ms |`);
    console.log([...byRule].sort((one, other) => other[1] - one[1]).map(([rule, total]) => `  ${rule} ${total.toFixed(1)}`).join("\n"));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
