import { functionsOf } from "@agentgate/parsers";
import type { Call, ModuleFacts, ValueId } from "@agentgate/parsers";
import { distinctiveTail } from "../../catalogue/tails.ts";
import { verbOfName } from "../../catalogue/verbs.ts";
import type { Capability } from "../../catalogue/capability.ts";
import { argumentOf } from "../arguments.ts";
import { isWithin } from "../attempts/places.ts";
import { bare } from "../expressions.ts";
import { addressOf, onlyReads } from "./addresses.ts";
import { chainOf, plainName } from "./chain.ts";
import type { Chain } from "./chain.ts";
import { isOnInProcess } from "./in-process.ts";
import { isOnMemoryStore } from "./memory-stores.ts";
import type { Told } from "./effect.ts";
import { piecesOf } from "./pieces.ts";
import { isInReader } from "./readers.ts";
import type { Done } from "./resolved.ts";
import { isBuiltRead } from "./selects.ts";
import { isAwaited } from "./tagged.ts";
import { isHarmlessSql, sqlOf } from "./statements.ts";
import { mutates, optionOf, sentBy } from "./verbs.ts";
import { OBJECT_METHODS, RECEIVERS, SENDING, SQL_METHODS, SQL_PREPARING, SQL_TAGS } from "./vocabulary.ts";
import type { Receiver } from "./vocabulary.ts";

/** What a call on a handle does that nothing resolves. */
export interface ToldEffect extends Done {
  readonly told: Told;
  /** As shown: `session.post`. */
  readonly api: string;
  readonly root: string;
}

/** The effect of a call by the end of its path, its arguments or its conventional name; null where none tells. */
export function toldBy(facts: ModuleFacts, call: Call, tools: readonly string[]): ToldEffect | null {
  if (call.decorator === true || call.construct === true) return null;
  const chain = chainOf(facts, call.callee);
  if (chain === null || isOnInProcess(facts, call) || isOnMemoryStore(facts, call)) return null;
  return byTail(chain, tools) ?? byArguments(facts, call, chain) ?? byConvention(facts, call, chain);
}

function byTail(chain: Chain, tools: readonly string[]): ToldEffect | null {
  const capability = distinctiveTail(chain.names, tools);
  if (capability === null) return null;
  const isBareName = chain.names.length === 1;
  // A bare function of such a name is one that was passed in; those of the tree are followed.
  if (isBareName && capability !== "tool") return null;
  return { capability, writes: false, told: "tail", ...shown(chain, 4) };
}

function shown(chain: Chain, most: number): { readonly api: string; readonly root: string } {
  const names = chain.names.filter((name) => name !== "self" && name !== "this");
  return { api: names.slice(-most).join("."), root: names.at(-2) ?? names[0] ?? "" };
}

function byArguments(facts: ModuleFacts, call: Call, chain: Chain): ToldEffect | null {
  const method = (chain.names.at(-1) ?? "").toLowerCase();
  const made = (capability: Capability, writes: boolean): ToldEffect => ({ capability, writes, told: "arguments", ...shown(chain, 2) });
  if (givesSql(facts, call, method)) return made("db.write", true);
  if (sendsByOptions(facts, call)) return { ...made("net", !onlyReads(facts, call, "fetch")), sends: sentBy(facts, call, "fetch") };
  if (chain.names.length < 2) return null;
  const has = (name: string): boolean => optionOf(facts, call, name) !== null;
  if (OBJECT_METHODS.has(method) && has("Bucket") && has("Key")) return made("cloud.write", true);
  return SENDING.has(method) && has("topic") && (has("messages") || has("value")) ? made("queue", true) : null;
}

function givesSql(facts: ModuleFacts, call: Call, method: string): boolean {
  const [first] = call.arguments;
  if (call.tagged === true && SQL_TAGS.has(method) && !isAwaited(facts, call)) return false;
  if (first !== undefined && (SQL_METHODS.has(method) || (call.tagged === true && SQL_TAGS.has(method)))) {
    if (sqlOf(facts, first.value) === "write") return facts.values[bare(facts, call.callee)]?.kind === "member" || call.tagged === true;
  }
  // `db.prepare("INSERT …").run(row)`.
  const callee = facts.values[bare(facts, call.callee)];
  const prepared = callee?.kind === "member" ? facts.values[bare(facts, callee.object)] : undefined;
  const maker = prepared?.kind === "call" ? facts.calls[prepared.call] : undefined;
  if (maker === undefined || !SQL_METHODS.has(method)) return false;
  const [text] = maker.arguments;
  return text !== undefined && SQL_PREPARING.has((chainOf(facts, maker.callee)?.names.at(-1) ?? "").toLowerCase()) && sqlOf(facts, text.value) === "write";
}

