import { constantsOf, referencesOf } from "@agentgate/parsers";
import type { Call, CallId, ModuleFacts, Reference, Span, Value, ValueId } from "@agentgate/parsers";
import type { Capability } from "../catalogue/capability.ts";
import { classify } from "../catalogue/classify.ts";
import { codeMessage, foreignScriptMessage, memberMessage, scriptMessage, writtenScriptMessage } from "./dynamic-messages.ts";
import { consumerOf, memberWrites } from "./consumers.ts";
import type { MemberWrite } from "./consumers.ts";
import { problem, silent, siteOf } from "./dynamic-site.ts";
import type { DynamicInput, DynamicSite } from "./dynamic-site.ts";
import { isJustLoaded, isOwnEntry } from "./dynamic-entries.ts";
import { givenByCallers } from "./callers.ts";
import { apiName, isApi, originsOf, parentsOf, shownName } from "./expressions.ts";
import { guardBefore } from "./guards.ts";
import { firstCallIn, resultOf, takesMember } from "./indexes.ts";
import { listedTexts } from "./listed.ts";
import { isPassedOn } from "./passed-on-members.ts";
import { isKeptToProbe, isProbe } from "./probes.ts";
import { outsideReferences } from "./tree.ts";

/** Namespaces of running code: what a computed name takes from them is whatever happens to be there. */
const NAMESPACES = new Set(["builtins", "builtins.globals", "builtins.locals", "builtins.vars", "sys.modules", "globalThis", "builtins.__builtins__"]);
/** Of these only a call of what was taken says anything: reading one's own names is common. */
const OWN_NAMESPACES = new Set(["builtins.globals", "builtins.locals", "builtins.vars"]);

/** Members taken by a computed name from a module with capabilities or from a namespace of running code. */
export function computedMembers(input: DynamicInput): DynamicSite[] {
  const { facts } = input;
  const accesses = [...subscripts(facts), ...reflections(facts)];
  if (accesses.length === 0) return [];
  const written = new Set(memberWrites(facts).map((write) => write.target));
  for (const use of facts.uses) if (use.role === "write") written.add(use.value);
  return accesses.flatMap(([id, access]): DynamicSite[] => {
    const site = written.has(id) ? null : computedMember(input, access, id);
    return site === null ? [] : [site];
  });
}

/** The `object[key]` of all uses that are, or lead to, a member which does not fold. */
function subscripts(facts: ModuleFacts): [ValueId, Access][] {
  const found = new Map<ValueId, Access>();
  for (const use of facts.uses) {
    if (!use.references.some((reference) => reference.computed === true)) continue;
    let id = use.value;
    for (let value = facts.values[id]; value?.kind === "member"; value = facts.values[id]) {
      const access = subscript(value);
      if (access !== null) found.set(id, access);
      id = value.object;
    }
  }
  return [...found];
}

/** The calls that take a member by name. */
function reflections(facts: ModuleFacts): [ValueId, Access][] {
  const found: [ValueId, Access][] = [];
  for (let call = 0; call < facts.calls.length; call++) {
    const access = reflection(facts, call);
    if (access !== null) found.push([resultOf(facts, call), access]);
  }
  return found;
}

