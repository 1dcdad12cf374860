import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Log } from "sarif";

const require = createRequire(import.meta.url);

/** The folder of Microsoft's validator, with the schema that it ships; null where this platform has none. */
function toolFolder(): string | null {
  try {
    return path.dirname(require.resolve("@microsoft/sarif-multitool-linux/package.json"));
  } catch {
    return null;
  }
}

const folder = toolFolder();

/** Whether the validator runs here: it is a Linux binary for x64 and glibc. */
export const HAS_VALIDATOR = folder !== null && process.platform === "linux" && process.arch === "x64";

/** What the published JSON Schema says against a log; nothing where no schema is at hand. */
export function schemaProblems(log: Log): string[] {
  if (folder === null) return [];
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  // The package is CommonJS with a default export, which the two module systems see differently.
  const add = addFormats as unknown as { default?: typeof addFormats.default } & typeof addFormats.default;
  (add.default ?? add)(ajv);
  const accepts = ajv.compile(JSON.parse(readFileSync(path.join(folder, "sarif-2.1.0.json"), "utf8")) as object);
  return accepts(log) ? [] : (accepts.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ""}`);
}

const asError = (rule: string): string => `<Properties Key='${rule}.Options'><Property Key='RuleEnabled' Value='Error'/></Properties>`;
/** The rules by which code scanning takes a file in; the one that is disabled would use the network. */
const RULES = `<?xml version="1.0" encoding="utf-8"?><Properties>${[
  "GH1001.ProvideRequiredLocationProperties", "GH1002.InlineThreadFlowLocations", "GH1003.ProvideRequiredRegionProperties", "GH1005.LocationsMustBeRelativeUrisOrFilePaths",
  "GH1006.ProvideCheckoutPath", "GH1007.ProvideFullyFormattedMessageStrings", "SARIF2007.ExpressPathsRelativeToRepoRoot",
].map(asError).join("")}<Properties Key='SARIF2006.UrisShouldBeReachable.Options'><Property Key='RuleEnabled' Value='Disabled'/></Properties></Properties>`;

/** What the validator finds in one log, one process a log: `rule: message`, notes left out. */
export function validatorProblems(text: string): string[] {
  const work = mkdtempSync(path.join(os.tmpdir(), "agentgate-sarif-"));
  try {
    const [input, output, policy] = [path.join(work, "in.sarif"), path.join(work, "out.sarif"), path.join(work, "rules.xml")];
    writeFileSync(input, text);
    writeFileSync(policy, RULES);
    // An installation without scripts leaves it without the right to run.
    const tool = path.join(folder ?? "", "Sarif.Multitool");
    chmodSync(tool, 0o755);
    const args = ["validate", input, "-o", output, "--log", "ForceOverwrite", "-c", policy, "--rule-kind", "Sarif;Ghas", "--level", "Error;Warning;Note"];
    const { status } = spawnSync(tool, args, { env: { ...process.env, DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: "1" } });
    return [...(status === 0 ? [] : [`exit ${String(status)}`]), ...problemsIn(output)];
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The exit code says nothing, and a broken file can keep the rules from running: some note must always be there. */
function problemsIn(output: string): string[] {
  if (!existsSync(output)) return ["no report"];
  const { runs } = JSON.parse(readFileSync(output, "utf8").replace(/^\ufeff/, "")) as Log;
  const results = runs[0]?.results ?? [];
  const problems = results.filter(({ level }) => (level ?? "warning") !== "note").map(({ message, ruleId }) => `${ruleId ?? ""}: ${message.text ?? message.id ?? ""} ${(message.arguments ?? []).join(" | ")}`);
  return results.some(({ ruleId }) => ruleId?.startsWith("SARIF2") === true) ? problems : [...problems, "the semantic rules did not run"];
}
