import type { Capability } from "../../catalogue/capability.ts";
import type { ReachedEffect } from "./effect.ts";

/** What an effect does with its API, to go between a name and the API: "posts with httpx.post". */
const DOES: Partial<Record<Capability, string>> = {
  "db.write": "writes to a database with",
  "cloud.write": "changes a cloud service with",
  "fs.write": "writes files with",
  "fs.delete": "deletes files with",
  "queue": "publishes with",
  "mail": "sends mail with",
  "notify": "notifies people with",
  "pay": "moves money with",
  "env.write": "changes the environment with",
  "model": "calls a model with",
  "tool": "dispatches a tool with",
  "proc": "starts a process with",
};

/** `ledger.credit, which posts with httpx.post`; of an effect that the call is itself, its API alone. */
export function reachedPhrase({ effect, steps }: ReachedEffect): string {
  const [first] = steps;
  if (first === undefined) return effect.api;
  const does = effect.capability === "net" ? netPhrase(effect) : DOES[effect.capability] ?? "uses";
  return `${first.name}, which ${does} ${effect.api}`;
}

/** A POST may ask as well as write, and of an open verb no more is known than that something is sent. */
function netPhrase({ writes, sends }: ReachedEffect["effect"]): string {
  if (!writes) return "talks to the network with";
  return sends === "post" ? "posts with" : sends === "change" ? "sends a write with" : "sends a request with";
}
