import words from "../../data/models/words.json" with { type: "json" };
import type { RuleContext } from "../../rule.ts";
import { wordsIn } from "./words.ts";

const FOLDERS = new Set(words.sampleFolders);
const FILES = new Set(words.sampleWords);

/** Whether a module shows how something is used, as documentation does, and nothing but other samples loads it. */
export function isSample({ path, tree }: RuleContext): boolean {
  if (!isNamedSample(path)) return false;
  return tree.importersOf(path)?.every(isNamedSample) === true;
}

/** `examples/chat.ts`, `UsageExample.ts`, `example_agent.py`, `demo.js`. */
function isNamedSample(path: string): boolean {
  const folders = path.split("/");
  const file = wordsIn(folders.pop()!.replace(/\.[^.]+$/, ""));
  return folders.some((folder) => FOLDERS.has(folder.toLowerCase())) || FILES.has(file[0] ?? "") || FILES.has(file.at(-1) ?? "");
}
