import { classify, isStrictOnly } from "@agentgate/rules";
import { listAt, placeOf, textAt } from "./policy-document.ts";
import type { Keys } from "./policy-document.ts";
import { loosened } from "./policy-change.ts";
import type { PolicyPair } from "./policy-change.ts";
import type { Change, Place } from "./record.ts";

interface Entry {
  readonly api: string;
  readonly capability: string;
  readonly at: Place;
}

/** Entries that are gone or changed, and those that take an API out of sight or give one of the catalogue another capability. */
export function capabilityChanges(pair: PolicyPair): Change[] {
  const base = entriesOf(pair.base);
  const head = entriesOf(pair.head);
  const at = placeOf(pair.head.get("capabilities"), "capabilities".length);
  const removed = [...base.values()].filter((entry) => entry.capability !== "pure" && !head.has(entry.api));
  const changes = removed.map((entry) => loosened(pair, "capabilities", at, { old: `with ${entry.api} as ${entry.capability}`, now: "without it", why: "The API is judged as if nobody knew it.", subject: `-${entry.api}` }));
  return [...changes, ...[...head.values()].flatMap((entry) => entryChanges(pair, entry, base.get(entry.api)))];
}

/** By API; of two entries for one API the later one is kept, and a repeated one is compared as it is. */
function entriesOf(keys: Keys): Map<string, Entry> {
  return new Map((listAt(keys, "capabilities") ?? []).map((item) => {
    const entry = item.value as Keys;
    const api = textAt(entry, "api") ?? "";
    return [api, { api, capability: textAt(entry, "capability") ?? "", at: placeOf(entry.get("capability"), "capability".length) }];
  }));
}

function entryChanges(pair: PolicyPair, entry: Entry, before: Entry | undefined): Change[] {
  const now = `${entry.api} as ${entry.capability}`;
  if (before !== undefined) {
    if (before.capability === entry.capability || before.capability === "pure") return [];
    return [loosened(pair, "capabilities", entry.at, { old: `${entry.api} as ${before.capability}`, now, why: "What the API does is judged as something else.", subject: now })];
  }
  // What is reported under strict only, or never, goes out of sight.
  if (entry.capability === "pure" || isStrictOnly(entry.capability)) return [loosened(pair, "capabilities", entry.at, { old: "without it", now: `with ${now}`, why: "Its use is no finding any more.", subject: now })];
  const known = catalogued(entry);
  if (known === null) return [];
  return [loosened(pair, "capabilities", entry.at, { old: `${entry.api} as ${known} (the catalogue)`, now, why: "The catalogue's own entry no longer holds.", subject: now })];
}

/** What the catalogue knows of an API that an entry gives another capability; null where it knows nothing else. */
function catalogued({ api, capability }: Entry): string | null {
  const [module, ...path] = api.split(".");
  const known = (["python", "ecmascript"] as const).flatMap((language) => {
    const classified = classify(language, { module: module!, path });
    return classified.kind === "capability" ? classified.capabilities : [];
  });
  const others = known.filter((one) => one !== capability);
  return others.length === 0 ? null : [...new Set(others)].join(", ");
}