/** `send(url, { method: "POST", body })`: an address, and options with a verb as `fetch` has them. */
function sendsByOptions(facts: ModuleFacts, call: Call): boolean {
  const options = call.arguments.map(({ value }) => facts.values[value]).find((value) => value?.kind === "table");
  if (facts.language === "python" || options === undefined) return false;
  const method = optionOf(facts, call, "method");
  if (method === null || isPassedOn(facts, method) || mutates(facts, call, "fetch") !== true) return false;
  const address = addressOf(facts, call);
  const isAddress = address !== null && /^(?:https?:\/\/|\/)/.test(piecesOf(facts, address).replace(/^\0+/, "/"));
  return isAddress && (optionOf(facts, call, "body") !== null || optionOf(facts, call, "headers") !== null);
}

/** `send(input.url, { method: input.method })`: the verb of a request that the caller made is his. */
function isPassedOn(facts: ModuleFacts, id: ValueId): boolean {
  const member = facts.values[bare(facts, id)];
  const object = member?.kind === "member" && member.property === "method" ? facts.values[bare(facts, member.object)] : undefined;
  const held = object?.kind === "name" ? facts.bindings[object.binding]?.values ?? [] : [];
  return held.length === 1 && facts.values[held[0]!]?.kind === "parameter";
}

function byConvention(facts: ModuleFacts, call: Call, chain: Chain): ToldEffect | null {
  const { names } = chain;
  const method = (names.at(-1) ?? "").toLowerCase();
  for (let index = names.length - 2; index >= Math.max(0, names.length - 5); index--) {
    for (const receiver of RECEIVERS.get(plainName(names[index]!)) ?? []) {
      if (!receiver.deep && index !== names.length - 2) continue;
      const writes = decide(facts, call, receiver, method);
      if (writes === null) continue;
      const root = names[index]!;
      const sends = receiver.capability === "net" && writes ? { sends: sentBy(facts, call, method) } : {};
      return { capability: receiver.capability, writes, ...sends, told: "convention", api: names.slice(index).join("."), root };
    }
  }
  return null;
}

/** Whether the method writes, reads or (null) says nothing of this receiver. */
function decide(facts: ModuleFacts, call: Call, receiver: Receiver, method: string): boolean | null {
  if (receiver.sql.has(method)) return executes(facts, call);
  if (method === "transaction" && receiver.writes.has(method)) return writesInside(facts, call);
  if (receiver.writes.has(method)) return receiver.capability === "net" ? sends(facts, call, method) : true;
  if (!receiver.reads.has(method)) return null;
  if (receiver.capability !== "net") return false;
  return hasAddress(facts, call) ? mutates(facts, call, method) === true && !onlyReads(facts, call, method) : null;
}

/** `knex.transaction(async (within) => …)`: whether something in it writes; null where all of it reads or changes a schema. */
function writesInside(facts: ModuleFacts, call: Call): true | null {
  const within = call.arguments.flatMap(({ value }) => functionsOf(facts, value));
  if (within.length === 0) return true;
  const writes = facts.calls.some((each) => {
    const names = within.some((id) => isWithin(facts, each.function, id)) ? chainOf(facts, each.callee)?.names ?? [] : [];
    return names.length > 1 && !names.includes("schema") && (verbOfName(names.at(-1)!) === "write" || SQL_METHODS.has(names.at(-1)!.toLowerCase()));
  });
  return writes ? true : null;
}


/** `session.post(url)`: what is sent has an address, or at least something that could be one. */
function sends(facts: ModuleFacts, call: Call, method: string): boolean | null {
  return call.arguments.length === 0 ? null : !onlyReads(facts, call, method);
}

function hasAddress(facts: ModuleFacts, call: Call): boolean {
  const address = addressOf(facts, call);
  if (address === null) return false;
  const text = piecesOf(facts, address).replaceAll("\0", "");
  const name = facts.values[bare(facts, address)];
  return /^https?:|\//.test(text) || (name?.kind === "name" && /ur[il]|endpoint|href|address/i.test(name.name)) || (name?.kind === "member" && /ur[il]|endpoint|href/i.test(name.property ?? ""));
}

/** `cursor.execute(text)`: reading text and built selects do not write, unknown text may. */
function executes(facts: ModuleFacts, call: Call): boolean | null {
  const first = firstText(facts, call);
  if (first === null) return null;
  if (isBuiltRead(facts, call)) return null;
  if (sqlOf(facts, first) === null && isInReader(facts, call)) return null;
  return isHarmlessSql(facts, first) ? null : true;
}

/** The text of a statement: the first argument, or an entry of the options that are given in its place. */
function firstText(facts: ModuleFacts, call: Call): ValueId | null {
  const first = argumentOf(facts, call, 0, "query");
  if (typeof first !== "number") return null;
  if (facts.values[bare(facts, first)]?.kind !== "table") return first;
  return optionOf(facts, call, "sql") ?? optionOf(facts, call, "text") ?? optionOf(facts, call, "query") ?? first;
}
