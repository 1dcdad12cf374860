import type { Call, ModuleFacts, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import type { ReachedEffect } from "../effects/index.ts";
import { addressOf, readsByPath } from "../effects/addresses.ts";
import { asGraphql, isQueryText } from "../effects/bodies.ts";
import { piecesOf } from "../effects/pieces.ts";
import { requestOf } from "../effects/verbs.ts";
import { bare, someIngredient } from "../expressions.ts";
import { callAt } from "./placed-calls.ts";

/**
 * Whether a request that is sent by POST is told that it only asks: by the method of a remote call in its body, or on
 * the way to it by the text of a GraphQL query or the end of a path that reads, given to a helper that sends it.
 * `post("/users/list", { page })`.
 */
export function isAskedByPost(facts: ModuleFacts, context: RuleContext, { effect, steps, path }: ReachedEffect): boolean {
  if (effect.capability !== "net" || !effect.writes || effect.sends === "change") return false;
  const factsAt = (at: string | undefined): ModuleFacts | null => (at === undefined ? facts : context.tree.facts(at));
  const own = steps.length === 0 ? callAt(factsAt(path), effect.span) : null;
  if (steps.length === 0) return own?.call.arguments.some(({ value }) => namesReadingMethod(own.facts, value)) === true;
  const calls = steps.flatMap((step) => callAt(factsAt(step.path), step.span) ?? []).reverse();
  if (calls.some((each) => givesQuery(each.facts, each.call))) return true;
  const sent = callAt(factsAt(path), effect.span);
  if (sent === null || !endsOpen(sent.facts, sent.call)) return false;
  const isPost = effect.sends === "post" || calls.some((each) => each.call.arguments.some(({ value }) => isPostVerb(each.facts, value)));
  // The path that is given last before the request is the one that it is sent to.
  const paths = calls.flatMap((each) => pathGiven(each.facts, each.call) ?? []);
  return isPost && paths[0] !== undefined && readsByPath(paths[0]);
}

/** The body of a remote call whose method is named for reading: `{ jsonrpc: "2.0", method: "tasks/get", … }`. */
function namesReadingMethod(facts: ModuleFacts, id: ValueId): boolean {
  return someIngredient(facts, id, (part) => part.kind === "table" && part.entries.some(({ key, value }) => isText(facts, key, /^method$/) && isText(facts, value, READING_METHOD))
    && part.entries.some(({ key }) => isText(facts, key, /^jsonrpc$/)), 40);
}

const READING_METHOD = /[/._](?:get|list|read|status|query|describe)$/i;

function isText(facts: ModuleFacts, id: ValueId | null, pattern: RegExp): boolean {
  const value = id === null ? undefined : facts.values[id];
  return value?.kind === "string" && pattern.test(value.value);
}

function givesQuery(facts: ModuleFacts, call: Call): boolean {
  return asGraphql(facts, call) === "read" || call.arguments.some(({ value }) => isTextual(facts, value) && isQueryText(piecesOf(facts, value)));
}

/** `base + path`: what the request is sent to ends with what it is given. */
function endsOpen(facts: ModuleFacts, call: Call): boolean {
  const address = addressOf(facts, requestOf(facts, call) ?? call);
  return address !== null && piecesOf(facts, address).endsWith("\0");
}

function pathGiven(facts: ModuleFacts, call: Call): string | null {
  for (const { value, name } of call.arguments) {
    if (!isTextual(facts, value)) continue;
    const text = piecesOf(facts, value);
    if (/^\0?\/[^\s]*$|^https?:/.test(text) || (name !== undefined && PATH_NAMES.test(name) && /^[\w/.:-]/.test(text))) return text;
  }
  return null;
}

const PATH_NAMES = /^(?:\w*_)?(?:path|url|uri|endpoint|route)$/i;
const TEXTUAL: ReadonlySet<string> = new Set(["string", "template", "binary", "name", "member"]);

function isTextual(facts: ModuleFacts, id: ValueId): boolean {
  return TEXTUAL.has(facts.values[bare(facts, id)]?.kind ?? "");
}

function isPostVerb(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[bare(facts, id)];
  return (value?.kind === "string" && value.value.toUpperCase() === "POST") || (value?.kind === "member" && value.property === "POST");
}
