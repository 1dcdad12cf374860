import { constantHead, constantsOf, functionsOf, referencesOf } from "@agentgate/parsers";
import type { Call, CallId, ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import data from "../../data/timeouts.json" with { type: "json" };
import { bare, originsOf, someIngredient } from "../expressions.ts";
import { alwaysLeaves, callPlaces } from "../statements.ts";
import type { TimeoutDefault } from "./defaults.ts";
import { isOfKind } from "./made.ts";
import { lastName, optionIn } from "./options.ts";

/** Whether what a call is given shows that it goes to no network: an address of this machine, a path, inline data. */
export function isLocal(facts: ModuleFacts, id: CallId, { local }: TimeoutDefault, made: readonly ValueId[]): boolean {
  const call = facts.calls[id]!;
  const first = call.arguments[0];
  if (asksThisMachine(facts, call)) return true;
  if (local === undefined) return false;
  if (first !== undefined && local.heads !== undefined && startsWithOne(facts, id, first.value, local.heads)) return true;
  if (local.options?.some((name) => call.arguments.some((argument) => argument.name === name || typeof optionIn(facts, argument.value, name) === "number")) === true) return true;
  if (local.hosts !== undefined && namesHost(facts, call, local.hosts)) return true;
  if (local.addresses === true && first !== undefined && facts.values[first.value]?.kind === "string") return true;
  if (local.ports === true && first !== undefined && isAlone(facts, call) && isPort(facts, first.value)) return true;
  if (local.paths === true && first !== undefined && isAlone(facts, call) && namesPath(facts, first.value)) return true;
  return made.some((maker) => someIngredient(facts, maker, (_value, inner) => isOfKind(referencesOf(facts, inner), local.apis ?? [])));
}

const OF_THIS_MACHINE = data.thisMachine.schemes.flatMap((scheme) => data.thisMachine.hosts.map((host) => `${scheme}://${host}`));

/**
 * `get("http://localhost:8001/rows")`, `request("GET", f"{self.address}/rows")`: an address that the code only ever gives
 * as one of this machine's own. What follows the host has to be seen too, or it may be the head of another one.
 */
function asksThisMachine(facts: ModuleFacts, call: Call): boolean {
  const [first, second] = call.arguments.filter(({ name }) => name === undefined);
  const given = call.arguments.find(({ name }) => name === "url")?.value ?? (isVerb(facts, first?.value ?? -1) ? second : first)?.value;
  if (given === undefined) return false;
  const option = optionIn(facts, given, "url");
  const address = typeof option === "number" ? option : given;
  const head = constantHead(facts, address);
  return OF_THIS_MACHINE.some((each) => head.startsWith(each) && (head === each ? constantsOf(facts, address) !== null : ":/?#".includes(head[each.length]!)));
}

function isVerb(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[id];
  return value?.kind === "string" && /^[A-Z]+$/i.test(value.value);
}

/** The first argument has none beside it but a listener. */
function isAlone(facts: ModuleFacts, call: Call): boolean {
  const [, second, ...more] = call.arguments;
  return second === undefined || (more.length === 0 && functionsOf(facts, second.value).length > 0);
}

/** `connect(port)`, `connect({ port })`: without a host it is this machine. */
function isPort(facts: ModuleFacts, id: ValueId): boolean {
  const { values, complete } = originsOf(facts, id);
  if (complete && values.every((origin) => facts.values[origin]?.kind === "table")) return typeof optionIn(facts, id, "port") === "number" && optionIn(facts, id, "host") === "absent";
  return /^_?(?:[a-z\d]+_)*port$|[a-z\d]Port$/i.test(lastName(facts, id)) || values.every((origin) => facts.values[origin]?.kind === "number");
}

/** `connect(this.socketPath)`: an address that is the path of a local socket. */
function namesPath(facts: ModuleFacts, id: ValueId): boolean {
  return /^_?(?:(?:unix|ipc|sock|socket|pipe)_?)*path$/i.test(lastName(facts, id));
}

/** Whether the address is written as one of this machine's own: `("127.0.0.1", port)`, `{ host: "localhost" }`. */
function namesHost(facts: ModuleFacts, call: Call, hosts: readonly string[]): boolean {
  return addressesOf(facts, call).some((id) => hosts.includes(String(constantsOf(facts, id)?.[0]?.value ?? "")));
}

/** What may be the host among the arguments: each of them, the first part of a pair, the host of options. */
export function addressesOf(facts: ModuleFacts, call: Call): readonly ValueId[] {
  return call.arguments.flatMap(({ value }) => {
    const [given] = originsOf(facts, value).values;
    const written = given === undefined ? undefined : facts.values[given];
    if (written?.kind === "list") return written.items.slice(0, 1);
    const option = written?.kind === "table" ? optionIn(facts, value, "host") : value;
    return typeof option === "number" ? [option] : [];
  });
}

/** Text that begins so, as it is written or by a test that every way to the call has passed. */
function startsWithOne(facts: ModuleFacts, call: CallId, id: ValueId, heads: readonly string[]): boolean {
  const head = constantHead(facts, id);
  if (heads.some((each) => head.startsWith(each))) return true;
  return testsPassed(facts, call).some(({ test, outcome }) => {
    const [asked, expected] = withoutNot(facts, test, outcome);
    const check = expected && asked?.kind === "call" ? facts.calls[asked.call]! : undefined;
    const callee = check === undefined ? undefined : facts.values[check.callee];
    if (check === undefined || callee?.kind !== "member" || !/^starts_?with$/i.test(callee.property ?? "")) return false;
    return isSameName(facts, callee.object, id) && areHeads(facts, check.arguments[0]?.value ?? -1, heads);
  });
}

/** `"data:"`, and a tuple of several. */
function areHeads(facts: ModuleFacts, id: ValueId, heads: readonly string[]): boolean {
  const given = facts.values[bare(facts, id)];
  const parts = given?.kind === "list" ? given.items : [id];
  return parts.length > 0 && parts.every((part) => constantsOf(facts, part)?.every(({ value }) => heads.some((each) => String(value).startsWith(each))) === true);
}

interface Passed {
  readonly test: ValueId;
  readonly outcome: boolean;
}

/** The tests in whose branch a call stands, and those before it whose other branch leaves. */
function testsPassed(facts: ModuleFacts, call: CallId): readonly Passed[] {
  const passed: Passed[] = [];
  const place = callPlaces(facts, facts.calls[call]!.function).get(call);
  for (let at = place ?? null; at !== null; at = at.above) {
    const above = at.above?.body[at.above.index];
    if (above?.kind === "test") passed.push({ test: above.test, outcome: above.then === at.body });
    for (const before of at.body.slice(0, at.index)) {
      if (before.kind !== "test") continue;
      if (alwaysLeaves(before.then)) passed.push({ test: before.test, outcome: false });
      else if (alwaysLeaves(before.else)) passed.push({ test: before.test, outcome: true });
    }
  }
  return passed;
}

function withoutNot(facts: ModuleFacts, test: ValueId, outcome: boolean): readonly [Value | undefined, boolean] {
  const value = facts.values[test];
  return value?.kind === "unary" && value.operator === "not" ? [facts.values[value.value], !outcome] : [value, outcome];
}

function isSameName(facts: ModuleFacts, left: ValueId, right: ValueId): boolean {
  const [one, other] = [facts.values[left], facts.values[right]];
  return one?.kind === "name" && other?.kind === "name" && one.binding >= 0 && one.binding === other.binding;
}
