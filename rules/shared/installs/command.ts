import { constantsOf, referencesOf } from "@agentgate/parsers";
import type { Call, ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import { bare, callsApi } from "../expressions.ts";
import { UNKNOWN, wordsOfText } from "./match.ts";
import type { Word } from "./match.ts";
import { installToolOf, isPython, programName, wordsOf } from "./vocabulary.ts";

const MOST_LINES = 16;
const MOST_STEPS = 200;
/** The program and its subcommand stand at the beginning. */
const MOST_WORDS = 200;
const MOST_TEXT = 10_000;

/**
 * The command lines that the arguments of a call can be: `("npm", ["install", name])`, `["pip", "install"]`,
 * `"npm install"`, a template with a tag. At most 16.
 */
export function commandLines(facts: ModuleFacts, call: Call): readonly (readonly Word[])[] {
  let lines: (readonly Word[])[] = [[]];
  for (const argument of call.arguments) {
    if (argument.name !== undefined && !COMMAND_KEYWORDS.has(argument.name)) continue;
    const choices = wordsGiven(facts, argument.value, lines[0]!.length > 0);
    if (choices.length === 0) continue;
    lines = lines.flatMap((line) => choices.map((choice) => [...line, ...choice])).slice(0, MOST_LINES);
  }
  return lines;
}

/** How process functions name what they run, where that is no position. */
const COMMAND_KEYWORDS = new Set(["args", "cmd", "command", "commands"]);

/** The words that an argument can be; several where a name was given several lists. Empty: nothing of a command. */
function wordsGiven(facts: ModuleFacts, id: ValueId, later: boolean): readonly (readonly Word[])[] {
  const choices = listsOf(facts, id).map((items) => wordsOfItems(facts, items));
  if (choices.length > 0) return choices.slice(0, MOST_LINES);
  const value = facts.values[bare(facts, id)];
  if (value?.kind === "table") return wordsOfOptions(facts, value);
  if (value?.kind === "function" || value?.kind === "constant") return [];
  const texts = constantTexts(facts, id);
  if (texts.length > 1) return texts.map((text) => (later ? [{ text }] : wordsOfText(text))).slice(0, MOST_LINES);
  const text = textOf(facts, id);
  if (text === UNKNOWN) return [[unknownWord(facts, id)]];
  // After the program, each piece of text is one word.
  return [later && !text.includes(UNKNOWN) ? [{ text }] : wordsOfText(text)];
}

/** `{ args: ["install"] }`, `{ cmd: ["npm", "install"] }`. */
function wordsOfOptions(facts: ModuleFacts, { entries }: Extract<Value, { kind: "table" }>): readonly (readonly Word[])[] {
  return entries.flatMap(({ key, value }) => (key !== null && COMMAND_KEYWORDS.has(constantText(facts, key) ?? "") ? listsOf(facts, value).map((items) => wordsOfItems(facts, items)) : []));
}

export function wordsOfItems(facts: ModuleFacts, items: readonly ValueId[]): readonly Word[] {
  return items.slice(0, MOST_WORDS).flatMap((item): readonly Word[] => {
    const value = facts.values[item];
    if (value?.kind === "spread") return listsOf(facts, value.value).slice(0, 1).flatMap((inner) => inner.slice(0, MOST_WORDS).map((each) => wordOf(facts, each)));
    return [wordOf(facts, item)];
  });
}

function wordOf(facts: ModuleFacts, id: ValueId): Word {
  const text = textOf(facts, id);
  if (!text.includes(UNKNOWN)) return { text };
  const tool = constantTexts(facts, id).find((each) => installToolOf(programName(each)) !== null);
  if (tool !== undefined) return { text: tool };
  const [word, ...rest] = wordsOfText(text);
  // A command line of its own, for a shell.
  if (rest.length > 0) return { text };
  return word?.text != null || word?.start !== undefined ? word : unknownWord(facts, id);
}

/** `sys.executable` is Python, and a name may speak of its program: `venv_pip`. */
function unknownWord(facts: ModuleFacts, id: ValueId): Word {
  if (referencesOf(facts, id).some(({ module, path }) => [module, ...path].join(".") === "sys.executable")) return { text: "python" };
  const value = facts.values[bare(facts, id)];
  const name = value?.kind === "name" ? value.name : value?.kind === "member" ? value.property ?? "" : "";
  const hint = wordsOf(name).map((word) => word.replace(/\d+$/, "")).findLast((word) => isPython(word) || installToolOf(word) !== null);
  const joined = lastPiece(facts, value);
  return joined === null ? { text: null, ...(hint === undefined ? {} : { hint }) } : { text: joined };
}

/** The end of a path that is put together: `os.path.join(venv, "bin", "pip")`. */
function lastPiece(facts: ModuleFacts, value: Value | undefined): string | null {
  if (value?.kind === "name") {
    const given = facts.bindings[value.binding]?.values;
    return given?.length === 1 ? lastPiece(facts, unlessName(facts.values[bare(facts, given[0]!)])) : null;
  }
  if (value?.kind === "binary" && value.operator === "/") return constantText(facts, value.right);
  if (value?.kind !== "call") return null;
  const call = facts.calls[value.call]!;
  if (callsApi(call, ["builtins.str", "os.fspath"]) && call.arguments.length === 1) return lastPiece(facts, facts.values[bare(facts, call.arguments[0]!.value)]);
  return callsApi(call, ["os.path.join", "path.join", "path.resolve"]) ? constantText(facts, call.arguments.at(-1)?.value ?? -1) : null;
}

function unlessName(value: Value | undefined): Value | undefined {
  return value?.kind === "name" ? undefined : value;
}

function constantTexts(facts: ModuleFacts, id: ValueId): readonly string[] {
  return (constantsOf(facts, id) ?? []).flatMap(({ value }) => (typeof value === "string" ? [value.slice(0, MOST_TEXT)] : []));
}

function constantText(facts: ModuleFacts, id: ValueId): string | null {
  const constants = facts.values[id] === undefined ? null : constantsOf(facts, id);
  return constants?.length === 1 && typeof constants[0]!.value === "string" ? constants[0]!.value : null;
}

/** The lists that an expression can be: written, named, joined with `+`, split from text. */
function listsOf(facts: ModuleFacts, id: ValueId): readonly (readonly ValueId[])[] {
  const lists: (readonly ValueId[])[] = [];
  const pending = [id];
  const seen = new Set<ValueId>();
  while (pending.length > 0 && seen.size < MOST_STEPS && lists.length < MOST_LINES) {
    const current = bare(facts, pending.pop()!);
    if (seen.has(current)) continue;
    seen.add(current);
    const value = facts.values[current];
    if (value?.kind === "list") lists.push(value.items);
    else pending.push(...insideOf(facts, value));
  }
  return lists;
}

function insideOf(facts: ModuleFacts, value: Value | undefined): readonly ValueId[] {
  switch (value?.kind) {
    case "name":
      return facts.bindings[value.binding]?.values ?? [];
    // What is added comes after, and the command stands at the beginning.
    case "binary":
      return value.operator === "+" ? [value.left] : [];
    case "conditional":
      return [value.then, value.else];
    case "logical":
      return [value.left, value.right];
    case "call": {
      const call = facts.calls[value.call]!;
      const callee = facts.values[call.callee];
      const isConcat = callee?.kind === "member" && callee.property === "concat";
      if (isConcat) return [callee.object];
      return callsApi(call, ["builtins.list", "builtins.tuple"]) ? call.arguments.map((argument) => argument.value) : [];
    }
    default:
      return [];
  }
}

/**
 * The text that an expression is, with `UNKNOWN` for what is only known when the program runs. Of `shlex.split(text)`,
 * `text.split()` and their like it is the text.
 */
export function textOf(facts: ModuleFacts, id: ValueId): string {
  const constants = constantsOf(facts, id);
  if (constants?.length === 1 && typeof constants[0]!.value === "string") return constants[0]!.value.slice(0, MOST_TEXT);
  const pieces: string[] = [];
  const pending = [id];
  for (let step = 0; pending.length > 0; step++) {
    const current = bare(facts, pending.pop()!);
    const parts = step < MOST_STEPS ? partsOf(facts, facts.values[current]) : null;
    if (parts === null) pieces.push(constantText(facts, current) ?? UNKNOWN);
    else pending.push(...parts.toReversed());
  }
  return pieces.join("").slice(0, MOST_TEXT);
}

function partsOf(facts: ModuleFacts, value: Value | undefined): readonly ValueId[] | null {
  switch (value?.kind) {
    case "template":
      return value.parts;
    case "binary":
      return value.operator === "+" ? [value.left, value.right] : value.operator === "%" ? [value.left] : null;
    case "name": {
      const binding = facts.bindings[value.binding];
      return binding?.values.length === 1 && binding.kind !== "parameter" && isText(facts, binding.values[0]!) ? binding.values : null;
    }
    case "call": {
      const call = facts.calls[value.call]!;
      const callee = facts.values[call.callee];
      if (callsApi(call, ["shlex.split", "builtins.str"]) && call.arguments[0] !== undefined) return [call.arguments[0].value];
      const ofText = callee?.kind === "member" && ["split", "format", "trim", "strip"].includes(callee.property ?? "");
      return ofText && isText(facts, callee.object) ? [callee.object] : null;
    }
    default:
      return null;
  }
}

/** Something that text can be seen in; a name that leads to itself is none. */
function isText(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[bare(facts, id)];
  return value?.kind === "string" || value?.kind === "template" || value?.kind === "call" || (value?.kind === "binary" && value.operator !== "/") || value?.kind === "name";
}
