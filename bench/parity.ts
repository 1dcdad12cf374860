import { RULE_METAS } from "@agentgate/rules";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { readCases } from "../tools/fixtures/cases.ts";
import { differencesIn } from "./parity/compare.ts";

/**
 * Whether ESLint and the command find the same: `node tools/run.mjs bench/parity.ts` goes through all fixtures,
 * `… bench/parity.ts <folder>` through a package. Prints each difference, and ends with 1 where there is any.
 */
const given = process.argv.slice(2).map((folder) => path.resolve(folder));
const folders = given.length > 0 ? given : RULE_METAS.flatMap(({ id }) => readCases("fixtures", id)).filter(({ files }) => !files.some(({ path: name }) => name.startsWith("head/"))).map(({ folder }) => folder);

let [same, different] = [0, 0];
for (const folder of folders) {
  // A tree of its own, outside the repository whose policy would hold.
  const copy = mkdtempSync(path.join(tmpdir(), "agentgate-parity-"));
  cpSync(folder, copy, { recursive: true, verbatimSymlinks: true });
  const { both, differences } = await differencesIn(copy);
  same += both;
  different += differences.length;
  for (const one of differences) console.log(`${path.relative(process.cwd(), folder)}: ${one}`);
  rmSync(copy, { recursive: true, force: true });
}
console.log(`${folders.length} folders: ${same} findings in both, ${different} in one only`);
if (different > 0) process.exitCode = 1;
