import type { Valid } from "../policy/validate.ts";
import { mappingAt, placeOf, textAt } from "./policy-document.ts";
import type { Keys } from "./policy-document.ts";
import { loosened } from "./policy-change.ts";
import type { PolicyPair } from "./policy-change.ts";
import type { Change } from "./record.ts";

/** Contracts that the policy no longer looks for, no longer requires, or looks for elsewhere. */
export function contractChanges(pair: PolicyPair): Change[] {
  const base = mappingAt(pair.base, "contracts");
  const head = mappingAt(pair.head, "contracts");
  return [...new Set([...base.keys(), ...head.keys()])].flatMap((name) => changesOf(pair, name, base.get(name), head.get(name)));
}

function changesOf(pair: PolicyPair, name: string, before: Valid | undefined, after: Valid | undefined): Change[] {
  const old = before?.value as Keys | undefined ?? new Map<string, Valid>();
  const now = after?.value as Keys | undefined ?? new Map<string, Valid>();
  const at = placeOf(after, name.length);
  const changes: Change[] = [];
  if (old.get("required")?.value === true && now.get("required")?.value !== true) {
    changes.push(loosened(pair, `contracts.${name}.required`, at, { old: "true", now: "false", why: "The contract may be absent." }));
  }
  const from = textAt(old, "path") ?? (pair.hasDefaultContract(name) ? "its default place" : null);
  const to = textAt(now, "path") ?? "its default place";
  if (from !== null && from !== to) {
    changes.push(loosened(pair, `contracts.${name}.path`, placeOf(now.get("path") ?? after, 4), { old: from, now: to, why: "Another file counts as the contract." }));
  }
  return changes;
}
