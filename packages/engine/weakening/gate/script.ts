import type { Place, WeakeningKind } from "../record.ts";
import { NAMES_GATE } from "./files.ts";
import { gateCommandsOf } from "./command.ts";
import type { GateCommand, Launchers } from "./command.ts";
import environment from "./environment.json" with { type: "json" };
import type { Setting } from "./settings.ts";
import { commandsOf } from "./shell.ts";
import type { Command } from "./shell.ts";

/** A call of the gate in a script, with everything of the script that decides whether it counts. */
export interface ScriptRun {
  readonly command: GateCommand;
  readonly settings: readonly Setting[];
}

const names = new Set(environment.names);
const CONDITION_KEYWORDS = new Set(["if", "elif", "while", "until", "!"]);

/** More than a script has; each is held against every other command. */
const MOST_RUNS = 20;

/** Whether a variable can change what the gate judges, or what is started in its place. */
export function isWatchedVariable(name: string): boolean {
  const upper = name.toUpperCase();
  return names.has(upper) || environment.prefixes.some((prefix) => upper.startsWith(prefix));
}

/** The runs of the gate in a script. `placeOf` tells where a line of the script (0-based) stands in its file. */
export function runsIn(script: string, known: Launchers, placeOf: (line: number) => Place): ScriptRun[] {
  const commands = commandsOf(script);
  const gates = gateCommandsOf(commands, known).slice(0, MOST_RUNS);
  const isGate = new Set(gates.map((gate) => gate.from));
  return gates.map((command) => ({ command, settings: [...settingsOf(commands, command, placeOf), ...aboutSettings(commands, command, isGate, placeOf)] }));
}

/** Other commands before the gate that name it: they may put something else in its place. */
function aboutSettings(commands: readonly Command[], gate: GateCommand, isGate: ReadonlySet<Command>, placeOf: (line: number) => Place): Setting[] {
  const before = commands.slice(0, commands.indexOf(gate.from)).filter((command) => !isGate.has(command));
  return before.filter((command) => command.words.some((word) => NAMES_GATE.test(word))).map((command) =>
    narrowing("gate-line-edited", "a command about the gate", command.words.join(" "), placeOf(command.line)));
}

function settingsOf(commands: readonly Command[], gate: GateCommand, placeOf: (line: number) => Place): Setting[] {
  const at = placeOf(gate.from.line);
  const index = commands.indexOf(gate.from);
  const around = [...ownSettings(commands, index, at), ...gate.environment.filter(isWatchedAssignment).map((word) => narrowing("workflow-environment", nameIn(word), word, at))];
  const others = commands.flatMap((command, position) => (position === index ? [] : otherSettings(command, position < index, gate, placeOf(command.line))));
  return [...around, ...others];
}

/** What the gate's own command stands in: its status may be swallowed, or it may not be reached. */
function ownSettings(commands: readonly Command[], index: number, at: Place): Setting[] {
  const { keywords, depth, before, after } = commands[index]!;
  const next = commands[index + 1];
  const found: Setting[] = [];
  const keyword = keywords.find((one) => CONDITION_KEYWORDS.has(one));
  if (keyword !== undefined) found.push(narrowing("workflow-softened", `\`${keyword}\` before the gate`, "its status is a condition", at));
  else if (depth > 0) found.push(narrowing("workflow-condition-added", "a shell condition or loop", "around the gate", at));
  if (after === "||" && !endsInFailure(commands, index + 1)) found.push(narrowing("workflow-softened", "||", `|| ${next?.words.join(" ") ?? ""}`, at));
  if (after === "|" || after === "|&") found.push(narrowing("workflow-softened", "a pipe", `| ${next?.words[0] ?? ""}`, at));
  if (after === "&") found.push(narrowing("workflow-softened", "&", "in the background", at));
  if (before === "||" || before === "&&") found.push(narrowing("workflow-condition-added", before, `${commands[index - 1]?.words.join(" ") ?? ""} ${before}`, at));
  return found;
}

/** Whether what follows `||` fails too. */
function fails(command: Command | undefined): boolean {
  const [name, status] = command?.words ?? [];
  return name === "false" || ((name === "exit" || name === "return") && status !== undefined && /^[1-9]\d*$/.test(status));
}

/** Whether what begins here fails too: one command, or a group in braces or brackets. */
function endsInFailure(commands: readonly Command[], start: number): boolean {
  const first = commands[start];
  if (first === undefined) return false;
  if (!first.keywords.includes("{") && first.before !== "(") return fails(first);
  const end = commands.findIndex((command, index) => index >= start && (command.words[0] === "}" || command.after === ")"));
  return commands.slice(start, end === -1 ? commands.length : end + 1).some(fails);
}

/** Another command of the script that takes the gate's failure away, or changes what its words mean. */
function otherSettings(command: Command, isBefore: boolean, gate: GateCommand, at: Place): Setting[] {
  const { words } = command;
  const [name, ...rest] = words;
  const text = words.join(" ");
  if (name === undefined) return [];
  const softened = (label: string): Setting[] => [narrowing("workflow-softened", label, text, at)];
  if (name === "set" && isBefore && rest.some((word, index) => /^\+[a-z]*e/.test(word) || (word === "errexit" && rest[index - 1] === "+o"))) return softened("set +e");
  if ((name === "exit" || name === "return") && !fails(command) && rest[0] !== "$?" && command.before !== "||" && !(isBefore && command.depth > 0)) return softened(name);
  if (name === "trap") return softened("trap");
  if (!isBefore) return [];
  if (name === "alias" || name === "shopt" || name === "enable" || name === "hash") return softened(name);
  if ((command.after === "(" || command.keywords.includes("function")) && gate.launcher.split(" ").includes(name)) return softened(`a function called ${name}`);
  if (name === "cd" || name === "pushd") return [narrowing("workflow-environment", name, text, at)];
  const assignments = (name === "export" || name === "declare" ? rest : words.every((word) => word.includes("=")) ? words : []).filter(isWatchedAssignment);
  if (assignments.length > 0) return assignments.map((word) => narrowing("workflow-environment", nameIn(word), word, at));
  return environment.files.some((file) => text.includes(file)) && /agentgate|PATH/i.test(text) ? [narrowing("workflow-environment", name, text, at)] : [];
}

function isWatchedAssignment(word: string): boolean {
  return word.includes("=") && isWatchedVariable(nameIn(word));
}

function nameIn(word: string): string {
  return word.split("=", 1)[0]!.replace(/\+$/, "");
}

export function narrowing(kind: WeakeningKind, label: string, value: string, at: Place): Setting {
  return { kind, effect: "narrows", label, value, at };
}

export function protecting(kind: WeakeningKind, label: string, value: string, at: Place, within?: string): Setting {
  return { kind, effect: "protects", label, value, at, ...(within === undefined ? {} : { within }) };
}
