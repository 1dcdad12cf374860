import type { Reference } from "@agentgate/parsers";
import type { ArgumentsView } from "./arguments.ts";
import type { Capability, CapabilityEntry } from "./capability.ts";
import { classify } from "./classify.ts";
import type { Entry } from "./format.ts";
import { catalogueOf, globalsCatalogue } from "./load.ts";
import { matchMember } from "./lookup.ts";
import { nameOf, type Language } from "./names.ts";
import { sendsMutatingVerb } from "./tails.ts";
import { verbOf } from "./verbs.ts";

/** What a call of a member does to the world: it changes or sends something, only reads or asks, or does nothing. */
export type Action = "read" | "write" | "pure";

const SERVICES: ReadonlySet<Capability> = new Set(["queue", "mail", "notify", "pay"]);
const CHANGES: ReadonlySet<Capability> = new Set(["db.write", "cloud.write", "fs.write", "fs.delete", "env.write"]);
const READS: ReadonlySet<Capability> = new Set(["db.read", "cloud.read", "fs.read", "env.read"]);

/**
 * What a call of an API does; null where the catalogue cannot tell: an unknown package, a name that tells no verb, an
 * HTTP request without a verb in sight, and what neither reads nor writes (a model, a process, a tool).
 *
 * Of a database or a cloud service the capability says it. A payment, a message, a mail or a queue is written to by the
 * members that its entry lists as `writes`, and by the verb of the others: `Charge.retrieve` moves no money.
 */
export function actionOf(
  language: Language,
  reference: Reference,
  additions: readonly CapabilityEntry[] = [],
  call?: ArgumentsView,
): Action | null {
  const result = classify(language, reference, additions, call);
  if (result.kind === "unclassified") return null;
  if (result.kind === "pure") return "pure";
  if (result.mixed || result.byVerb === true) return null;
  const { capabilities } = result;
  if (capabilities.some((capability) => CHANGES.has(capability))) return "write";
  if (capabilities.some((capability) => SERVICES.has(capability))) return ofService(language, reference);
  if (capabilities.some((capability) => READS.has(capability))) return "read";
  return capabilities.includes("net") ? ofRequest(reference, call) : null;
}

function ofRequest(reference: Reference, call: ArgumentsView | undefined): Action | null {
  const mutates = sendsMutatingVerb(reference, call);
  return mutates === null ? null : mutates ? "write" : "read";
}

function ofService(language: Language, reference: Reference): Action | null {
  const found = entryOf(language, reference);
  if (found === null) return verbOf(reference.path.slice(-1));
  const { entry, members } = found;
  if (entry.actions !== null) {
    const { verdict } = matchMember(entry.actions, { language, members, instance: reference.instance === true, call: undefined });
    if (verdict.kind === "capabilities") return verdict.capabilities.includes("db.write") ? "write" : "read";
  }
  return verbOf(members.slice(-1));
}

function entryOf(language: Language, reference: Reference): { readonly entry: Entry; readonly members: readonly string[] } | null {
  const name = nameOf(language, reference);
  if (name === null) return null;
  return (language === "ecmascript" && reference.module === "globalThis" ? globalsCatalogue() : catalogueOf(language)).find(name);
}
