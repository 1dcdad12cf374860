import { HARMLESS, LOCKED, installToolOf, isPython, isShell, programName, standsBefore } from "./vocabulary.ts";
import type { InstallTool } from "./vocabulary.ts";

/** A word of a command. `text` is null where it is only known when the program runs; `hint` is then its name. */
export interface Word {
  readonly text: string | null;
  /** Programs that the name of an unknown word speaks of. */
  readonly hint?: string;
  /** How an unknown word begins: `python=` of `python=${version}`. */
  readonly start?: string;
}

const MOST_DEPTH = 4;

/** The installing command among those of a command line, as people write it (`pip install`); null where there is none. */
export function installIn(words: readonly Word[], depth = 0): string | null {
  for (const command of commandsOf(words)) {
    const found = installOf(command, depth);
    if (found !== null) return found;
  }
  return null;
}

const SEPARATORS = new Set(["&&", "||", ";", "|", "&", "\n", "(", ")", "{", "}", "!"]);

function commandsOf(words: readonly Word[]): Word[][] {
  const commands: Word[][] = [[]];
  for (const word of words) {
    if (word.text !== null && SEPARATORS.has(word.text)) commands.push([]);
    else commands.at(-1)!.push(word);
  }
  return commands.filter((command) => command.length > 0);
}

function installOf(command: readonly Word[], depth: number): string | null {
  const start = programAt(command);
  if (start === command.length) return null;
  const name = nameAt(command, start);
  const rest = command.slice(start + 1);
  if (isShell(name)) return shellInstall(rest, depth);
  if (isPython(name)) return pythonInstall(rest);
  const again = rest[0]?.text ?? "";
  // `execvp("pip", ["pip", "install"])` names the program twice.
  return toolInstall(name, programName(again) === name ? rest.slice(1) : rest);
}

/** Passes over `sudo -E`, `env`, and settings before the program. */
function programAt(command: readonly Word[]): number {
  let index = 0;
  let passed = false;
  for (; index < command.length; index++) {
    const { text } = command[index]!;
    if (text === null) return index;
    const before = standsBefore(programName(text));
    passed ||= before;
    if (!before && !/^\w+=/.test(text) && !(passed && text.startsWith("-"))) return index;
  }
  return index;
}

function nameAt(command: readonly Word[], index: number): string {
  const word = command[index];
  return word === undefined ? "" : word.text === null ? word.hint ?? "" : programName(word.text);
}

/** `bash -lc "…"`: the text is a command line of its own. */
function shellInstall(rest: readonly Word[], depth: number): string | null {
  if (depth >= MOST_DEPTH) return null;
  for (const word of rest) {
    if (word.text === null || /^[-/]/.test(word.text)) continue;
    return installIn(word.text.includes(" ") ? wordsOfText(word.text) : rest.slice(rest.indexOf(word)), depth + 1);
  }
  return null;
}

function pythonInstall(rest: readonly Word[]): string | null {
  const at = rest.findIndex(({ text }) => text === "-m" || text?.startsWith("-m") === true);
  const flag = rest[at]?.text;
  if (flag === undefined || flag === null || rest.slice(0, at).some(({ text }) => !text?.startsWith("-"))) return null;
  const module = flag === "-m" ? rest[at + 1]?.text : flag.slice(2);
  return module === null || module === undefined ? null : toolInstall(programName(module), rest.slice(at + (flag === "-m" ? 2 : 1)));
}

function toolInstall(name: string, rest: readonly Word[]): string | null {
  const tool = installToolOf(name);
  if (tool === null || rest.some(({ text }) => text !== null && HARMLESS.has(text))) return null;
  if (tool.tells?.includes(rest[0]?.text ?? "") === true) return null;
  const flag = rest.find(({ text }) => text !== null && tool.flags?.includes(text) === true)?.text;
  if (flag !== undefined && flag !== null) return `${name} ${flag}`;
  if (tool.bare === true && rest.every(({ text }) => text?.startsWith("-") === true)) return name === "ensurepip" ? name : `${name} install`;
  const installs = subcommand(rest, tool.installs ?? []);
  if (installs === "create" && makesOnly(rest, tool.made ?? [])) return null;
  if (installs !== null) return [shown(name, installs), ...lockFlag(rest)].join(" ");
  return fetched(name, tool, rest);
}

/** `conda create -n work python=3.12`: an environment is made, and nothing put into it but what it runs on, and what is only known when the program runs. */
function makesOnly(rest: readonly Word[], made: readonly string[]): boolean {
  const named = rest.filter(({ text }) => !(text ?? "").startsWith("-")).slice(1);
  const given = named.filter((word) => made.includes(/^[a-z]+(?=$|[=<>!~])/.exec(word.text ?? word.start ?? "")?.[0] ?? ""));
  // What stands behind another flag than a switch is that flag's.
  const others = rest.filter((word, index) => named.includes(word) && !given.includes(word) && (!isValueOfFlag(rest, index) || SWITCHES.has(rest[index - 1]!.text!)));
  return given.length > 0 && others.every(({ text, start }) => text === null && start === undefined) && !rest.some(({ text }) => text === "-f" || text?.startsWith("--file") === true);
}

