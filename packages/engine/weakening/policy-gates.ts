import { listAt, placeOf, textAt } from "./policy-document.ts";
import type { Keys } from "./policy-document.ts";
import { loosened } from "./policy-change.ts";
import type { PolicyPair } from "./policy-change.ts";
import type { Change, Place } from "./record.ts";

/** A gate as the policy declares it. */
export interface DeclaredGate {
  readonly name: string;
  readonly module: string | null;
  readonly scope: "tree" | "importers";
  readonly at: Place;
}

/** The gates that a policy declares. */
export function declaredGates(keys: Keys): DeclaredGate[] {
  return (listAt(keys, "gates") ?? []).map((item) => {
    const gate = item.value as Keys;
    return {
      name: textAt(gate, "name") ?? "",
      module: textAt(gate, "module") ?? null,
      scope: textAt(gate, "scope") === "importers" ? "importers" : "tree",
      at: placeOf(gate.get("name"), 4),
    };
  });
}

/**
 * Gates that are gone or bind less, and gates added beside others: a write inside any of them counts as gated. The
 * first gate of a tree binds what was free.
 */
export function gateChanges(pair: PolicyPair): Change[] {
  const base = declaredGates(pair.base);
  const head = declaredGates(pair.head);
  const at = placeOf(pair.head.get("gates"), 5);
  const lost = base.filter((gate) => !head.some((other) => counterpart(gate, other)));
  const removed = lost.map((gate) => loosened(pair, "gates", at, { old: `with ${shownGate(gate)}`, now: "without it", why: "Writes outside of it are free again.", subject: shownGate(gate) }));
  const changed = head.flatMap((gate) => {
    const before = base.find((other) => counterpart(other, gate));
    if (before === undefined) return base.length === 0 ? [] : [added(pair, gate)];
    return before.scope === "tree" && gate.scope === "importers" ? [narrowed(pair, gate)] : [];
  });
  return [...removed, ...changed];
}

/** The same wrapper; naming its module where none was named lets fewer functions count. */
function counterpart(base: DeclaredGate, head: DeclaredGate): boolean {
  return base.name === head.name && (base.module === null || base.module === head.module);
}

function added(pair: PolicyPair, gate: DeclaredGate): Change {
  return loosened(pair, "gates", gate.at, { old: "without it", now: `with ${shownGate(gate)}`, why: "What is written inside of it counts as gated.", subject: `+${shownGate(gate)}` });
}

function narrowed(pair: PolicyPair, gate: DeclaredGate): Change {
  return loosened(pair, "gates.scope", gate.at, { old: "tree", now: "importers", why: `Modules that do not import ${gate.name} may write freely.`, subject: gate.name });
}

function shownGate(gate: DeclaredGate): string {
  return gate.module === null ? gate.name : `${gate.name} of ${gate.module}`;
}