function computedMember(input: DynamicInput, access: Access, id: ValueId): DynamicSite | null {
  const { facts } = input;
  const isChosenHere = (reference: Reference): boolean => reference.computed === true && reference.through !== "annotation";
  for (const reference of referencesOf(facts, id).filter(isChosenHere)) {
    const brings = isMemberOf(facts, access.object, reference) ? reachOf(input, reference) : null;
    if (brings === null || isOnlyRead(facts, reference, id) || isProbe(facts, id) || isDropped(facts, access, id) || (access.call !== -1 && (isKeptToProbe(facts, id) || isRemoval(facts, access, id)))) continue;
    const statement = statementAround(facts, access.span[0]);
    const object = objectName(reference);
    if (isHarmlessKey(facts, access.key) || isJustLoaded(facts, access, object) || isOwnEntry(facts, access, object)) return null;
    if (isForwarded(facts, access.key) && !isMixed(input, reference)) return siteOf({ nameSpan: access.span, statement }, object, { ...silent(), reaches: [plainOf(reference)] });
    if (access.call === -1 && !NAMESPACES.has(apiName(plainOf(reference))) && isPassedOn(facts, access.object, access.key, id)) {
      // What gives a parameter hands the module on, and is judged for that.
      return siteOf({ nameSpan: access.span, statement }, object, { ...silent(), reaches: isParameter(facts, access.object) ? [] : [plainOf(reference)] });
    }
    const names = knownNames(facts, access, statement);
    if (names !== null) return siteOf({ nameSpan: access.span, statement }, object, { ...silent(), reaches: membersNamed(reference, names) });
    return siteOf({ nameSpan: access.span, statement }, object, problem("error", memberMessage(object, brings, facts, access.key), "opaque"));
  }
  return null;
}

/** Whether the object is what the reference says, so that it is here that a member of it is chosen. */
function isMemberOf(facts: ModuleFacts, object: ValueId, reference: Reference): boolean {
  const known = referencesOf(facts, object);
  if (known.some((each) => each.computed !== true && each.module === reference.module && each.path.join() === reference.path.join())) return true;
  // `vars(os)`, `os.__dict__` and `globals()` are tables of members, which no reference tells.
  if (known.some((each) => each.computed === true)) return false;
  return originsOf(facts, object).values.some((origin) => {
    const value = facts.values[origin];
    return value?.kind === "call" || (value?.kind === "member" && value.property === "__dict__");
  });
}

/** A place where a name chooses a member. */
export interface Access {
  readonly object: ValueId;
  readonly key: ValueId;
  /** The call that chooses; -1 for brackets. */
  readonly call: CallId;
  readonly span: Span;
}

/** `object[key]`. */
function subscript(value: Extract<Value, { kind: "member" }>): Access | null {
  if (value.property !== null || value.key === null) return null;
  return { object: value.object, key: value.key, call: -1, span: value.propertySpan };
}

/** Methods of a table that take an entry by its key. */
const TAKING = new Set(["get", "pop", "setdefault", "__getitem__"]);
const REFLECTORS = new Set(["builtins.getattr", "builtins.object.__getattribute__", "inspect.getattr_static", "globalThis.Reflect.get"]);

/** `getattr(object, key)`, `Reflect.get(object, key)`, `object.__getattribute__(key)`, `sys.modules.get(key)`. */
function reflection(facts: ModuleFacts, id: CallId): Access | null {
  const call = facts.calls[id]!;
  const callee = facts.values[call.callee];
  const [first, second] = call.arguments;
  if (first === undefined || call.arguments.length > 3) return null;
  if (callee?.kind === "member" && callee.property === "__getattribute__" && second === undefined) {
    return { object: callee.object, key: first.value, call: id, span: call.nameSpan };
  }
  if (facts.language === "python" && callee?.kind === "member" && TAKING.has(callee.property ?? "")) return { object: callee.object, key: first.value, call: id, span: call.nameSpan };
  if (second === undefined || !call.references.some((reference) => reference.path.length < 3 && REFLECTORS.has(apiName(reference)))) return null;
  return { object: first.value, key: second.value, call: id, span: call.nameSpan };
}

function isParameter(facts: ModuleFacts, id: ValueId): boolean {
  return originsOf(facts, id).values.every((origin) => facts.values[origin]?.kind === "parameter");
}

/** `sys.modules.pop(name, None)` as a statement: an entry is removed, nothing is taken. */
function isRemoval(facts: ModuleFacts, { call }: Access, id: ValueId): boolean {
  const callee = facts.values[facts.calls[call]!.callee];
  return callee?.kind === "member" && callee.property === "pop" && parentsOf(facts)[id] === -1 && consumerOf(facts, id)?.kind === "expression";
}

