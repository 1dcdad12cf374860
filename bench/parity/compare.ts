import { checkTree } from "@agentgate/engine";
import { ESLint } from "eslint";
import path from "node:path";
import { pathToFileURL } from "node:url";

/** What neither speaks of in an editor: a policy as a whole, and comments that turn out to be needless once all was judged. */
const COMMAND_ONLY = new Set(["unused-port", "expired-permit", "config"]);
const NEEDLESS = "Nothing here is reported by";

const root = process.cwd();

interface Built {
  readonly default: { readonly configs: { readonly strict: object[] } };
}

/** The findings that the two have in common, and those that one of them has alone, one line each. */
export async function differencesIn(folder: string): Promise<{ readonly both: number; readonly differences: readonly string[] }> {
  const [command, editor] = [await byCommand(folder), await byEslint(folder)];
  const [only, other] = [command.filter((one) => !editor.includes(one)), editor.filter((one) => !command.includes(one))];
  return { both: command.length - only.length, differences: [...only.map((one) => `only agentgate check: ${one}`), ...other.map((one) => `only ESLint: ${one}`)].sort() };
}

async function byCommand(folder: string): Promise<string[]> {
  const worker = pathToFileURL(path.join(root, "packages/cli/dist/worker.js"));
  const { findings } = await checkTree({ version: "0.0.0", cwd: folder, worker, jobs: 1, strict: true, cache: null });
  return unique(findings.filter(({ rule, message }) => !COMMAND_ONLY.has(rule) && !message.startsWith(NEEDLESS)).map((one) => `${one.path}:${one.start.line}:${one.start.column} ${one.rule}`));
}

async function byEslint(folder: string): Promise<string[]> {
  const plugin = await import(pathToFileURL(path.join(root, "packages/eslint-plugin/dist/index.js")).href) as Built;
  const eslint = new ESLint({ cwd: folder, overrideConfigFile: true, overrideConfig: [{ ignores: ["!**/node_modules/"] }, ...plugin.default.configs.strict] as never, errorOnUnmatchedPattern: false, allowInlineConfig: false, ignore: true });
  const results = await eslint.lintFiles(["."]);
  return unique(results.flatMap(({ filePath, messages }) => messages.filter(({ ruleId }) => ruleId !== "agentgate/config").map(({ line, column, ruleId, fatal }) => {
    const file = path.relative(folder, filePath).split(path.sep).join("/");
    return fatal === true ? `${file}:fatal` : `${file}:${line}:${column} ${String(ruleId).replace("agentgate/", "")}`;
  })));
}

function unique(lines: readonly string[]): string[] {
  return [...new Set(lines)].sort();
}
