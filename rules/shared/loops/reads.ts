import { constantsOf, referencesOf } from "@agentgate/parsers";
import type { Call, CallId, ModuleFacts, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { effectsOf } from "../effects/index.ts";
import type { ReachedEffect } from "../effects/index.ts";
import { argumentOf, parametersBefore } from "../arguments.ts";
import { bare, someIngredient } from "../expressions.ts";
import { isAskedByPost } from "./asked-by-post.ts";
import { callAt } from "./placed-calls.ts";
import { lastName } from "./places.ts";
import { LOOPS } from "./vocabulary.ts";

/** An effect as a loop counts it. */
export type CountedEffect = ReachedEffect["effect"] & {
  /** A process that only asks how things are: `ps`, `kubectl get`. */
  readonly asks?: true;
};

/** The same effect, known to change nothing. */
export function asRead(reached: ReachedEffect): ReachedEffect {
  const { effect } = reached;
  const read: CountedEffect = { ...effect, writes: false, ...(effect.capability === "proc" && { asks: true as const }) };
  return { ...reached, effect: read };
}

/** Whether a request is told on the way to it that it reads, or a process is one of those that only ask. */
export function asksOnly(facts: ModuleFacts, context: RuleContext, reached: ReachedEffect): boolean {
  const { effect, steps, path } = reached;
  const factsAt = (at: string | undefined): ModuleFacts | null => (at === undefined ? facts : context.tree.facts(at));
  if (effect.capability === "proc") {
    const call = callAt(factsAt(path), effect.span);
    return call !== null && startsReader(call.facts, call.call);
  }
  if (isAskedByPost(facts, context, reached)) return true;
  if (effect.capability !== "net" || !effect.writes || !TRANSPORTS.has(lastName(effect.api))) return false;
  return steps.slice(1).some((step) => {
    const call = callAt(factsAt(step.path), step.span);
    return call !== null && isToldToRead(call.facts, context, call.id);
  });
}

const OWN_PROGRAM = new Set(LOOPS.ownProgram.members);

/** Whether a process is the program itself once more: what starts it watches over it, and its own end says what is next. */
export function startsItself(facts: ModuleFacts, context: RuleContext, { effect, path }: ReachedEffect): boolean {
  if (effect.capability !== "proc") return false;
  const placed = callAt(path === undefined ? facts : context.tree.facts(path), effect.span);
  return placed?.call.arguments.some(({ value }) => someIngredient(placed.facts, value, (part, id) => isOwnProgram(placed.facts, part, id), 40)) === true;
}

function isOwnProgram(facts: ModuleFacts, part: ModuleFacts["values"][number], id: ValueId): boolean {
  return part.kind === "member" && referencesOf(facts, id).some(({ module, path }) => OWN_PROGRAM.has([module.replace(/^node:/, ""), ...path].join(".")));
}

const READERS = new Set(LOOPS.readers.commands);
const READING_WORDS: Readonly<Record<string, readonly string[]>> = LOOPS.readers.subcommands;

/** `run(["ps", "-p", pid])`, `exec("git status")`, `execa("kubectl", ["get", "pods"])`. */
function startsReader(facts: ModuleFacts, call: Call): boolean {
  const words = call.arguments.slice(0, 2).flatMap(({ value }) => wordsOf(facts, value));
  const [command, ...rest] = words;
  if (command === undefined) return false;
  const name = command.slice(command.lastIndexOf("/") + 1);
  if (READERS.has(name)) return true;
  const asks = Object.hasOwn(READING_WORDS, name) ? READING_WORDS[name]! : [];
  const first = rest.find((word) => !word.startsWith("-"));
  return first !== undefined && asks.includes(first);
}

/** The words at the start of a command that are written there. */
function wordsOf(facts: ModuleFacts, id: ValueId): string[] {
  const value = facts.values[bare(facts, id)];
  if (value?.kind === "list") {
    const words: string[] = [];
    for (const item of value.items) {
      const [word] = textsOf(facts, item);
      if (word === undefined) break;
      words.push(word);
    }
    return words;
  }
  // Of a text with a pipe or a second command the rest is not known to ask.
  const texts = textsOf(facts, id);
  return texts.some((text) => /[|;&`$<>]/.test(text)) ? [] : (texts[0] ?? "").split(/\s+/).filter((word) => word !== "");
}

/** A text, or those of a template between what is put in. */
function textsOf(facts: ModuleFacts, id: ValueId): string[] {
  const constants = constantsOf(facts, id);
  if (constants?.length === 1 && typeof constants[0]!.value === "string") return [constants[0]!.value];
  const value = facts.values[bare(facts, id)];
  if (value?.kind !== "template") return [];
  const texts = value.parts.flatMap((part) => {
    const text = facts.values[part];
    return text?.kind === "string" ? [text.value] : [];
  });
  return facts.values[value.parts[0] ?? -1]?.kind === "string" ? texts : [];
}

const READS = /^_*(?:a|async_)?(?:read|list|get|fetch|search|query|find|count|describe|poll|check|lookup|load|retrieve|is|has)(?:[_A-Z]|$)|(?:_e|E)xists$/;
const VERBS = new Set(LOOPS.reading.verbs);
const TRANSPORTS = new Set(LOOPS.reading.transports);

/**
 * Whether a request whose verb is decided by a helper of the tree reads: the helper is told so, or is named for it and
 * ends in a call that carries any verb (`client.read_flow(id)` by way of `send`).
 */
export function isReadByHelper(reached: ReachedEffect, isTold: boolean): boolean {
  const { effect, steps } = reached;
  if (steps.length === 0 || effect.capability !== "net") return false;
  return isTold || (TRANSPORTS.has(lastName(effect.api)) && isOfReader(reached));
}

/** Whether it lies behind a function that is named for reading: `get_status`. */
export function isOfReader({ steps: [first] }: ReachedEffect): boolean {
  return first !== undefined && READS.test(lastName(first.name));
}

/** `request("GET", path)`, or `request(path)` of one whose verb is GET unless another is given. */
export function isToldToRead(facts: ModuleFacts, context: RuleContext, id: CallId): boolean {
  const call = facts.calls[id]!;
  if (isGivenReadingVerb(facts, call)) return true;
  return effectsOf(facts, context).callees(id).slice(0, 2).some(({ facts: of, function: callee }) => {
    const subject = of.functions[callee]!;
    const bound = parametersBefore(of, subject);
    return subject.parameters.some((parameter, index) => parameter.default !== null && isReadingVerb(of, parameter.default)
      && argumentOf(facts, call, index - bound, parameter.name) === "absent");
  });
}

function isGivenReadingVerb(facts: ModuleFacts, call: Call): boolean {
  return call.arguments.some(({ name, value }, index) => (index < 3 || name === "method") && isReadingVerb(facts, value));
}

/** `"GET"`, `Verb.GET`, `{ method: "GET" }`. */
function isReadingVerb(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[id];
  if (value?.kind === "member") return value.property !== null && VERBS.has(value.property);
  if (value?.kind === "string") return VERBS.has(value.value.toUpperCase());
  return value?.kind === "table" && value.entries.some((entry) => {
    const [key, verb] = [entry.key === null ? undefined : facts.values[entry.key], facts.values[entry.value]];
    return key?.kind === "string" && key.value === "method" && verb?.kind === "string" && VERBS.has(verb.value.toUpperCase());
  });
}
