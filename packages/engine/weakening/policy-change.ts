import { DEFAULT_EXCLUDE } from "../discovery/exclude.ts";
import type { Valid } from "../policy/validate.ts";
import { POLICY_DIRECTIONS } from "./directions.ts";
import type { Direction } from "./directions.ts";
import { capabilityChanges } from "./policy-capabilities.ts";
import { contractChanges } from "./policy-contracts.ts";
import { gateChanges } from "./policy-gates.ts";
import { portChanges } from "./policy-ports.ts";
import { severityChanges } from "./policy-severities.ts";
import { listAt, mappingAt, placeOf } from "./policy-document.ts";
import type { Keys } from "./policy-document.ts";
import type { GlobWidth } from "./globs.ts";
import type { Change, Place } from "./record.ts";

/** Two policies and what their comparison needs to know. */
export interface PolicyPair {
  readonly base: Keys;
  readonly head: Keys;
  /** Where the policy lies, for messages. */
  readonly path: string;
  readonly globs: GlobWidth;
  /** Whether the merge base has one of the files in which a contract lies by default. */
  readonly hasDefaultContract: (contract: string) => boolean;
}

/** What is new beyond this number counts as looser without a look: nobody writes so many. */
const MOST_COMPARED = 200;

/** Everything in which the policy at head is looser than at the base, by the direction of each key. */
export function policyChanges(pair: PolicyPair): Change[] {
  const simple = [...POLICY_DIRECTIONS].flatMap(([key, direction]) => keyChanges(pair, key, direction));
  return [...excludeChanges(pair), ...simple, ...portChanges(pair), ...gateChanges(pair), ...capabilityChanges(pair), ...contractChanges(pair), ...severityChanges(pair)];
}

/** A key of the policy that moved: `old` and `now` as shown to people. */
export function loosened(pair: Pick<PolicyPair, "path">, key: string, at: Place, change: { readonly old: string; readonly now: string; readonly why: string; readonly subject?: string }): Change {
  const message = `\`${key}\`: ${change.old} before, ${change.now} now. ${change.why} Take it back, or have an owner of ${pair.path} accept it.`;
  return { kind: "policy-loosened", at, message, subject: `${key} ${change.subject ?? change.now}` };
}

/** A value of the policy inside a message: one line, bounded. */
export function shown(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

function keyChanges(pair: PolicyPair, key: string, direction: Direction): Change[] {
  switch (direction.by) {
    case "flag":
      return scalarChange(pair, key, direction, (old, now) => old === direction.strict && now !== direction.strict);
    case "number":
      return scalarChange(pair, key, direction, (old, now) => (direction.looser === "higher" ? Number(now) > Number(old) : Number(now) < Number(old)));
    case "order":
      return scalarChange(pair, key, direction, (old, now) => direction.order.indexOf(String(now)) > direction.order.indexOf(String(old)));
    case "list":
      return direction.looser === "more" ? addedChanges(pair, key, direction, () => true) : removedChanges(pair, key, direction);
    case "globs-list":
      return addedChanges(pair, key, direction, (one, others) => pair.globs.exceeds(one, others));
    default:
      return [];
  }
}

function scalarChange(pair: PolicyPair, key: string, direction: Direction & { readonly default: unknown }, isLooser: (old: unknown, now: unknown) => boolean): Change[] {
  const head = valid(pair.head, key);
  const old = valid(pair.base, key)?.value ?? direction.default;
  const now = head?.value ?? direction.default;
  if (!isLooser(old, now)) return [];
  const suffix = head === undefined ? " (the default)" : "";
  return [loosened(pair, key, placeOf(head, lastName(key).length), { old: shown(old), now: `${shown(now)}${suffix}`, why: direction.loosens })];
}

function addedChanges(pair: PolicyPair, key: string, direction: Direction, isMore: (one: string, others: readonly string[]) => boolean): Change[] {
  const old = texts(pair.base, key);
  const known = new Set(old);
  const fresh = (list(pair.head, key) ?? []).filter((item) => !known.has(item.value as string));
  return fresh.filter((item, index) => index >= MOST_COMPARED || isMore(item.value as string, old)).map((item) => {
    const text = shown(item.value);
    return loosened(pair, key, placeOf(item, text.length), { old: without(old), now: `with ${text}`, why: direction.loosens });
  });
}

function removedChanges(pair: PolicyPair, key: string, direction: Direction): Change[] {
  const now = new Set(texts(pair.head, key));
  const at = placeOf(valid(pair.head, key), lastName(key).length);
  return texts(pair.base, key).filter((one) => !now.has(one)).map((one) => loosened(pair, key, at, { old: `with ${shown(one)}`, now: `without ${shown(one)}`, why: direction.loosens }));
}

/** `exclude` and `extendExclude` together: where a glob stands makes no difference. */
function excludeChanges(pair: PolicyPair): Change[] {
  const old = excluded(pair.base).map((one) => one.glob);
  const known = new Set(old);
  const fresh = excluded(pair.head).filter(({ glob }) => !known.has(glob));
  const direction = POLICY_DIRECTIONS.get("exclude")!;
  return fresh.filter(({ glob }, index) => index >= MOST_COMPARED || pair.globs.exceeds(glob, old)).map(({ glob, key, at }) =>
    loosened(pair, key, at, { old: "without it", now: `with ${shown(glob)}`, why: direction.loosens, subject: glob }));
}

function excluded(keys: Keys): { readonly glob: string; readonly key: string; readonly at: Place }[] {
  const own = listAt(keys, "exclude");
  const more = (listAt(keys, "extendExclude") ?? []).map((item) => excludedBy(item, "extendExclude"));
  const first = own === undefined ? DEFAULT_EXCLUDE.map((glob) => ({ glob, key: "exclude", at: placeOf(undefined) })) : own.map((item) => excludedBy(item, "exclude"));
  return [...first, ...more];
}

function excludedBy(item: Valid, key: string): { readonly glob: string; readonly key: string; readonly at: Place } {
  const glob = item.value as string;
  return { glob, key, at: placeOf(item, glob.length) };
}

/** What stands at a dotted key. */
function valid(keys: Keys, key: string): Valid | undefined {
  const [first, second] = key.split(".");
  return second === undefined ? keys.get(first!) : mappingAt(keys, first!).get(second);
}

function list(keys: Keys, key: string): readonly Valid[] | undefined {
  const value = valid(keys, key)?.value;
  return Array.isArray(value) ? (value as readonly Valid[]) : undefined;
}

function texts(keys: Keys, key: string): readonly string[] {
  return (list(keys, key) ?? []).map((item) => item.value as string);
}

function without(old: readonly string[]): string {
  if (old.length === 0) return "empty";
  return old.length === 1 ? shown(old[0]) : `${old.length} entries`;
}

function lastName(key: string): string {
  return key.slice(key.lastIndexOf(".") + 1);
}
