import type { Reference } from "@agentgate/parsers";
import type { ArgumentsView } from "./arguments.ts";
import type { Capability } from "./capability.ts";
import { namesIn } from "./format.ts";
import tails from "./data/distinctive-tails.json" with { type: "json" };
import verbs from "./data/http-verbs.json" with { type: "json" };

/** A group of the data file: ends of call paths that have a capability, and where that is documented. */
interface TailGroup {
  readonly source: string;
  readonly capability: string;
  readonly tails: string | readonly string[];
}

/** The groups of distinctive tails, as the data has them. */
export const TAIL_GROUPS: readonly TailGroup[] = tails.groups;

const TAILS = new Map(TAIL_GROUPS.flatMap((group) => namesIn(group.tails).map((tail) => [tail, group.capability as Capability] as const)));
const LONGEST_TAIL = 5;
/** Few names end a tail: the others need no path put together. */
const LAST_NAMES = new Set([...TAILS.keys()].map(lastName));

/**
 * The capability that the end of a call path tells by itself (`client.chat.completions.create` is `model`), for
 * handles whose type is unknown; null where it tells nothing. `tools` are the names added in agentgate.yml.
 */
export function distinctiveTail(path: readonly string[], tools: readonly string[] = []): Capability | null {
  const last = path.at(-1);
  if (last === undefined || (tools.length === 0 && !LAST_NAMES.has(lastName(last)))) return null;
  for (let length = Math.min(path.length, LONGEST_TAIL); length > 0; length -= 1) {
    const tail = path.slice(-length).join(".");
    const capability = TAILS.get(tail) ?? (tools.includes(tail) ? "tool" : undefined);
    if (capability !== undefined) return capability;
  }
  return null;
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}

const MUTATING = new Set(verbs.mutating.split(" "));
const SAFE = new Set(verbs.safe.split(" "));

/**
 * Whether a call of a `net` API sends a mutating HTTP verb: by the method's name (`httpx.post`), else by the verb
 * among its arguments (`requests.request("POST", …)`, `fetch(u, { method: "POST" })`). A verb that does not fold may
 * be any; null where no verb is in sight.
 */
export function sendsMutatingVerb(reference: Reference, call?: ArgumentsView): boolean | null {
  const last = reference.path.at(-1)?.toLowerCase() ?? "";
  if (MUTATING.has(last)) return true;
  if (SAFE.has(last)) return false;
  if (call === undefined) return null;
  const named = call.constants(null, "method");
  const given = named === "absent" ? firstVerb(call, last) : named;
  if (given === null) return true;
  if (given === "absent") return null;
  return given.some((verb) => typeof verb !== "string" || !SAFE.has(verb.toLowerCase()));
}

/** `request(verb, url)` and `stream(verb, url)` take the verb first; of other calls the first argument says nothing. */
function firstVerb(call: ArgumentsView, name: string): ReturnType<ArgumentsView["constants"]> {
  if (name !== "request" && name !== "stream") return "absent";
  const first = call.constants(0, null);
  if (first === null || first === "absent") return first;
  const isVerb = first.every((value) => typeof value === "string" && /^[a-z]+$/i.test(value));
  return isVerb ? first : "absent";
}
