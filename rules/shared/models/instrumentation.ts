import { wordsIn } from "./words.ts";

const FOLDERS = new Set(["instrumentation", "instrumentations"]);

/**
 * Whether a module only watches what others call, by its folder (`instrumentation/openai/wrapper.ts`): what stands there for
 * a name that is missing is written to spans and metrics, unless a call of a model takes it.
 */
export function isInstrumentation(path: string): boolean {
  return path.split("/").slice(0, -1).some((folder) => wordsIn(folder).some((word) => FOLDERS.has(word)));
}
