import { referencesOf } from "@agentgate/parsers";
import type { Call, ModuleFacts, Reference, Use, ValueId } from "@agentgate/parsers";
import type { Capability } from "../catalogue/capability.ts";
import { asWritten } from "../catalogue/classify.ts";
import type { Classified } from "../catalogue/classify.ts";
import type { RuleContext } from "../rule.ts";
import type { AcquiredSite, Taken } from "./acquired.ts";
import { apiName, callsApi, isApi, originsOf, parentsOf } from "./expressions.ts";
import { keptWithFacts, resultOf } from "./indexes.ts";
import { isInMemory } from "./in-memory.ts";
import { isIdle, isOnlyNamed } from "./idle.ts";
import type { Api, Lookup } from "./lookup.ts";
import { resultCall } from "./result-calls.ts";
import { isTextMethod } from "./text-methods.ts";

/** What the uses of a module's names take, and which imported names they go through. */
export interface UsedSites {
  readonly taken: readonly UsedTaken[];
  /** The roles of imported names; few files ask for them. */
  roles(): Roles;
}

/** The roles in which names of modules are used, by module and first name; `*` holds those of any name. */
export type Roles = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<Use["role"]>>>;

export interface UsedTaken extends Taken {
  /** `importKey` of the imported name that the use goes through. */
  readonly source: string;
  /** The member's verb did not tell reading from writing. */
  readonly untold: boolean;
  readonly instance: boolean;
}

export function importKey(specifier: string, name: string): string {
  return `${specifier}\0${name}`;
}

/** Every use that takes a capability by itself: not what only names a type, catches an error or asks whether it is there. */
export function usedSites(facts: ModuleFacts, context: RuleContext, lookup: Lookup): UsedSites {
  const taken: UsedTaken[] = [];
  const aliases: UsedTaken[] = [];
  for (const use of facts.uses) {
    for (const named of use.references) {
      const reference = use.role === "value" ? memberTaken(facts, use, named) ?? named : named;
      if (isOnlyNamed(use) || reference.through === "annotation") continue;
      const { apis } = lookup.of(reference);
      if (apis.length === 0 || isIdle(facts, use, reference)) continue;
      (use.role === "alias" ? aliases : taken).push(...takenBy(facts, context, lookup, use, reference, apis));
    }
  }
  const told = withoutUntold(taken);
  return { taken: [...told, ...usedAliases(aliases, told)], roles: () => rolesOf(facts, lookup) };
}

/** The member that a call takes of a module which is handed to it, where it folds: `attrgetter("system")(os)`, `reduce(getattr, PATH, os)`. */
function memberTaken(facts: ModuleFacts, use: Use, { module, path, instance }: Reference): Reference | null {
  if (facts.language !== "python" || path.length > 0 || instance === true) return null;
  const around = facts.values[parentsOf(facts)[use.value] ?? -1];
  if (around?.kind !== "call") return null;
  const call = facts.calls[around.call]!;
  const names = memberPath(facts, call);
  if (names !== null) return { module, path: names, through: "literal-reach" };
  const given = referencesOf(facts, resultOf(facts, around.call));
  const isMember = given.length > 0 && given.every((each) => each.module === module && each.path.length > 0 && each.computed !== true && each.through === "literal-reach");
  return isMember && call.callee !== use.value ? given[0]! : null;
}

/** The members along which `reduce(getattr, ("system",), os)` goes. */
function memberPath(facts: ModuleFacts, call: Call): readonly string[] | null {
  const [step, path] = call.arguments;
  if (step === undefined || path === undefined || !callsApi(call, ["functools.reduce"]) || !isApi(facts, step.value, ["builtins.getattr"])) return null;
  const [only, ...others] = originsOf(facts, path.value).values;
  const list = only === undefined || others.length > 0 ? undefined : facts.values[only];
  const names = list?.kind === "list" ? list.items.map((item) => facts.values[item]) : [];
  return names.length > 0 && names.every((name) => name?.kind === "string") ? names.map((name) => (name as { value: string }).value) : null;
}

const rolesByFacts = keptWithFacts<{ readonly lookup: Lookup; readonly roles: Roles }>();

function rolesOf(facts: ModuleFacts, lookup: Lookup): Roles {
  const known = rolesByFacts.get(facts);
  if (known?.lookup === lookup) return known.roles;
  const roles = new Map<string, Map<string, Set<Use["role"]>>>();
  for (const use of facts.uses) {
    for (const reference of use.references) if (!lookup.isDull(reference.module)) noteRole(roles, reference, use.role);
  }
  rolesByFacts.set(facts, { lookup, roles });
  return roles;
}

function noteRole(roles: Map<string, Map<string, Set<Use["role"]>>>, { module, path }: Reference, role: Use["role"]): void {
  let names = roles.get(module);
  if (names === undefined) roles.set(module, (names = new Map([["*", new Set<Use["role"]>()]])));
  names.get("*")!.add(role);
  const [name] = path;
  if (name === undefined) return;
  const known = names.get(name);
  if (known === undefined) names.set(name, new Set([role]));
  else known.add(role);
}

