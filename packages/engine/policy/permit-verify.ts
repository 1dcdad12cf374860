import { readYaml } from "./located.ts";
import type { Located } from "./located.ts";
import type { NewPort } from "./permit-yaml.ts";
import { coversCapability, readPolicy } from "./policy.ts";
import type { PolicyPort } from "./policy.ts";

/** Whether a port differs from the new one in its capabilities at most. */
export function isSame(one: PolicyPort, port: NewPort): boolean {
  return one.path === port.path && one.owner === port.owner && one.note === port.note && (one.expires?.text ?? null) === port.expires;
}

/** The port in the new text; null where that says anything beyond it that the old one did not. */
export function portAfter(before: string, after: string, port: NewPort, missing: readonly string[] | null): PolicyPort | null {
  const read = readPolicy(after);
  if ("failure" in read) return null;
  const found = read.policy.ports.findLast((one) => isSame(one, port) && port.capabilities.every((capability) => coversCapability(one.capabilities, capability)));
  if (found === undefined) return null;
  return sameBut(plain(readYaml(before)), plain(readYaml(after)), port, missing) ? found : null;
}

type Plain = string | number | boolean | null | readonly Plain[] | ReadonlyMap<string, Plain>;

function plain(located: Located): Plain {
  if (located.kind === "scalar") return located.value;
  if (located.kind === "list") return located.items.map(plain);
  return new Map(located.entries.map((entry) => [entry.key, plain(entry.value)]));
}

function sameBut(before: Plain, after: Plain, port: NewPort, missing: readonly string[] | null): boolean {
  if (!(after instanceof Map)) return false;
  const expected = new Map(before instanceof Map ? before : [["version", 1 as Plain]]);
  const ports = (expected.get("ports") ?? []) as readonly Plain[];
  expected.set("ports", missing === null ? [...ports, plainPort(port)] : withMore(ports, port, missing));
  return serial(expected) === serial(after);
}

function plainPort(port: NewPort): Plain {
  const { expires, ...rest } = port;
  return new Map<string, Plain>(Object.entries(expires === null ? rest : { ...rest, expires }));
}

/** The ports with capabilities added to the first that is the same. */
function withMore(ports: readonly Plain[], port: NewPort, missing: readonly string[]): Plain {
  const index = ports.findIndex((one) => one instanceof Map && (one as ReadonlyMap<string, Plain>).get("path") === port.path && trimmed(one, "owner") === port.owner && trimmed(one, "note") === port.note && (one.get("expires") ?? null) === port.expires);
  return ports.map((one, at) => {
    if (at !== index || !(one instanceof Map)) return one;
    return new Map(one as ReadonlyMap<string, Plain>).set("capabilities", [...(one.get("capabilities") as readonly Plain[]), ...missing]);
  });
}

function trimmed(port: ReadonlyMap<string, Plain>, key: string): string {
  const value = port.get(key);
  return typeof value === "string" ? value.trim() : "";
}

/** The same text for the same values, whatever the order of keys. */
function serial(value: Plain): string {
  if (value instanceof Map) {
    const pairs = [...(value as ReadonlyMap<string, Plain>)].map(([key, one]) => `${JSON.stringify(key)}:${serial(one)}`);
    return `{${pairs.sort().join(",")}}`;
  }
  return Array.isArray(value) ? `[${(value as readonly Plain[]).map(serial).join(",")}]` : JSON.stringify(value);
}