/** `getattr(package, name)` as a statement: whatever it is, nothing is done with it. */
function isDropped(facts: ModuleFacts, { call }: Access, id: ValueId): boolean {
  const callee = call === -1 ? undefined : facts.values[facts.calls[call]!.callee];
  const isTaken = callee?.kind === "name" || (callee?.kind === "member" && callee.property === "get");
  return isTaken && parentsOf(facts)[id] === -1 && consumerOf(facts, id)?.kind === "expression";
}

/** The last statement that starts before an offset: the innermost, since compound ones end at their body. */
function statementAround(facts: ModuleFacts, offset: number): number {
  let [low, high] = [0, facts.statements.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (facts.statements[middle]![0] <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

function objectName(reference: Reference): string {
  const name = shownName(plainOf(reference));
  return name === "globalThis" ? "the global object" : name;
}

/** One's own names are read by name often; calling what was found is what counts. */
function isOnlyRead(facts: ModuleFacts, reference: Reference, id: ValueId): boolean {
  if (!OWN_NAMESPACES.has(apiName(plainOf(reference)))) return false;
  return !facts.calls.some((call) => originsOf(facts, call.callee).values.includes(id));
}

/** What the object of a computed member can do; null where choosing from it says nothing. */
function reachOf(input: DynamicInput, reference: Reference): readonly Capability[] | null {
  const plain = plainOf(reference);
  const name = apiName(plain);
  if (NAMESPACES.has(name)) return [];
  if (reference.instance === true) return null;
  const capabilities = new Set<Capability>();
  let reaches = false;
  for (const { reference: outside } of outsideReferences(input.resolver, input.context.path, plain)) {
    const chosen = classify(input.facts.language, { ...outside, computed: true }, input.context.capabilities);
    if (chosen.kind !== "capability" || !chosen.capabilities.includes("opaque")) continue;
    reaches = true;
    const whole = classify(input.facts.language, outside, input.context.capabilities);
    if (whole.kind === "capability") for (const capability of whole.capabilities) capabilities.add(capability);
  }
  return reaches ? [...capabilities] : null;
}

/** The object itself, without the member that does not fold. */
function plainOf(reference: Reference): Reference {
  return { module: reference.module, path: reference.path };
}

/** A symbol, the module's own name, or another object's own module. */
function isHarmlessKey(facts: ModuleFacts, key: ValueId): boolean {
  const harmless = originsOf(facts, key).values.every((origin) => {
    const value = facts.values[origin];
    if (value?.kind === "name") return value.name === "__name__" && value.binding === -1;
    if (value?.kind === "member") return OWN_MODULE.has(value.property ?? "") || referencesOf(facts, origin).some((reference) => apiName(reference).startsWith("globalThis.Symbol."));
    return value?.kind === "call" && isApi(facts, facts.calls[value.call]!.callee, ["globalThis.Symbol", "globalThis.Symbol.for"]);
  });
  return harmless;
}

const OWN_MODULE = new Set(["__module__", "__name__"]);

/** The names that a table, a check or the callers leave; empty where a check does not tell them; null without either. */
function knownNames(facts: ModuleFacts, { key, call }: Access, statement: number): readonly string[] | null {
  const listed = listedTexts(facts, key) ?? givenByCallers(facts, key);
  if (listed !== null) return listed;
  // Brackets have no place of their own in the body: a call of the same statement has.
  const near = call === -1 ? firstCallIn(facts, statement) : call;
  return near === -1 ? null : guardBefore(facts, near, key)?.texts ?? null;
}

function membersNamed(reference: Reference, names: readonly string[]): readonly Reference[] {
  return names.filter((name) => /^[\w$]+$/.test(name)).map((name) => ({ module: reference.module, path: [...reference.path, name], through: "literal-reach" }));
}

const FORWARDERS = new Set(["__getattr__", "__getattribute__"]);

/** Whether importing the module says nothing yet, so that a member of it must be named to be seen. */
function isMixed({ facts, context }: DynamicInput, reference: Reference): boolean {
  const answer = classify(facts.language, plainOf(reference), context.capabilities);
  return answer.kind === "capability" && answer.mixed;
}

/** `def __getattr__(self, name): return getattr(module, name)`: whoever uses it writes the name out, and what the module can do is this file's. */
function isForwarded(facts: ModuleFacts, key: ValueId): boolean {
  return originsOf(facts, key).values.every((origin) => {
    const value = facts.values[origin];
    return value?.kind === "parameter" && FORWARDERS.has(facts.functions[value.function]?.name ?? "");
  });
}

const SCRIPT_PARTS = new Set(["src", "text", "textContent", "innerHTML", "innerText"]);

/** `const s = document.createElement("script"); s.src = …`. */
export function pageScripts(input: DynamicInput): DynamicSite[] {
  const { facts } = input;
  if (!facts.calls.some((call) => isElementMaker(facts, call))) return [];
  return memberWrites(facts).flatMap(({ target, statement }) => {
    const member = facts.values[target];
    if (member?.kind !== "member" || member.property === null || !SCRIPT_PARTS.has(member.property) || !isScript(facts, member.object)) return [];
    const api = `script.${member.property}`;
    return [siteOf({ nameSpan: member.propertySpan, statement: statement.at }, api, problem("error", pageScriptMessage(facts, api, member.property, statement), "code"))];
  });
}

/** `element.setAttribute("onclick", text)`: the text is the body of a function. */
export function handlerTexts({ facts }: DynamicInput): DynamicSite[] {
  if (!takesMember(facts, ["setAttribute"])) return [];
  return facts.calls.flatMap((call) => {
    const callee = facts.values[call.callee];
    const [name, text] = call.arguments;
    if (callee?.kind !== "member" || callee.property !== "setAttribute" || name === undefined || text === undefined) return [];
    const names = constantsOf(facts, name.value)?.map(({ value }) => String(value)) ?? [];
    const isHandler = names.some((each) => /^on[a-z]+$/i.test(each)) && constantsOf(facts, text.value)?.every(({ value }) => value === "" || value === null) !== true;
    return isHandler ? [siteOf(call, "setAttribute", problem("error", codeMessage("setAttribute"), "code"))] : [];
  });
}

/** An address that is written out is no secret: what it serves is. */
function pageScriptMessage(facts: ModuleFacts, api: string, property: string, { operator, value }: MemberWrite["statement"]): string {
  const texts = operator === "=" ? constantsOf(facts, value)?.map((constant) => String(constant.value)) ?? [] : [];
  if (texts.length === 0) return scriptMessage(api);
  const hosts = property === "src" ? texts.flatMap((text) => /^\s*(?:https?:)?\/\/([^/?#\s]{1,253})/i.exec(text)?.[1] ?? []) : [];
  return hosts.length === 0 ? writtenScriptMessage(api) : foreignScriptMessage(api, [...new Set(hosts)].slice(0, 3));
}

function isScript(facts: ModuleFacts, id: ValueId): boolean {
  return originsOf(facts, id).values.some((origin) => {
    const value = facts.values[origin];
    const call = value?.kind === "call" ? facts.calls[value.call] : undefined;
    const tag = call?.arguments[0];
    if (call === undefined || tag === undefined || !isElementMaker(facts, call)) return false;
    return constantsOf(facts, tag.value)?.some((constant) => String(constant.value).toLowerCase() === "script") ?? false;
  });
}

function isElementMaker(facts: ModuleFacts, call: Call): boolean {
  const callee = facts.values[call.callee];
  return callee?.kind === "member" && callee.property === "createElement";
}