/** Where what is used by another name was taken: `const request = options.fetch ?? fetch`. */
function usedAliases(aliases: readonly UsedTaken[], taken: readonly UsedTaken[]): UsedTaken[] {
  const keyOf = (each: UsedTaken): string => [each.root, each.site.api, ...each.capabilities].join("\0");
  const used = new Set(taken.map(keyOf));
  return aliases.filter((each) => !each.instance && used.has(keyOf(each)));
}

function takenBy(
  facts: ModuleFacts, context: RuleContext, lookup: Lookup, use: Use, reference: Reference, apis: readonly Api[],
): UsedTaken[] {
  const call = use.call === undefined ? undefined : facts.calls[use.call];
  return apis.flatMap((api): UsedTaken[] => {
    const { reference: outside, through } = api;
    const answer = call === undefined ? api.uncalled : lookup.called(api, call);
    if (answer === null || (outside.through === "star" && !answer.exact)) return [];
    const capabilities = usedCapabilities(facts, use, answer, outside.instance === true).filter((capability) => isOwn(context, through, capability));
    if (capabilities.length === 0 || (call !== undefined && isHarmlessCall(facts, call, outside, capabilities))) return [];
    return [{
      capabilities, root: answer.root, source: importKey(reference.module, reference.path[0] ?? "*"),
      untold: answer.byVerb === true, instance: outside.instance === true,
      site: { span: use.span, statement: use.statement, api: answer.api, how: howUsed(use, outside, capabilities), through },
    }];
  });
}

/** A signal of the process to itself; a method of text; files that are buffers in memory. */
function isHarmlessCall(facts: ModuleFacts, call: Call, reference: Reference, capabilities: readonly Capability[]): boolean {
  return isToItself(facts, call, reference) || isTextMethod(call, reference) || (capabilities.every((capability) => capability.startsWith("fs.")) && isInMemory(facts, call));
}

function howUsed(use: Use, reference: Reference, capabilities: readonly Capability[]): AcquiredSite["how"] {
  if (reference.instance !== true) return "use";
  return use.call === undefined || capabilities.every((capability) => isOfResult(reference, capability)) ? "read" : "result";
}

/** What is done with data of a result: `requests.get(url).json().get("x")`. The call beside it, `json`, tells of the result. */
function isOfResult(reference: Reference, capability: Capability): boolean {
  const length = resultCall(reference, capability);
  return length !== null && reference.path.length - length > 1;
}

const SENDERS = new Set(["os.kill", "globalThis.process.kill", "process.kill"]);
const OWN_PROCESS = ["os.getpid", "globalThis.process.pid", "process.pid"];

/** A signal that the process sends to itself. */
function isToItself(facts: ModuleFacts, call: Call, reference: Reference): boolean {
  const target = SENDERS.has(apiName(reference)) ? call.arguments[0]?.value : undefined;
  if (target === undefined) return false;
  const value = facts.values[target];
  return isApi(facts, value?.kind === "call" ? facts.calls[value.call]!.callee : target, OWN_PROCESS);
}

/** Where the module that passes an API on is a port for it, the API is that port's. */
function isOwn(context: RuleContext, through: readonly string[], capability: Capability): boolean {
  return !through.some((path) => context.tree.covers(path, capability));
}

/** `copy.NAME = …` of `{ ...process.env }`. What a call gave (`os.environ.copy()`) is told by its reference. */
function isOfCopy(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[id];
  return value?.kind === "member" && originsOf(facts, value.object).values.some((origin) => facts.values[origin]?.kind === "table");
}

const CHANGERS = ["globalThis.Object.assign", "globalThis.Object.defineProperty", "globalThis.Reflect.set", "globalThis.Reflect.deleteProperty"];

/** Text that decides what runs is the other rule's; an assignment is a use of an environment only. */
function usedCapabilities(facts: ModuleFacts, use: Use, answer: Classified, instance: boolean): readonly Capability[] {
  const io = answer.capabilities.filter((capability) => capability !== "code" && capability !== "opaque");
  if (use.role === "write") return instance || isOfCopy(facts, use.value) ? [] : asWritten(io).filter((capability) => capability === "env.write");
  return use.role === "value" && isChanged(facts, use.value) ? asWritten(io) : io;
}

/** `Object.assign(process.env, …)`. */
function isChanged(facts: ModuleFacts, id: ValueId): boolean {
  const parent = facts.values[parentsOf(facts)[id] ?? -1];
  const call = parent?.kind === "call" ? facts.calls[parent.call] : undefined;
  return call?.arguments[0]?.value === id && isApi(facts, call.callee, CHANGERS);
}

/**
 * A client tells nothing of reading or writing by itself (`boto3.client`) where the calls on it do: then they decide,
 * unless the client is handed on or one of the calls does not tell either.
 */
function withoutUntold(taken: readonly UsedTaken[]): UsedTaken[] {
  const told = new Set(taken.filter((each) => !each.untold && each.instance).map((each) => each.root));
  const open = new Set(taken.filter((each) => each.untold && each.instance).map((each) => each.root));
  return taken.filter((each) => !each.untold || !told.has(each.root) || open.has(each.root));
}

