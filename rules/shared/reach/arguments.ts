import { constantHead, constantsOf, referencesOf } from "@agentgate/parsers";
import type { Call, ModuleFacts, ValueId } from "@agentgate/parsers";
import type { ArgumentsView } from "../../catalogue/arguments.ts";
import { argumentOf } from "../arguments.ts";
import { isInMemory } from "../in-memory.ts";
import asked from "./asked.json" with { type: "json" };
import type { ReachArgument, ReachArguments } from "./record.ts";

const MEMBERS = new Set(asked.members);
const MOST_ALTERNATIVES = 8;
const LONGEST_TEXT = 200;

/** Whether the catalogue may ask about the arguments of a call of something named so. */
export function isAsked(path: readonly string[]): boolean {
  return path.some((name) => MEMBERS.has(name));
}

/** The arguments of a call as far as the catalogue may ask about them. */
export function argumentsOf(facts: ModuleFacts, call: Call): ReachArguments {
  const placed: ReachArgument[] = [];
  for (const index of [0, 1]) {
    const value = argumentOf(facts, call, index, null);
    if (typeof value !== "number") break;
    placed.push(argumentAt(facts, value));
  }
  const named = asked.names.flatMap((name): (readonly [string, ReachArgument])[] => {
    const value = argumentOf(facts, call, null, name);
    return typeof value === "number" ? [[name, argumentAt(facts, value)]] : [];
  });
  const open = argumentOf(facts, call, 99, "\0") === "unknown";
  return { placed, named, ...(open ? { open: true as const } : {}), ...(isInMemory(facts, call) ? { memory: true as const } : {}) };
}

function argumentAt(facts: ModuleFacts, value: ValueId): ReachArgument {
  const constants = constantsOf(facts, value)?.map((constant) => constant.value) ?? null;
  if (constants !== null && constants.length <= MOST_ALTERNATIVES) return { constants: constants.map(shortened) };
  const references = flagsIn(facts, value);
  const head = constantHead(facts, value).slice(0, LONGEST_TEXT);
  return { constants: null, ...(head === "" ? {} : { head }), ...(references.length === 0 ? {} : { references }) };
}

function shortened(value: string | number | boolean | null): string | number | boolean | null {
  return typeof value === "string" ? value.slice(0, LONGEST_TEXT) : value;
}

/** `os.O_RDONLY | os.O_CLOEXEC`; empty where a part is unknown. */
function flagsIn(facts: ModuleFacts, id: ValueId): { readonly module: string; readonly path: readonly string[] }[] {
  const flags: { readonly module: string; readonly path: readonly string[] }[] = [];
  const pending = [id];
  for (let step = 0; step < 32 && pending.length > 0; step++) {
    const current = pending.pop()!;
    const value = facts.values[current];
    if (value?.kind === "binary" && value.operator === "|") {
      pending.push(value.left, value.right);
      continue;
    }
    const references = referencesOf(facts, current);
    if (references.length === 0) return [];
    flags.push(...references.map(({ module, path }) => ({ module, path })));
  }
  return flags;
}

/** What was kept of the arguments, as the catalogue asks. */
export function viewOf({ placed, named, open }: ReachArguments): ArgumentsView {
  const byName = new Map(named);
  const given = (index: number | null, name: string | null): ReachArgument | undefined => (name === null ? undefined : byName.get(name)) ?? (index === null ? undefined : placed[index]);
  return {
    constants: (index, name) => given(index, name)?.constants ?? (given(index, name) === undefined && open !== true ? "absent" : null),
    head: (index, name) => given(index, name)?.head ?? "",
    references: (index, name) => given(index, name)?.references ?? [],
  };
}
