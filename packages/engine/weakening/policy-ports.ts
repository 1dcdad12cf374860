import { coversCapability } from "../policy/policy.ts";
import { endOfDay } from "../policy/formats.ts";
import type { Valid } from "../policy/validate.ts";
import { listAt, placeOf, textAt } from "./policy-document.ts";
import type { Keys } from "./policy-document.ts";
import type { PolicyPair } from "./policy-change.ts";
import type { Change, Place } from "./record.ts";

interface PortView {
  readonly path: string;
  readonly capabilities: readonly Valid[];
  readonly owner: string;
  /** Infinity: it does not expire. */
  readonly end: number;
  readonly expires: string;
  readonly keys: Keys;
}

/**
 * What the ports at head license beyond those of the base. All ports add up, so splitting, joining, sorting or
 * repeating them is no difference; a port is compared with whatever covered its modules before.
 */
export function portChanges(pair: PolicyPair): Change[] {
  const base = portsOf(pair.base);
  const same = new Set(base.map(identityOf));
  const changed = portsOf(pair.head).filter((port) => !same.has(identityOf(port)));
  const compared = changed.slice(0, MOST_COMPARED).flatMap((port) => changesOf(pair, base, port));
  return changed.length <= MOST_COMPARED ? compared : [...compared, furtherPorts(pair, changed.slice(MOST_COMPARED))];
}

/** More ports than anybody writes in one change; each is compared with all of the base. */
const MOST_COMPARED = 200;

function identityOf(port: PortView): string {
  return JSON.stringify([port.path, port.expires, port.capabilities.map((one) => one.value as string).sort()]);
}

function furtherPorts(pair: PolicyPair, ports: readonly PortView[]): Change {
  const message = `${ports.length} further ports are new or changed, too many to compare one by one. ${accept(pair, null)}`;
  return { kind: "port-added", at: placeOfKey(ports[0]!, "path"), message, subject: "further" };
}

function portsOf(keys: Keys): PortView[] {
  return (listAt(keys, "ports") ?? []).map((item) => {
    const port = item.value as Keys;
    const expires = textAt(port, "expires");
    return {
      path: textAt(port, "path") ?? "",
      capabilities: (listAt(port, "capabilities") ?? []),
      owner: textAt(port, "owner") ?? "",
      end: expires === undefined ? Infinity : endOfDay(expires) ?? Infinity,
      expires: expires ?? "never",
      keys: port,
    };
  });
}

function changesOf(pair: PolicyPair, base: readonly PortView[], port: PortView): Change[] {
  const more = port.capabilities.filter((capability) => !isCovered(pair, base, port, capability.value as string, -Infinity));
  const longer = port.capabilities.filter((capability) => !more.includes(capability) && !isCovered(pair, base, port, capability.value as string, port.end));
  return [...(more.length > 0 ? [wider(pair, base, port, more)] : []), ...(longer.length > 0 ? [extended(pair, base, port, longer)] : [])];
}

/** Whether ports of the base that hold through `end` license a capability wherever this port does. */
function isCovered(pair: PolicyPair, base: readonly PortView[], port: PortView, capability: string, end: number): boolean {
  const covering = base.filter((one) => one.end >= end && licenses(one, capability)).map((one) => one.path);
  return covering.length > 0 && !pair.globs.exceeds(port.path, covering);
}

function licenses(port: PortView, capability: string): boolean {
  return coversCapability(port.capabilities.map((one) => one.value as string), capability);
}

function wider(pair: PolicyPair, base: readonly PortView[], port: PortView, more: readonly Valid[]): Change {
  const names = more.map((one) => one.value as string);
  const subject = `${port.path} ${[...names].sort().join(" ")}`;
  const same = base.find((one) => one.path === port.path);
  const at = same === undefined ? placeOfKey(port, "path") : placeOf(more[0], names[0]!.length);
  const near = same ?? nearest(pair, base, port, names);
  if (near === undefined) {
    const message = `The port ${port.path} licenses ${names.join(", ")}, which nothing licensed there. ${accept(pair, null)}`;
    return { kind: "port-added", at, message, subject };
  }
  const now = near.path === port.path ? `${port.path} covered ${listOf(near)} and now covers ${names.join(", ")} too` : `${near.path} (${listOf(near)}) is now ${port.path} (${listOf(port)})`;
  const message = `The port ${now}. ${accept(pair, near)}`;
  return { kind: "port-widened", at, message, subject };
}

/** The port of the base that this one most likely was: it is gone or meets its modules, and has a capability in common. */
function nearest(pair: PolicyPair, base: readonly PortView[], port: PortView, names: readonly string[]): PortView | undefined {
  const left = new Set(portsOf(pair.head).map((one) => one.path));
  return base.find((one) => !left.has(one.path) && names.some((name) => licenses(one, name)) && pair.globs.meet(one.path, port.path));
}

function extended(pair: PolicyPair, base: readonly PortView[], port: PortView, longer: readonly Valid[]): Change {
  const names = longer.map((one) => one.value as string);
  const before = base.filter((one) => names.some((name) => licenses(one, name)) && pair.globs.meet(one.path, port.path));
  const old = before.reduce<PortView | undefined>((latest, one) => (latest === undefined || one.end > latest.end ? one : latest), undefined);
  const now = port.end === Infinity ? "does not expire" : `holds through ${port.expires}`;
  const message = `The port ${port.path} held through ${old?.expires ?? "an earlier day"} for ${names.join(", ")} and now ${now}. ${accept(pair, old ?? null)}`;
  return { kind: "port-extended", at: placeOfKey(port, port.keys.has("expires") ? "expires" : "path"), message, subject: `${port.path} ${port.expires} ${[...names].sort().join(" ")}` };
}

function placeOfKey(port: PortView, key: string): Place {
  return placeOf(port.keys.get(key), key.length);
}

function listOf(port: PortView): string {
  return port.capabilities.map((one) => one.value as string).join(", ");
}

/** The owner at the base: the one that a change names may be its own author. */
function accept(pair: PolicyPair, port: PortView | null): string {
  return `Take it back, or have ${port === null || port.owner === "" ? `an owner of ${pair.path}` : port.owner.trim()} accept it.`;
}
