import type { Call, CallId, ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import { classify } from "../../catalogue/classify.ts";
import listed from "../../data/deny-hosts.json" with { type: "json" };
import type { RuleContext } from "../../rule.ts";
import { effectsOf } from "../effects/index.ts";
import { SERVERS, SERVER_NAMES } from "../effects/vocabulary.ts";
import { apiName, bare, someIngredient } from "../expressions.ts";
import { writesName } from "../names.ts";
import { bareHostOf, denialOf, distinctiveLabels, hostOf, isOnThisMachine } from "./hosts.ts";
import type { Denial } from "./hosts.ts";
import { ownAttribute } from "../selves.ts";
import { entriesOf } from "./options.ts";
import { isHeldByItsName, isNamedAround, isOwnSetting, isServiceOf, isServiceOfPackage, isSettingOfModule } from "./owners.ts";
import { fallen, settingOf } from "./settings.ts";
import type { Way } from "./settings.ts";
import { lastName } from "./talks.ts";
import { isSettingOfAddress, looksUp, makesThings, namesMode, namesProduction, onlyLabels, takesAddress, targetKind } from "./words.ts";

/** An address in the code that a request or client goes to. */
export interface Address {
  readonly value: ValueId;
  readonly host: string;
  readonly call: CallId;
  /** Why it is on the deny list; null where it is only what a setting falls back to. */
  readonly denial: Denial | null;
  /** The setting, where there is one: `API_BASE`. */
  readonly setting: string | null;
}

const MOST_STEPS = 80;

/** Addresses of requests and clients that are denied, or that stand in for a setting which is not given. */
export function addressesIn(facts: ModuleFacts, context: RuleContext): readonly Address[] {
  const found = new Map<ValueId, Address>();
  if (!writesName(facts, mayBeAddress)) return [];
  facts.calls.forEach((call, id) => {
    for (const slot of addressSlots(facts, context, call, id)) {
      for (const address of addressesBehind(facts, context, slot, id)) if (!found.has(address.value)) found.set(address.value, address);
    }
  });
  return [...found.values()];
}

/** Whether a text names a host, so that it can be what is looked for: written whole, or the beginning of an address. */
function mayBeAddress(text: string): boolean {
  if (hostOf(text) !== null) return true;
  const host = /[.:[]|^localhost/i.test(text) ? bareHostOf(text) : null;
  return host !== null && (host === "localhost" || /[.:[]/.test(host)) && !/^\.*$/.test(host);
}

/** What a request or a client of the network or of a model is given as its address. */
export function addressSlots(facts: ModuleFacts, context: RuleContext, call: Call, id: CallId): readonly ValueId[] {
  const named = call.arguments.flatMap(({ name, value }) => (name === undefined ? optionAddresses(facts, value) : targetKind(name) === "address" ? [value] : []));
  const first = firstAddress(facts, call);
  // Few calls are given either, so that what they do need not be asked.
  if (named.length === 0 && first === undefined) return NO_SLOTS;
  const requests = effectsOf(facts, context).ofCall(id).some((effect) => effect.capability === "net");
  if (named.length === 0 && !requests) return NO_SLOTS;
  // What only puts options together asks nothing: `createConfig`.
  const operation = lastName(facts, call.callee);
  if (/config(?:uration)?$/i.test(operation)) return NO_SLOTS;
  // Neither does what only looks up where a provider is.
  if (!takesAddress(operation) && !makesThings(operation) && looksUp(operation)) return NO_SLOTS;
  if (call.references.some(({ module }) => onlyLabels(module, operation))) return NO_SLOTS;
  if (isServer(facts, call) || !(requests || isClient(facts, context, call))) return NO_SLOTS;
  return requests && first !== undefined ? [...named, first] : named;
}

const NO_SLOTS: readonly ValueId[] = [];

/** What a call by the name of a request is given as its address by place. */
function firstAddress(facts: ModuleFacts, call: Call): ValueId | undefined {
  const operation = lastName(facts, call.callee);
  if (!takesAddress(operation)) return undefined;
  const positional = call.arguments.filter((argument) => argument.name === undefined);
  const verb = (operation === "request" || operation === "stream") && positional.length > 1 ? 1 : 0;
  const first = positional[verb]?.value;
  return first === undefined || facts.values[first]?.kind === "table" ? undefined : first;
}

function optionAddresses(facts: ModuleFacts, id: ValueId): readonly ValueId[] {
  return entriesOf(facts, id).filter(({ name }) => targetKind(name) === "address").map(({ value }) => value);
}

const CLIENTS = new Set(["net", "model", "cloud.read", "cloud.write"]);

/** Clients of a service of their own; any other goes wherever it is told. */
const OF_SERVICES = new Set(["model", "cloud.read", "cloud.write"]);

function isClient(facts: ModuleFacts, context: RuleContext, call: Call, kinds: ReadonlySet<string> = CLIENTS): boolean {
  return call.references.some((reference) => {
    const answer = classify(facts.language, reference, context.capabilities);
    return answer.kind === "capability" && answer.capabilities.some((capability) => kinds.has(capability));
  });
}

/** A server is given the address that it listens on. */
function isServer(facts: ModuleFacts, call: Call): boolean {
  if (SERVER_NAMES.has(lastName(facts, call.callee))) return true;
  return call.references.some((reference) => {
    const name = apiName(reference);
    return SERVERS[facts.language].has(reference.module) || [...SERVERS[facts.language]].some((server) => name.startsWith(`${server}.`)) || SERVER_NAMES.has(reference.path.at(-1) ?? "");
  });
}

/** The addresses that an expression can be, where they are denied or stand in for a setting. `call` is -1 where none is known. */
export function addressesBehind(facts: ModuleFacts, context: RuleContext, slot: ValueId, call: CallId): readonly Address[] {
  const found: Address[] = [];
  const seen = new Set<ValueId>();
  const pending: Way[] = [{ id: slot, setting: null, weak: false }];
  while (pending.length > 0 && seen.size < MOST_STEPS) {
    const way = pending.pop()!;
    const id = bare(facts, way.id);
    const value = facts.values[id];
    if (value === undefined || seen.has(id)) continue;
    seen.add(id);
    const written = writtenHost(facts, id, value);
    if (written === "chosen") continue;
    if (written === null) pending.push(...behind(facts, id, value, way));
    else found.push(...addressAt(facts, context, written, way, call));
  }
  return found;
}

function addressAt(facts: ModuleFacts, context: RuleContext, { value, host }: { readonly value: ValueId; readonly host: string }, { setting, weak }: Way, call: CallId): readonly Address[] {
  const denial = denialOf(host, context.denyHosts);
  if (denial !== "policy" && (isOnThisMachine(host) || isForDevelopmentOnly(facts, value))) return [];
  if (denial === null && (setting === null || !isOfAnother(facts, context, { value, host, call, setting, weak }))) return [];
  return [{ value, host, call, denial, setting }];
}

/** Whether what stands in for a setting is the service of somebody else than the setting, the client and the module name. */
function isOfAnother(facts: ModuleFacts, context: RuleContext, { value, host, call, setting, weak }: { readonly value: ValueId; readonly host: string; readonly call: CallId; readonly setting: string; readonly weak: boolean }): boolean {
  if (isFile(facts, value, host) || isOwnSetting(setting, host) || isSettingOfModule(setting, context.path, host)) return false;
  if (isServiceOfPackage(context.tree.packageOf?.(context.path) ?? "", host)) return false;
  return weak ? isMadeForOthers(facts, context, call, host) && !isHeldByItsName(facts, value, host) : isSettingOfAddress(setting) && !isServiceOf(facts, context.path, call, host);
}

/**
 * A library may have its own service's address as a default. A client of somebody else that is given another address than
 * its own has it for a reason.
 */
function isMadeForOthers(facts: ModuleFacts, context: RuleContext, call: CallId, host: string): boolean {
  const entry = facts.calls[call];
  if (entry === undefined || takesAddress(lastName(facts, entry.callee)) || !isClient(facts, context, entry, OF_SERVICES) || effectsOf(facts, context).ofCall(call).some((effect) => effect.capability === "net")) return false;
  return !isNamedAround(facts, context.path, call, distinctiveLabels(host)) && !isServiceOf(facts, context.path, call, host);
}

const FILE_HOSTS = new Set(listed.files.hosts);
const FILE = new RegExp(`^[a-z]+://[^/?#]+/[^?#]+\\.(?:${listed.files.endings.join("|")})$`, "i");

/** A file that is only read. */
function isFile(facts: ModuleFacts, id: ValueId, host: string): boolean {
  const text = facts.values[id];
  return FILE_HOSTS.has(host) || (text?.kind === "string" && FILE.test(text.value));
}

/** The text that names a host, where the host and its port are written out. */
function writtenHost(facts: ModuleFacts, id: ValueId, value: Value): { readonly value: ValueId; readonly host: string } | "chosen" | null {
  if (value.kind === "string") {
    const host = hostOf(value.value) ?? bareHostOf(value.value);
    // One word is a name of something else, but for this machine's own.
    return host === null || !(/[.:[]/.test(host) || host === "localhost") ? null : { value: id, host };
  }
  if (value.kind !== "template" && !(value.kind === "binary" && value.operator === "+")) return null;
  const piece = headOf(facts, id);
  const text = facts.values[piece];
  const host = text?.kind === "string" ? hostOf(text.value) : null;
  // A port or label that is put in: something that the program itself started, or a choice.
  if (text?.kind === "string" && /^[a-z]+:\/\/[^/]*$/i.test(text.value) && !/:\d+$/.test(text.value)) return "chosen";
  return host === null ? null : { value: piece, host };
}

/** The first piece of text of an address that is put together. */
function headOf(facts: ModuleFacts, id: ValueId): ValueId {
  let current = id;
  for (let step = 0; step < 32; step++) {
    const value = facts.values[current];
    if (value?.kind === "binary") current = value.left;
    else if (value?.kind === "template" && value.parts.length > 0) current = value.parts[0]!;
    else return current;
  }
  return current;
}

function behind(facts: ModuleFacts, id: ValueId, value: Value, way: Way): readonly Way[] {
  switch (value.kind) {
    case "name":
      return behindName(facts, value, way);
    case "member":
      return ownAttribute(facts, id).map((given, _index, all) => ({ ...way, id: given, weak: way.weak || isField(facts, given, all) }));
    case "template":
      return value.parts.slice(0, 1).map((part) => ({ ...way, id: part }));
    case "binary":
      return value.operator === "+" ? [{ ...way, id: value.left }] : [];
    case "logical":
      return value.operator === "and" ? [] : [{ ...way, id: value.left }, fallen(facts, value.left, { ...way, id: value.right })];
    case "conditional":
      return isMode(facts, value.test) ? [] : [value.then, value.else].map((branch) => ({ ...way, id: branch }));
    case "call":
      return behindCall(facts, facts.calls[value.call]!, way);
    default:
      return [];
  }
}

/**
 * `base_url: str = "http://…"` in a class that is made from its fields, or a field that the class is given otherwise, too:
 * what an object has where nothing else is said.
 */
function isField(facts: ModuleFacts, given: ValueId, all: readonly ValueId[]): boolean {
  const owner = facts.classes.find(({ fields }) => fields.some(({ value }) => value === given));
  if (owner === undefined) return false;
  return all.length > 1 || (facts.language === "python" && (owner.bases.length > 0 || owner.decorators.length > 0));
}

/** A choice between development and use is no fallback. */
function isMode(facts: ModuleFacts, test: ValueId, names = namesMode): boolean {
  return someIngredient(facts, test, (value) => {
    if (value.kind === "name") return names(value.name);
    if (value.kind === "string") return names(value.value);
    return value.kind === "member" && value.property !== null && names(value.property);
  }, 30);
}

/** `if production: return` before it in its function: what follows runs in development alone. */
function isForDevelopmentOnly(facts: ModuleFacts, id: ValueId): boolean {
  const [start, end] = facts.values[id]!.span;
  const owner = facts.functions.findLast(({ span }, index) => index > 0 && span[0] <= start && end <= span[1]);
  return owner?.body.some((statement) => {
    if (statement.kind !== "test" || facts.values[statement.test]!.span[1] > start) return false;
    const last = statement.then.at(-1)?.kind;
    return (last === "return" || last === "jump") && asksForProduction(facts, statement.test);
  }) === true;
}

/** `process.env.NODE_ENV === "production"`, `PRODUCTION_MODE in ("1", "true")`; not its opposite. */
function asksForProduction(facts: ModuleFacts, test: ValueId): boolean {
  const value = facts.values[test];
  if (value?.kind === "unary" || (value?.kind === "binary" && /^(?:!=|not\b|is not)/.test(value.operator))) return false;
  return isMode(facts, test, namesProduction);
}

function behindName(facts: ModuleFacts, value: Extract<Value, { kind: "name" }>, way: Way): readonly Way[] {
  const binding = facts.bindings[value.binding];
  if (binding === undefined) return [];
  const ways = binding.values.map((id) => ({ ...way, id }));
  const parameter = facts.values[binding.values[0] ?? -1];
  const written = parameter?.kind === "parameter" ? facts.functions[parameter.function]?.parameters[parameter.index]?.default ?? null : null;
  return written === null ? ways : [...ways, { id: written, setting: way.setting ?? binding.name, weak: way.setting === null || way.weak }];
}

const TEXT_METHODS = new Set(["rstrip", "strip", "lstrip", "replace", "removesuffix", "trim", "trimEnd", "toString", "lower", "toLowerCase", "replaceAll", "href", "format", "join"]);
const WRAPPERS = new Set(["urljoin", "URL", "str", "String", "urlparse", "HttpUrl", "AnyUrl"]);

function behindCall(facts: ModuleFacts, call: Call, way: Way): readonly Way[] {
  const name = lastName(facts, call.callee);
  const fallback = call.arguments.find((argument) => argument.name === "default") ?? call.arguments[1];
  const setting = settingOf(facts, call);
  if (setting !== null) return fallback === undefined ? [] : [{ id: fallback.value, setting, weak: false }];
  const callee = facts.values[call.callee];
  if (callee?.kind === "member" && TEXT_METHODS.has(name)) return [{ ...way, id: callee.object }];
  if (!WRAPPERS.has(name)) return [];
  // `new URL(path, base)`, `urljoin(base, path)`.
  const base = name === "URL" ? call.arguments[1] ?? call.arguments[0] : call.arguments[0];
  return base === undefined ? [] : [{ ...way, id: base.value }];
}
