import { definitionsOf, referencesOf } from "@agentgate/parsers";
import type { CallId, ClassId, ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import type { Effect } from "../effects/index.ts";
import { argumentFor } from "../arguments.ts";
import { callersOf } from "../callers.ts";
import { chainEnd } from "../effects/chain.ts";
import { givenBack } from "../effects/temporary-parts.ts";
import { headOf, parametersBehind, pathOf } from "../effects/temporary.ts";
import { originsOf } from "../expressions.ts";
import { holdsLogOnly, LOG_NAMES, nameOf } from "./log-folders.ts";
import loggers from "./loggers.json" with { type: "json" };

const LOGGERS = { python: new Set(loggers.python), ecmascript: new Set(loggers.ecmascript) };

/** Whether a write is the file of a log, its folder, or what a handler of a log makes for it. */
export function isLog(facts: ModuleFacts, { capability, root, call, receiver }: Effect): boolean {
  if (capability === "fs.delete") return isRotated(facts, call);
  if (capability !== "fs.write") return false;
  if (isToLog(facts, receiver)) return true;
  if (LOGGERS[facts.language].has(root) || isInHandler(facts, facts.calls[call]!.function)) return true;
  const path = pathOf(facts, facts.calls[call]!);
  if (path === null) return false;
  if (isNamedLog(facts, path) || endsAsLog(facts, path) || isHandedLog(facts, path)) return true;
  return holdsLogOnly(facts, path, facts.calls[call]!);
}

/** Old logs that are removed: the path is put together by a function of the file that gives nothing but logs. */
function isRotated(facts: ModuleFacts, id: CallId): boolean {
  const path = pathOf(facts, facts.calls[id]!);
  return path !== null && originsOf(facts, path).values.every((origin) => {
    const value = facts.values[origin]!;
    return value.kind === "call" && givenBack(facts, facts.calls[value.call]!).length > 0;
  }) && endsAsLog(facts, path);
}

const MOST_STEPS = 6;

/** Whether a function stands in a class that derives from a handler of a log: `class Pipe(logging.Handler)`. */
function isInHandler(facts: ModuleFacts, id: number): boolean {
  for (let current = id, step = 0; current > 0 && step < MOST_STEPS; step++) {
    const { class: owner, parent } = facts.functions[current]!;
    if (owner !== -1) return isHandler(facts, owner, MOST_STEPS);
    current = parent;
  }
  return false;
}

function isHandler(facts: ModuleFacts, id: ClassId, depth: number): boolean {
  return depth > 0 && facts.classes[id]!.bases.some((base) => {
    const isOfLogger = referencesOf(facts, base).some(({ module, path }) => {
      const name = path.at(-1) ?? "";
      return LOGGERS[facts.language].has(module.split(".")[0]!) && (name === "" || name === "default" || /(?:Handler|Transport|Sink|Appender)$/i.test(name));
    });
    return isOfLogger || definitionsOf(facts, base).some((known) => known.kind === "class" && isHandler(facts, known.id, depth - 1));
  });
}

function isNamedLog(facts: ModuleFacts, path: ValueId): boolean {
  let id: ValueId | null = path;
  for (let step = 0; id !== null && step < MOST_STEPS; step++) {
    if (LOG_NAMES.test(nameOf(facts, id))) return true;
    const [origin, ...others]: readonly ValueId[] = originsOf(facts, id).values;
    if (origin === undefined || others.length > 0) return false;
    id = headOf(facts, facts.values[origin]!);
  }
  return false;
}

/** A file that is handed to a class named as a handler or logger: all that the file of it hands over lies in a log's folder. */
function isHandedLog(facts: ModuleFacts, path: ValueId): boolean {
  const parameters = parametersBehind(facts, path);
  return parameters !== null && parameters.length > 0 && parameters.every(({ function: id, index }) => {
    const subject = facts.functions[id]!;
    if (!HANDLERS.test(facts.classes[subject.class]?.name ?? "")) return false;
    const calls = callersOf(facts, id);
    return calls.length > 0 && calls.every((call) => {
      const given = argumentFor(facts, call, subject, index);
      return typeof given === "number" && (isNamedLog(facts, given) || endsAsLog(facts, given));
    });
  });
}

const HANDLERS = /(?:Handler|Logger|LogWriter|LogSink)$/;

/** `join(folder, "server.log")`, also where a function of the file puts it together. */
function endsAsLog(facts: ModuleFacts, path: ValueId, depth = MOST_STEPS): boolean {
  const { values, complete } = originsOf(facts, path);
  return depth > 0 && complete && values.length > 0 && values.length <= MOST_STEPS && values.every((origin) => {
    const value: Value = facts.values[origin]!;
    if (value.kind === "string") return /[\w}]\.log$/.test(value.value) || (depth < MOST_STEPS && value.value === ".log");
    const given = value.kind === "call" ? givenBack(facts, facts.calls[value.call]!) : [];
    if (given.length > 0) return given.every((each) => endsAsLog(facts, each, depth - 1));
    const tail = tailOf(facts, value);
    return tail !== null && endsAsLog(facts, tail, depth - 1);
  });
}

/** What is written to a stream or a file that is opened by the path of a log: `this.stream.write(line)`. */
function isToLog(facts: ModuleFacts, receiver: ValueId | null): boolean {
  const { values, complete } = receiver === null ? { values: [], complete: false } : originsOf(facts, receiver);
  return complete && values.length > 0 && values.every((origin) => {
    const value = facts.values[origin]!;
    const opening = value.kind === "call" ? facts.calls[value.call]! : undefined;
    if (opening === undefined || !OPENS.test(chainEnd(facts, opening.callee))) return false;
    const path = pathOf(facts, opening);
    return path !== null && (isNamedLog(facts, path) || endsAsLog(facts, path));
  });
}

const OPENS = /^(?:open|openSync|createWriteStream)$/;

/** What a path that is put together ends with. */
function tailOf(facts: ModuleFacts, value: Value): ValueId | null {
  if (value.kind === "template") return value.parts.at(-1) ?? null;
  if (value.kind === "binary") return value.right;
  if (value.kind !== "call") return null;
  return facts.calls[value.call]!.arguments.at(-1)?.value ?? null;
}
