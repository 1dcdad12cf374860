import { constantHead, constantsOf } from "@agentgate/parsers";
import type { Call, ModuleFacts, ValueId } from "@agentgate/parsers";
import verbs from "../../catalogue/data/http-verbs.json" with { type: "json" };
import { argumentOf } from "../arguments.ts";
import { givenByCallers } from "../callers.ts";
import { memberWrites } from "../consumers.ts";
import { bare, originsOf } from "../expressions.ts";
import { chainOf } from "./chain.ts";
import { givenBack } from "./temporary-parts.ts";

const MUTATING = new Set(verbs.mutating.split(" "));
const SAFE = new Set(verbs.safe.split(" "));

/** How a verb is given: by the method's name, as the first argument, or as an option. */
const FIRST = new Set(["request", "stream", "send_request", "sendrequest", "_request", "make_request", "_make_request", "makerequest", "api_request", "_api_request", "do_request", "build_request", "buildrequest", "prepare_request", "open"]);
const REQUESTS = new Set(["request", "build_request", "buildrequest", "prepare", "prepare_request"]);
const OPTIONS = ["method", "httpMethod"];

/**
 * Whether an HTTP call can send a mutating verb: by its name, its arguments, options held in a name, or a request made
 * before. A verb that does not fold may be any. Null where no verb is in sight.
 */
export function mutates(facts: ModuleFacts, call: Call, name: string): boolean | null {
  const word = name.toLowerCase();
  if (MUTATING.has(word) || word === "sendbeacon") return true;
  if (SAFE.has(word)) return false;
  return byArguments(facts, call, word) ?? byRequest(facts, call);
}

/** What is known of the verb of a request that can change something: it is POST, another that changes, or not known. */
export type Sends = "post" | "change" | "any";

/** The verb of an HTTP call that can send a mutating one, as far as it is known. */
export function sentBy(facts: ModuleFacts, call: Call, name: string): Sends {
  const verbs = verbsOf(facts, call, name);
  if (!verbs?.every((verb) => MUTATING.has(verb))) return "any";
  return verbs.every((verb) => verb === "post") ? "post" : verbs.includes("post") ? "any" : "change";
}

/** Whether an HTTP call can send a verb of which it is known that it changes something, whatever the address: PUT, PATCH, DELETE. */
export function sendsChange(facts: ModuleFacts, call: Call, name: string): boolean {
  return verbsOf(facts, call, name)?.some((verb) => verb !== "post" && MUTATING.has(verb)) === true;
}

/** The verbs of an HTTP call in lower case; null where they are open. */
function verbsOf(facts: ModuleFacts, call: Call, name: string): readonly string[] | null {
  const word = name.toLowerCase();
  if (word === "sendbeacon") return ["post"];
  if (MUTATING.has(word)) return [word];
  const made = requestOf(facts, call);
  const given = verbOf(facts, call, word) ?? (made === null ? null : verbOf(facts, made, "request"));
  if (given === "data") return ["post"];
  const texts = given === null ? null : verbTexts(facts, given);
  return texts === null || texts.length === 0 ? null : texts.map((text) => String(text).toLowerCase());
}

function byArguments(facts: ModuleFacts, call: Call, name: string): boolean | null {
  const given = verbOf(facts, call, name);
  return given === null ? null : given === "data" || canMutate(facts, given);
}

/** The argument that is the verb of a call; `data` where what is sent decides. */
function verbOf(facts: ModuleFacts, call: Call, name: string): ValueId | "data" | null {
  // jQuery calls the verb a type.
  for (const option of name === "ajax" ? [...OPTIONS, "type"] : OPTIONS) {
    const given = optionOf(facts, call, option);
    if (given !== null && namesVerb(facts, given)) return given;
  }
  const first = FIRST.has(name) ? argumentOf(facts, call, 0, "method") : "absent";
  if (typeof first === "number" && isVerb(facts, first)) return first;
  // urllib sends what it is given as data by POST.
  const data = name === "urlopen" || name === "request" ? optionOf(facts, call, "data") : null;
  return facts.language === "python" && data !== null && !isNothing(facts, data) && !isRequestMethod(facts, call) ? "data" : null;
}

/** The argument that names the verb of a request; null where there is none, or what is sent decides. */
export function verbArgument(facts: ModuleFacts, call: Call, name: string): ValueId | null {
  const given = verbOf(facts, call, name.toLowerCase());
  return given === "data" ? null : given;
}

/** Whether a constant is a verb that changes nothing. */
export function isSafeVerb(constant: unknown): boolean {
  return typeof constant === "string" && SAFE.has(constant.toLowerCase());
}

/** `session.request(…, data=d)` has its verb in the first argument. */
function isRequestMethod(facts: ModuleFacts, call: Call): boolean {
  return typeof argumentOf(facts, call, 1, null) === "number" && chainOf(facts, call.callee)?.names.at(-1) === "request";
}

/** Whether an argument is null, or nothing else. */
export function isNothing(facts: ModuleFacts, id: ValueId): boolean {
  const constants = constantsOf(facts, id);
  return constants?.every(({ value }) => value === null) === true;
}

/** `method="neural"` of a search is no verb; what does not fold may be one. */
function namesVerb(facts: ModuleFacts, id: ValueId): boolean {
  const constants = constantsOf(facts, id);
  return constants === null || constants.some(({ value }) => typeof value !== "string" || isKnownVerb(value) || /^[A-Z]+$/.test(value));
}

function isKnownVerb(text: string): boolean {
  return MUTATING.has(text.toLowerCase()) || SAFE.has(text.toLowerCase());
}

