import { constantsOf } from "@agentgate/parsers";
import type { Call, ModuleFacts, Reference, ValueId } from "@agentgate/parsers";
import { argumentOf } from "../arguments.ts";
import { apiName, bare, originsOf } from "../expressions.ts";
import { idOfCall } from "../indexes.ts";
import { callPlaces } from "../statements.ts";
import { addressOf } from "./addresses.ts";
import { isNothing, optionOf, sentBy } from "./verbs.ts";
import { piecesOf } from "./pieces.ts";
import { CACHED_DOWNLOADS, NOTICES } from "./vocabulary.ts";

/** Whether a call sends what only says that something is under way: `bot.send_chat_action(…)`, `send_activity(Activity(type="typing"))`. */
export function isNotice(facts: ModuleFacts, call: Call, name: string): boolean {
  if (NOTICES.has(name.toLowerCase())) return true;
  const [first] = call.arguments;
  if (first === undefined || !/activit/i.test(name)) return false;
  const origins = originsOf(facts, first.value).values;
  return origins.length > 0 && origins.every((origin) => isTyping(facts, call, origin));
}

/** An activity of the Bot Framework that is made as a typing notice. */
function isTyping(facts: ModuleFacts, call: Call, origin: ValueId): boolean {
  const value = facts.values[origin];
  const made = value?.kind === "call" ? facts.calls[value.call]! : value?.kind === "table" ? call : null;
  const type = made === null ? null : optionOf(facts, made, "type");
  if (type === null) return false;
  const written = facts.values[bare(facts, type)];
  if (written?.kind === "member") return /^typing$/i.test(written.property ?? "");
  const constants = constantsOf(facts, type);
  return constants !== null && constants.length > 0 && constants.every((constant) => constant.value === "typing");
}

/** Whether a call fetches what a cache of its library keeps, and names no folder of its own for it. */
export function fillsCache(facts: ModuleFacts, call: Call, reference: Reference): boolean {
  const folder = CACHED_DOWNLOADS.get(apiName(reference));
  if (folder === undefined) return false;
  const given = argumentOf(facts, call, null, folder);
  // What is spread into a call is the caller's wish, seldom for another folder.
  return typeof given !== "number" || isNothing(facts, given);
}

const THIS_MACHINE = /^https?:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])(?:[:/\0]|$)/i;

/** Whether a POST without a body goes to this machine in a loop, which is left when something there answers. */
export function asksWhetherUp(facts: ModuleFacts, call: Call, name: string): boolean {
  if (sentBy(facts, call, name) !== "post" || hasBody(facts, call, name)) return false;
  const address = addressOf(facts, call);
  return address !== null && THIS_MACHINE.test(piecesOf(facts, address)) && isInLoop(facts, call);
}

function hasBody(facts: ModuleFacts, call: Call, name: string): boolean {
  const second = name.toLowerCase() === "post" ? argumentOf(facts, call, 1, null) : "absent";
  if (second === "unknown") return true;
  if (typeof second === "number" && facts.values[second]?.kind !== "table" && !isNothing(facts, second)) return true;
  return BODIES.some((option) => optionOf(facts, call, option) !== null) || call.arguments.some(({ value }) => facts.values[value]?.kind === "spread");
}

const BODIES = ["body", "json", "data", "content", "files", "form"];

function isInLoop(facts: ModuleFacts, call: Call): boolean {
  const id = idOfCall(facts, call);
  for (let place = callPlaces(facts, call.function).get(id) ?? null; place !== null; place = place.above) {
    if (place.above?.body[place.above.index]?.kind === "loop") return true;
  }
  return false;
}
