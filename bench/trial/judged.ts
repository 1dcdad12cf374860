import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import process from "node:process";

/** What a trial reads of the JSON report of `check`. */
export interface TrialFinding {
  readonly rule: string;
  readonly severity: string;
  readonly message: string;
  readonly path: string;
  readonly start: { readonly line: number; readonly column: number };
  readonly fingerprint: string;
}

export interface Judged {
  readonly name: string;
  readonly folder: string;
  /** Lines of the files that were judged, those that could not be read as code included. */
  readonly lines: number;
  readonly files: number;
  readonly findings: readonly TrialFinding[];
}

interface Report {
  readonly error: { readonly message: string } | null;
  readonly summary: { readonly files: number };
  readonly findings: readonly TrialFinding[];
  readonly unscanned: readonly { readonly path: string }[];
}

export interface TrialOptions {
  /** The built command. */
  readonly command: string;
  /** A policy, or a folder with `<package>.yml` and `default.yml`. */
  readonly config: string;
  /** Rules that are not run. */
  readonly off: readonly string[];
}

/**
 * Runs the built command over one package folder. Nothing is written: it reads every file anew.
 * @throws Error where the command could not judge.
 */
export function judgePackage(folder: string, options: TrialOptions): Judged {
  const name = path.basename(folder);
  const rules = options.off.flatMap((rule) => ["--rule", `${rule}=off`]);
  const { stdout, stderr } = spawnSync(process.execPath, [
    options.command, "check", "--config", policyFor(name, options.config), "--format", "json", "--no-cache", ...rules, ".",
  ], { cwd: folder, encoding: "utf8", maxBuffer: 1 << 30 });
  if (stdout === "") throw new Error(`${name}: ${stderr}`);
  const report = JSON.parse(stdout) as Report;
  if (report.error !== null) throw new Error(`${name}: ${report.error.message}`);
  const skipped = new Set(report.unscanned.map((file) => file.path));
  return { name, folder, lines: linesBelow(folder, skipped), files: report.summary.files, findings: report.findings };
}

/** For packages of which a folder of policies says nothing. */
const DEFAULT = "bench/trial/policies/default.yml";

/** The policy of a package: its own of the folder (`litellm.yml`, without a version), else the folder's or the default one. */
export function policyFor(name: string, config: string): string {
  if (!statSync(config).isDirectory()) return path.resolve(config);
  const candidates = [`${name.replace(/-\d+\..*$/, "")}.yml`, "default.yml"].map((file) => path.join(config, file));
  return path.resolve(candidates.find((file) => existsSync(file)) ?? DEFAULT);
}

const SOURCE = /(?<!\.d)\.(?:py|[mc]?[jt]s|[jt]sx)$/;

/** Lines of every source below the folder that the report does not name as left out. */
function linesBelow(folder: string, skipped: ReadonlySet<string>): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && SOURCE.test(entry.name))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join("/"))
    .filter((file) => !skipped.has(file) && !file.includes("node_modules/"));
  return files.reduce((sum, file) => sum + lineCount(readFileSync(path.join(folder, file))), 0);
}

function lineCount(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count += 1;
  return count;
}