/** A verb, or what does not fold and is called one. */
function isVerb(facts: ModuleFacts, id: ValueId): boolean {
  const constants = constantsOf(facts, id);
  if (constants !== null) return constants.every(({ value }) => typeof value === "string" && isKnownVerb(value));
  const value = facts.values[bare(facts, id)];
  if (memberVerb(facts, id) !== null) return true;
  const called = value?.kind === "name" ? value.name : value?.kind === "member" ? value.property ?? "" : "";
  return /^_?(?:http_?)?(?:method|verb)$/i.test(called);
}

function canMutate(facts: ModuleFacts, id: ValueId): boolean {
  const texts = verbTexts(facts, id);
  return texts === null || texts.some((verb) => typeof verb !== "string" || !SAFE.has(verb.toLowerCase()));
}

/** What a verb can be; null where it is open. */
function verbTexts(facts: ModuleFacts, id: ValueId): readonly unknown[] | null {
  const member = memberVerb(facts, id);
  if (member !== null) return [member];
  return constantsOf(facts, id)?.map(({ value }) => value) ?? choices(facts, id) ?? givenByCallers(facts, id);
}

/** `RequestMethod.GET`: a member of a list of verbs. */
function memberVerb(facts: ModuleFacts, id: ValueId): string | null {
  const value = facts.values[bare(facts, id)];
  if (value?.kind !== "member" || value.property === null || !isKnownVerb(value.property)) return null;
  const owner = chainOf(facts, value.object)?.names.at(-1);
  return owner !== undefined && /method|verb/i.test(owner) ? value.property.toLowerCase() : null;
}

/** The texts of a choice between constants, `method ?? "GET"` of which one side is open excepted. */
function choices(facts: ModuleFacts, id: ValueId): readonly unknown[] | null {
  const { values, complete } = originsOf(facts, id);
  if (!complete || (values.length === 1 && values[0] === id)) return null;
  const texts: unknown[] = [];
  for (const value of values) {
    const constants = constantsOf(facts, value);
    if (constants === null) return null;
    texts.push(...constants.map((constant) => constant.value));
  }
  return texts;
}

/** An option of a call: a keyword, or an entry of a table that is written in place, held in a name, or spread there. */
export function optionOf(facts: ModuleFacts, call: Call, name: string): ValueId | null {
  const direct = argumentOf(facts, call, null, name);
  if (typeof direct === "number") return direct;
  if (facts.language === "python") return null;
  for (const { value } of call.arguments) {
    const found = inTable(facts, value, name);
    if (found !== null) return found;
  }
  return null;
}

function inTable(facts: ModuleFacts, id: ValueId, name: string): ValueId | null {
  const pending = [id];
  for (let step = 0; step < 24 && pending.length > 0; step++) {
    for (const origin of originsOf(facts, pending.pop()!).values) {
      const table = facts.values[origin];
      if (table?.kind !== "table") continue;
      for (const { key, value } of table.entries) {
        const written = key === null ? undefined : facts.values[key];
        if (written?.kind === "string" && written.value === name) return value;
        if (key === null) pending.push(value);
      }
    }
  }
  return writtenLater(facts, id, name);
}

/** `init.method = "POST"` of a table that a name holds. */
function writtenLater(facts: ModuleFacts, id: ValueId, name: string): ValueId | null {
  const held = facts.values[bare(facts, id)];
  if (held?.kind !== "name" || held.binding < 0) return null;
  for (const { target, statement } of memberWrites(facts)) {
    const member = facts.values[target];
    if (member?.kind !== "member" || member.property !== name) continue;
    const object = facts.values[member.object];
    if (object?.kind === "name" && object.binding === held.binding) return statement.value;
  }
  return null;
}

/** `urlopen(Request(url, method="POST"))`, `session.send(request.prepare())`, `fetch(new Request(url, init))`. */
function byRequest(facts: ModuleFacts, call: Call): boolean | null {
  const made = requestOf(facts, call);
  return made === null ? null : byArguments(facts, made, "request");
}

/** The call that made the request which a call is given, if one did. */
export function requestOf(facts: ModuleFacts, call: Call): Call | null {
  const [first] = call.arguments;
  if (first === undefined) return null;
  let current = first.value;
  for (let step = 0; step < 8; step++) {
    const [origin, ...others] = originsOf(facts, current).values;
    const value = others.length > 0 || origin === undefined ? undefined : facts.values[origin];
    if (value?.kind !== "call") return null;
    const made = facts.calls[value.call]!;
    const name = chainOf(facts, made.callee)?.names.at(-1)?.toLowerCase() ?? "";
    const [built, ...more] = givenBack(facts, made);
    if (built !== undefined && more.length === 0) {
      current = built;
      continue;
    }
    if (!REQUESTS.has(name)) return null;
    const [given] = made.arguments;
    // `session.prepare_request(request)`; of a client's own helper of this name the first argument is the verb.
    if (name === "prepare_request" && given !== undefined && !isVerb(facts, given.value)) {
      current = given.value;
      continue;
    }
    if (name !== "prepare") return made;
    const callee = facts.values[made.callee];
    if (callee?.kind !== "member") return null;
    current = callee.object;
  }
  return null;
}

/** The text that an argument surely begins with, folded or not. */
export function headOf(facts: ModuleFacts, id: ValueId): string {
  const [first] = constantsOf(facts, id) ?? [];
  return typeof first?.value === "string" ? first.value : constantHead(facts, id);
}
