import { referencesOf } from "@agentgate/parsers";
import type { Call, ClassId, ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import type { Effect } from "../effects/index.ts";
import { chainEnd, receiverOf } from "../effects/chain.ts";
import { givenBack } from "../effects/temporary-parts.ts";
import { headOf, pathOf } from "../effects/temporary.ts";
import { apiName, bare, originsOf } from "../expressions.ts";
import { onceFor } from "../indexes.ts";
import caches from "./caches.json" with { type: "json" };
import { nameOf } from "./log-folders.ts";

const APIS = { python: new Set(caches.apis.python), ecmascript: new Set(caches.apis.ecmascript) };
const HOMES = { python: new Set(caches.homes.python), ecmascript: new Set(caches.homes.ecmascript) };
const SEGMENTS = new Set(caches.segments);
/** `cache_dir`, `CACHE_FOLDER`, `self._cache_file`, `getCacheDir()`; not `contribute_cache_path`. */
const NAMES = /^\w*cache_?(?:dir|directory|folder|root|home)$|^_*cache_?(?:path|file|file_?path)$/i;
const CLASSES = /Cache(?![a-z])/;
const GETS = /^a?_?(?:get|lookup|read|fetch|has|retrieve)(?:_|[A-Z]|$)/;
const SETS = /^a?_?(?:set|put|update|write|store|add|save)(?:_|[A-Z]|$)/;
const DEEPEST = 8;

/** Whether what is written or deleted is only a cache's: below a folder for caches, or in a class that is one. */
export function isCache(facts: ModuleFacts, { capability, call }: Effect, where: string): boolean {
  if (capability === "db.write") return isInCacheClass(facts, facts.calls[call]!.function) || isInCacheModule(facts, where);
  if (capability !== "fs.write" && capability !== "fs.delete") return false;
  const path = pathOf(facts, facts.calls[call]!);
  return path !== null && isBelowCache(facts, path);
}

/** Whether a function is a method of a class that is a cache by its name, which gets and sets: `RedisCacheStrategy`. */
function isInCacheClass(facts: ModuleFacts, id: number): boolean {
  for (let current = id, step = 0; current > 0 && step < DEEPEST; step++) {
    const { class: owner, parent } = facts.functions[current]!;
    const subject = facts.classes[owner];
    if (subject !== undefined) return CLASSES.test(subject.name) && cacheOwners(facts).has(owner);
    current = parent;
  }
  return false;
}

/** Whether a module is a cache by its name or its folder's, which offers functions to get and set and gives its keys an end: `cache/redis.js`. */
function isInCacheModule(facts: ModuleFacts, where: string): boolean {
  return /(?:^|[/_.-])caches?[/.][^/]*(?:\/[^/]+)?$/i.test(where) && cacheOwners(facts).has(-1) && expiry(facts).isGiven;
}

/** The classes with methods that get and methods that set; -1 where functions of the module itself do. */
const cacheOwners = onceFor((facts): ReadonlySet<ClassId> => {
  const [getting, setting] = [new Set<ClassId>(), new Set<ClassId>()];
  for (const { name, class: owner, parent } of facts.functions) {
    if (owner === -1 && parent !== 0) continue;
    if (GETS.test(name)) getting.add(owner);
    if (SETS.test(name)) setting.add(owner);
  }
  return new Set([...getting].filter((owner) => setting.has(owner)));
});

/** Whether a call of the module gives a key its end. */
const expiry = onceFor((facts) => ({ isGiven: facts.calls.some((call) => givesEnd(facts, call)) }));

/** `client.set(key, text, { EX: 60 })`, `client.set(key, text, ex=60)`, `client.setex(key, 60, text)`, `client.expire(key, 60)`. */
function givesEnd(facts: ModuleFacts, call: Call): boolean {
  if (ENDS_KEY.test(chainEnd(facts, call.callee))) return true;
  return call.arguments.some(({ value, name }) => {
    if (name !== undefined && END.test(name)) return true;
    const given = facts.values[bare(facts, value)];
    if (given?.kind === "string") return /^(?:EX|PX)$/.test(given.value);
    return given?.kind === "table" && given.entries.some(({ key }) => {
      const written = key === null ? undefined : facts.values[key];
      return written?.kind === "string" && END.test(written.value);
    });
  });
}

const ENDS_KEY = /^(?:p?set_?ex|p?expire(?:_?at)?)$/i;
const END = /^(?:EX|PX|ttl|expire|expires_?in|expiry|expiration_?ttl|timeout)$/i;

/** Whether all that a path can be lies below a folder for caches. */
export function isBelowCache(facts: ModuleFacts, id: ValueId, depth = 0): boolean {
  if (NAMES.test(nameOf(facts, id))) return true;
  if (depth > DEEPEST) return false;
  const { values, complete } = originsOf(facts, id);
  const given = values.filter((origin) => facts.values[origin]!.kind !== "constant");
  return complete && given.length > 0 && given.length <= 8 && given.every((origin) => isOneBelow(facts, origin, depth));
}

function isOneBelow(facts: ModuleFacts, id: ValueId, depth: number): boolean {
  const value = facts.values[id]!;
  if (NAMES.test(nameOf(facts, id)) || hasVariable(facts, id)) return true;
  if (value.kind === "parameter") return NAMES.test(facts.functions[value.function]?.parameters[value.index]?.name ?? "");
  if (value.kind === "string") return /^~?\/(?:[^/]+\/)*(?:\.cache|Library\/Caches)(?:\/|$)/.test(value.value);
  if (value.kind === "call" && isMadeForCaches(facts, facts.calls[value.call]!)) return true;
  const given = value.kind === "call" ? givenBack(facts, facts.calls[value.call]!) : [];
  if (given.length > 0) return given.every((each) => isBelowCache(facts, each, depth + 1));
  if (hasSegment(facts, value) && beginsAtHome(facts, id, depth)) return true;
  const head = headOf(facts, value);
  return head !== null && isBelowCache(facts, head, depth + 1);
}

/** `user_cache_dir("app")`, `get_cache_dir()`. */
function isMadeForCaches(facts: ModuleFacts, call: Call): boolean {
  return NAMES.test(chainEnd(facts, call.callee)) || isApi(facts, call.callee, APIS);
}

function isApi(facts: ModuleFacts, id: ValueId, apis: typeof APIS): boolean {
  return referencesOf(facts, id).some((reference) => apis[facts.language].has(apiName(reference).replace(/^node:/, "")));
}

/** `os.environ["XDG_CACHE_HOME"]`, `process.env.XDG_CACHE_HOME`. */
function hasVariable(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[id]!;
  if (value.kind === "member") return caches.variables.includes(value.property ?? "");
  if (value.kind !== "call") return false;
  const [first] = facts.calls[value.call]!.arguments;
  const key = first === undefined ? undefined : facts.values[first.value];
  return key?.kind === "string" && caches.variables.includes(key.value);
}

/** `Path.home() / ".app" / "caches"`, `join(homedir(), ".cache")`. */
function hasSegment(facts: ModuleFacts, value: Value): boolean {
  const parts = value.kind === "binary" ? [value.right] : value.kind === "template" ? value.parts.slice(1) : value.kind === "call" ? facts.calls[value.call]!.arguments.map((argument) => argument.value) : [];
  return parts.some((part) => {
    const written = facts.values[part];
    return written?.kind === "string" && written.value.split("/").some((segment) => SEGMENTS.has(segment));
  });
}

function beginsAtHome(facts: ModuleFacts, id: ValueId, depth: number): boolean {
  for (let current = id, step = depth; step <= DEEPEST; step++) {
    const [origin, ...others]: readonly ValueId[] = originsOf(facts, current).values;
    if (origin === undefined || others.length > 0) return false;
    const value: Value = facts.values[origin]!;
    if (value.kind === "call" && isApi(facts, facts.calls[value.call]!.callee, HOMES)) return true;
    if (value.kind === "member" && value.property === "home") return true;
    const receiver = value.kind === "call" && facts.calls[value.call]!.arguments.length > 0 ? receiverOfPath(facts, facts.calls[value.call]!) : null;
    const head = receiver ?? headOf(facts, value);
    if (head === null) return false;
    current = head;
  }
  return false;
}

/** `folder` of `folder.joinpath("caches")`. */
function receiverOfPath(facts: ModuleFacts, call: Call): ValueId | null {
  return chainEnd(facts, call.callee) === "joinpath" ? receiverOf(facts, call) : null;
}
