import type { Reference } from "@agentgate/parsers";
import type { Capability } from "../catalogue/capability.ts";
import { distinctiveTail } from "../catalogue/tails.ts";
import listed from "./result-calls.json" with { type: "json" };

const CALLS = new Map<Capability, ReadonlySet<string>>([
  ["net", new Set(listed.net.split(" "))], ["model", new Set(listed.model.split(" "))], ["proc", new Set(listed.proc.split(" "))],
]);

/** No name of an API is longer; a hostile chain may be as long as its file. */
const LONGEST = 12;

/** `import urllib.request`: its first name is a module. */
const MODULES = new Set(["urllib.request"]);

/**
 * How much of a path is the call that did the I/O and gave a result: 1 for `post.json.get` of `requests`, 2 for
 * `Session.post.json`; null where no such call is in sight. What comes behind it works on the result.
 */
export function resultCall({ module, path }: Pick<Reference, "module" | "path">, capability: Capability): number | null {
  const calls = CALLS.get(capability);
  if (calls === undefined) return null;
  const first = MODULES.has(`${module}.${path[0] ?? ""}`) ? 2 : 1;
  for (let length = first; length <= Math.min(path.length, LONGEST); length++) {
    if (calls.has(path[length - 1]!) || (capability === "model" && distinctiveTail(path.slice(0, length)) === "model")) return length;
  }
  return null;
}
