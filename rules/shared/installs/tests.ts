import { referencesOf } from "@agentgate/parsers";
import type { ModuleFacts } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import data from "../../data/package-installs.json" with { type: "json" };
import { isModuleOf } from "../names.ts";
import { isOfApi } from "./vocabulary.ts";

const { folders, files, fixtures, modules, scripts } = data.tests;
const TESTING = new Set(modules);

/** Whether a file helps tests: by its folder or name, because it defines what a test runner sets up, or as a script that tests and that nothing loads. */
export function isTestHelper(facts: ModuleFacts, { path, tree }: RuleContext): boolean {
  const parts = path.split("/");
  if (scripts.some((start) => parts.at(-1)!.startsWith(start)) && tree.importersOf(path)?.length === 0) return true;
  if (files.includes(parts.at(-1)!) || parts.slice(0, -1).some((part) => folders.includes(part))) return true;
  if (facts.language === "ecmascript") return facts.calls.some(({ references }) => references.some(({ module }) => isModuleOf(TESTING, module)));
  return facts.functions.some(({ decorators }) => decorators.some((decorator) => referencesOf(facts, decorator).some((reference) => isOfApi(reference, fixtures))));
}
