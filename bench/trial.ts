import { CODE_RULES } from "@agentgate/rules";
import { readdirSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { judgePackage } from "./trial/judged.ts";
import { shown, table } from "./trial/print.ts";
import { draw } from "./trial/sample.ts";

/** A trial on real packages: each folder below the given ones is a package, judged on its own by the built command. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rule: { type: "string", multiple: true },
    config: { type: "string", default: "bench/trial/policies" },
    package: { type: "string", multiple: true },
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
  },
});
if (positionals.length === 0) throw new Error("Name a folder of packages: npm run trial -- <folder> [--rule id] [--package name] [--config file] [--sample 40 --seed n]");

const known = CODE_RULES.map((rule) => rule.meta.id);
const rules = values.rule ?? known;
const unknown = rules.filter((rule) => !known.includes(rule));
if (unknown.length > 0) throw new Error(`No rule is called ${unknown.join(", ")}. The rules are ${known.join(", ")}.`);
const size = Number(values.sample ?? 0);
if (!Number.isInteger(size) || size < 0) throw new Error("--sample takes a number of findings");

const options = { command: path.resolve("packages/cli/dist/agentgate.js"), config: values.config, off: known.filter((rule) => !rules.includes(rule)) };
const judged = positionals.flatMap(packagesBelow).map((folder) => judgePackage(folder, options));
for (const line of table(judged, rules)) console.log(line);
if (size > 0) {
  for (const rule of rules) {
    const drawn = draw(judged, rule, size, values.seed);
    console.log(`\n${rule}: ${drawn.length} drawn with seed ${values.seed}`);
    drawn.forEach((one, index) => { for (const line of shown(one, index + 1)) console.log(line); });
  }
}

/** The package folders of a folder, by name; all of them, or those that `--package` begins. */
function packagesBelow(folder: string): string[] {
  const wanted = values.package;
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && (wanted === undefined || wanted.some((name) => entry.name.startsWith(name))))
    .map((entry) => path.resolve(folder, entry.name))
    .sort();
}
