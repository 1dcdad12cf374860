import { referencesOf } from "@agentgate/parsers";
import type { ModuleFacts } from "@agentgate/parsers";
import data from "../../data/package-installs.json" with { type: "json" };
import { isModuleOf } from "../names.ts";
import { isOfApi } from "./vocabulary.ts";

const { folders, files, fixtures, modules } = data.tests;
const TESTING = new Set(modules);

/** Whether a file helps tests: by its folder or name, or because it defines what a test runner sets up. */
export function isTestHelper(facts: ModuleFacts, path: string): boolean {
  const parts = path.split("/");
  if (files.includes(parts.at(-1)!) || parts.slice(0, -1).some((part) => folders.includes(part))) return true;
  if (facts.language === "ecmascript") return facts.calls.some(({ references }) => references.some(({ module }) => isModuleOf(TESTING, module)));
  return facts.functions.some(({ decorators }) => decorators.some((decorator) => referencesOf(facts, decorator).some((reference) => isOfApi(reference, fixtures))));
}
