import type { Call, Reference } from "@agentgate/parsers";

/** Whether a call can only be a method of text: `path.replace("a", "b")` of a `str | Path`, whose own `replace` takes one target. */
export function isTextMethod(call: Call, { module, path }: Reference): boolean {
  return module === "pathlib" && path.at(-1) === "replace" && call.arguments.length > 1;
}