const SWITCHES = new Set(["-y", "--yes", "-q", "--quiet"]);

/** Whether a command names nothing to install: what the manifest says is. */
export function installsManifest(words: readonly Word[]): boolean {
  if (words.some(({ text }) => text === null || SEPARATORS.has(text)) || installIn(words) === null) return false;
  return words.filter(({ text }) => text?.startsWith("-") === false).length <= 2;
}

/** A flag with which exactly what a lock file says is installed. */
function lockFlag(rest: readonly Word[]): readonly string[] {
  return rest.flatMap(({ text }) => (text?.startsWith("--") === true && LOCKED.has(text) ? [text] : [])).slice(0, 1);
}

/** `npx -y package`, `uvx package`: the program is downloaded where it is not there. */
function fetched(name: string, tool: InstallTool, rest: readonly Word[]): string | null {
  const found = subcommand(rest, tool.fetches ?? []);
  if (found === null || (tool.named?.includes(found) === true && !namesWhat(rest, found))) return null;
  const asked = tool.asks === undefined ? undefined : optionsOf(tool, rest).find(({ text }) => text !== null && tool.asks!.includes(text))?.text;
  if (tool.asks !== undefined && asked === undefined) return null;
  return [shown(name, found), asked ?? ""].join(" ").trim();
}

/** `npm init react-app`: without a word that is no option, `npm init -y` only writes a manifest. */
function namesWhat(rest: readonly Word[], subcommand: string): boolean {
  const start = rest.findIndex(({ text }) => text === subcommand);
  return rest.some(({ text }, index) => index > start && text?.startsWith("-") !== true && (!isValueOfFlag(rest, index) || SWITCHES.has(rest[index - 1]!.text!)));
}

/** The words that the program reads itself; of one with `valued`, what follows its first positional word is what it runs. */
function optionsOf({ valued }: InstallTool, rest: readonly Word[]): readonly Word[] {
  const end = rest.findIndex(({ text }, index) => text === "--" || (valued !== undefined && text?.startsWith("-") !== true && !valued.includes(rest[index - 1]?.text ?? "")));
  return end === -1 ? rest : rest.slice(0, end);
}

function shown(name: string, subcommand: string): string {
  return subcommand === "" ? name : `${name} ${subcommand}`;
}

/** Which of the subcommands the words begin with, flags and their values passed over. */
function subcommand(rest: readonly Word[], commands: readonly string[]): string | null {
  let left = commands.map((command) => ({ command, words: command.split(" ") }));
  let depth = 0;
  for (const [index, { text }] of rest.entries()) {
    if (text === null) break;
    if (text.startsWith("-")) continue;
    if (left.some(({ words }) => words[0] === "")) return "";
    const next = left.filter(({ words }) => words[depth] === text);
    const whole = next.find(({ words }) => words.length === depth + 1);
    if (whole !== undefined) return whole.command;
    if (next.length > 0) {
      left = next;
      depth++;
    } else if (!isValueOfFlag(rest, index)) return null;
  }
  // A package that is only known when the program runs is one all the same.
  return left.some(({ words }) => words[0] === "") && rest.length > 0 ? "" : null;
}

function isValueOfFlag(rest: readonly Word[], index: number): boolean {
  const before = rest[index - 1]?.text ?? "";
  return before.startsWith("-") && !before.includes("=");
}

/** Where a piece of text is only known when the program runs. */
export const UNKNOWN = "\uFFFC";

/** The words of a command line; quotes are taken off, and what separates commands stands by itself. */
export function wordsOfText(text: string): readonly Word[] {
  const words: Word[] = [];
  let index = 0;
  while (index < text.length) {
    const start = text.charAt(index);
    if (start === "\n" || ";()|&".includes(start)) {
      const double = text.charAt(index + 1) === start && "|&".includes(start);
      words.push({ text: double ? start + start : start });
      index += double ? 2 : 1;
    } else if (/\s/.test(start)) index++;
    else {
      const end = wordEnd(text, index);
      words.push(wordOf(text.slice(index, end)));
      index = end;
    }
  }
  return words;
}

function wordEnd(text: string, start: number): number {
  let quote = "";
  for (let index = start; index < text.length; index++) {
    const at = text.charAt(index);
    if (quote !== "") {
      if (at === quote) quote = "";
    } else if (at === '"' || at === "'") quote = at;
    else if (/\s/.test(at) || ";()|&".includes(at)) return index;
  }
  return text.length;
}

function wordOf(raw: string): Word {
  const text = raw.replaceAll(/["']/g, "");
  if (!text.includes(UNKNOWN)) return { text };
  // What ends in a known name is that program, wherever it lies.
  const last = text.slice(text.lastIndexOf("/") + 1);
  if (last !== "" && !last.includes(UNKNOWN)) return { text: last };
  const start = text.slice(0, text.indexOf(UNKNOWN));
  return start === "" ? { text: null } : { text: null, start };
}
