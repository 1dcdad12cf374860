import { constantsOf, referencesOf } from "@agentgate/parsers";
import type { Call, ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import { argumentOf } from "../arguments.ts";
import { bare, callsApi } from "../expressions.ts";
import { UNKNOWN, installIn, wordsOfText } from "./match.ts";
import type { Word } from "./match.ts";
import { installToolOf, isPython, isShell, programName, wordsOf } from "./vocabulary.ts";
import { MOST_TEXT, NOTHING_GIVEN, listsOf, onlyText, returnedBy, textOf } from "./words.ts";
import type { Placed } from "./words.ts";

const MOST_LINES = 16;
/** The program and its subcommand stand at the beginning. */
const MOST_WORDS = 200;

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
  return lines.map((line) => [...line, ...scriptGiven(facts, call, line)]);
}

/** What a shell that is given no command reads from its input: `run(["bash"], input=SCRIPT)`, `spawnSync("sh", { input })`. */
function scriptGiven(facts: ModuleFacts, call: Call, [program, ...flags]: readonly Word[]): readonly Word[] {
  if (program?.text == null || !isShell(programName(program.text)) || !flags.every(({ text }) => text !== null && /^-(?!\w*c)/.test(text))) return [];
  const input = argumentOf(facts, call, null, "input");
  return typeof input === "number" ? [{ text: textOf(facts, plain(input)) }] : [];
}

/** How process functions name what they run, where that is no position. */
const COMMAND_KEYWORDS = new Set(["args", "cmd", "command", "commands"]);

/** The words that an argument can be; several where a name was given several lists. Empty: nothing of a command. */
function wordsGiven(facts: ModuleFacts, id: ValueId, later: boolean): readonly (readonly Word[])[] {
  const choices = listsOf(facts, plain(id)).flatMap((items) => wordsOfList(facts, items));
  if (choices.length > 0) return choices.slice(0, MOST_LINES);
  const value = facts.values[bare(facts, id)];
  if (value?.kind === "table") return wordsOfOptions(facts, value);
  if (value?.kind === "function" || value?.kind === "constant") return [];
  const returned = value?.kind === "call" ? returnedBy(facts, facts.calls[value.call]!) : [];
  if (returned.length > 1) return returned.map((each) => wordsOfWhole(facts, each, later)).slice(0, MOST_LINES);
  const texts = constantTexts(facts, id);
  if (texts.length > 1) return texts.map((text) => (later ? [{ text }] : wordsOfText(text))).slice(0, MOST_LINES);
  return [wordsOfWhole(facts, plain(id), later)];
}

/** After the program, each piece of text is one word. */
function wordsOfWhole(facts: ModuleFacts, from: Placed, later: boolean): readonly Word[] {
  const text = textOf(facts, from);
  if (text === UNKNOWN) return [unknownWord(facts, from.id)];
  return later && !text.includes(UNKNOWN) ? [{ text }] : wordsOfText(text);
}

function plain(id: ValueId): Placed {
  return { id, given: NOTHING_GIVEN };
}

/** `{ args: ["install"] }`, `{ cmd: ["npm", "install"] }`. */
function wordsOfOptions(facts: ModuleFacts, { entries }: Extract<Value, { kind: "table" }>): readonly (readonly Word[])[] {
  return entries.flatMap(({ key, value }) => (key !== null && COMMAND_KEYWORDS.has(onlyText(facts, key) ?? "") ? listsOf(facts, plain(value)).flatMap((items) => wordsOfList(facts, items)) : []));
}

export function wordsOfItems(facts: ModuleFacts, items: readonly ValueId[]): readonly Word[] {
  return wordsOfList(facts, items.map(plain))[0] ?? [];
}

/** Several where an entry that is only known when the program runs is spread, and each of those installs. */
function wordsOfList(facts: ModuleFacts, items: readonly Placed[]): readonly (readonly Word[])[] {
  let lines: (readonly Word[])[] = [[]];
  for (const item of items.slice(0, MOST_WORDS)) {
    const value = facts.values[item.id];
    if (value?.kind !== "spread") {
      const word = wordOf(facts, item);
      lines = lines.map((line) => [...line, word]);
      continue;
    }
    const lists = listsOf(facts, { ...item, id: value.value }).map((inner) => inner.slice(0, MOST_WORDS).map((each) => wordOf(facts, each)));
    const choices = lists.length > 1 && lists.every((words) => installIn(words) !== null) ? lists : lists.slice(0, 1);
    if (choices.length > 0) lines = choices.flatMap((words) => lines.map((line) => [...line, ...words])).slice(0, MOST_LINES);
  }
  return lines;
}

function wordOf(facts: ModuleFacts, from: Placed): Word {
  const text = textOf(facts, from);
  if (!text.includes(UNKNOWN)) return { text };
  const [word, ...rest] = wordsOfText(text);
  // A command line of its own, for a shell.
  if (rest.length > 0) return { text };
  return word?.text != null || word?.start !== undefined ? word : unknownWord(facts, from.id);
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
  if (value?.kind === "binary" && value.operator === "/") return onlyText(facts, value.right);
  if (value?.kind !== "call") return null;
  const call = facts.calls[value.call]!;
  if (callsApi(call, ["builtins.str", "os.fspath"]) && call.arguments.length === 1) return lastPiece(facts, facts.values[bare(facts, call.arguments[0]!.value)]);
  return callsApi(call, ["os.path.join", "path.join", "path.resolve"]) ? onlyText(facts, call.arguments.at(-1)?.value ?? -1) : null;
}

function unlessName(value: Value | undefined): Value | undefined {
  return value?.kind === "name" ? undefined : value;
}

function constantTexts(facts: ModuleFacts, id: ValueId): readonly string[] {
  return (constantsOf(facts, id) ?? []).flatMap(({ value }) => (typeof value === "string" ? [value.slice(0, MOST_TEXT)] : []));
}
