import { commandsOf } from "./shell.ts";
import type { Command } from "./shell.ts";
import flagData from "./flags.json" with { type: "json" };
import programs from "./programs.json" with { type: "json" };

/** How an option can be changed so that less is judged. */
export interface FlagRule {
  readonly takes: boolean;
  readonly weaker: "changed" | "lost" | "order" | "severity" | "never";
  readonly order?: readonly string[];
  readonly default?: string;
  /** Why it judges less, as the end of a sentence. */
  readonly why: string;
}

export const FLAGS: ReadonlyMap<string, FlagRule> = new Map(Object.entries(flagData) as [string, FlagRule][]);

/** One call of the gate in a script. */
export interface GateCommand {
  /** What starts it: `npx agentgate@1.2.3`, `node dist/agentgate.js`, `npm run gate`. */
  readonly launcher: string;
  /** `check` or `verify`; empty where a named script holds it. */
  readonly command: string;
  /** Values by option; a flag without one has empty text. */
  readonly options: ReadonlyMap<string, readonly string[]>;
  readonly paths: readonly string[];
  /** Variables set for it alone. */
  readonly environment: readonly string[];
  readonly from: Command;
  /** All its words, for messages and for equality. */
  readonly text: string;
}

/** What else of the tree starts the gate by a name of its own. */
export interface Launchers {
  /** Scripts of the root's package.json. */
  readonly scripts: ReadonlyMap<string, string>;
  /** Whether pre-commit runs the gate. */
  readonly hooks: boolean;
}

export const NO_LAUNCHERS: Launchers = { scripts: new Map(), hooks: false };

const DEEPEST = 4;
const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*\+?=/;
const launchers = new Set(programs.launchers);
const shells = new Set(programs.shells);
const runners = new Set(programs.runners);
const between = new Set(programs.between);
const valueFlags = new Set(programs.valueFlags);
const COMMANDS = new Set(programs.commands);

/** The calls of the gate in a script, in order; those inside `bash -c "…"` and scripts of package.json too. */
export function gateCommandsOf(commands: readonly Command[], known: Launchers, depth = 0): GateCommand[] {
  return commands.flatMap((command) => gateCommandsIn(command, known, depth));
}

/** Whether a script runs the gate. */
export function runsGate(script: string, known: Launchers, depth = 0): boolean {
  return gateCommandsOf(commandsOf(script), known, depth).length > 0;
}

function gateCommandsIn(command: Command, known: Launchers, depth: number): GateCommand[] {
  const { words } = command;
  let start = 0;
  while (start < words.length && ASSIGNMENT.test(words[start]!)) start++;
  const environment = words.slice(0, start);
  const found = programIn(words, start);
  if (found === null) return [];
  if (isGate(words[found.index]!)) return direct(command, found.index, environment);
  const name = words[found.index]!;
  if (depth >= DEEPEST) return [];
  if (shells.has(baseOf(name))) {
    const text = shellText(words, found.index);
    return text !== null && runsGate(text, known, depth + 1) ? [named(command, environment)] : [];
  }
  if (name === "pre-commit") return known.hooks && words.includes("run") ? [named(command, environment)] : [];
  const script = found.runner ? known.scripts.get(name) : undefined;
  return script !== undefined && runsGate(script, known, depth + 1) ? [named(command, environment)] : [];
}

/** The word that names what is run, after launchers and their options. */
function programIn(words: readonly string[], start: number): { readonly index: number; readonly runner: boolean } | null {
  let runner = false;
  let launched = false;
  for (let index = start; index < words.length; index++) {
    const word = words[index]!;
    if (isGate(word)) return { index, runner };
    if (launchers.has(baseOf(word)) && !(launched && runner && !runners.has(word))) {
      runner = runners.has(word);
      launched = true;
    } else if (!launched) return { index, runner: false };
    else if (valueFlags.has(word)) index++;
    else if (!word.startsWith("-") && !between.has(word) && !ASSIGNMENT.test(word) && !/^\d+[smhd]?$/.test(word)) return { index, runner };
  }
  return null;
}

function baseOf(word: string): string {
  return word.slice(Math.max(word.lastIndexOf("/"), word.lastIndexOf("\\")) + 1);
}

function isGate(word: string): boolean {
  if (programs.packages.some((name) => word === name || word.startsWith(`${name}@`))) return true;
  const name = baseOf(word).replace(/(?!^)@.*$/, "").replace(/\.(?:[cm]?js|cmd|ps1|exe)$/, "");
  return programs.names.includes(name);
}

/** The text after `-c`, also in `-ec` and its like. */
function shellText(words: readonly string[], shell: number): string | null {
  const flag = words.findIndex((word, index) => index > shell && /^-[a-z]*c$/.test(word));
  return flag === -1 ? null : words[flag + 1] ?? null;
}

function named(from: Command, environment: readonly string[]): GateCommand {
  const text = from.words.join(" ");
  return { launcher: text, command: "", options: new Map(), paths: [], environment, from, text };
}

/** `agentgate check …`; any other command of ours judges nothing. */
function direct(from: Command, program: number, environment: readonly string[]): GateCommand[] {
  const rest = withoutRedirections(from.words.slice(program + 1));
  const at = rest.findIndex((word) => COMMANDS.has(word));
  if (at === -1) return [];
  const { options, paths } = argumentsIn([...rest.slice(0, at), ...rest.slice(at + 1)]);
  const launcher = from.words.slice(environment.length, program + 1).join(" ");
  return [{ launcher, command: rest[at]!, options, paths, environment, from, text: from.words.join(" ") }];
}

function withoutRedirections(words: readonly string[]): string[] {
  return words.filter((word, index) => !/^(?:\d*|&)[<>]/.test(word) && !/^(?:\d*|&)(?:>|>>|<)$/.test(words[index - 1] ?? ""));
}

function argumentsIn(words: readonly string[]): { options: Map<string, string[]>; paths: string[] } {
  const options = new Map<string, string[]>();
  const paths: string[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!;
    if (!word.startsWith("-") || word === "-") {
      paths.push(word);
      continue;
    }
    const [name, ...value] = word.replace(/^-+/, "").split("=");
    const takes = FLAGS.get(name!)?.takes === true && value.length === 0;
    const given = takes ? words[++index] ?? "" : value.join("=");
    options.set(name!, [...(options.get(name!) ?? []), given]);
  }
  return { options, paths };
}
