import { constantsOf } from "@agentgate/parsers";
import type { Call, ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import data from "../../data/package-installs.json" with { type: "json" };
import { argumentOf } from "../arguments.ts";
import { bare } from "../expressions.ts";
import { idOfCall, onceFor } from "../indexes.ts";
import { testsAround } from "../statements.ts";

const { makers, says, help } = data.commands.options;
const MAKERS = new Set(makers);
const SAYS = new RegExp(`^\\s*(?:${says.join("|")})\\b`, "i");
const MOST_VALUES = 200;

/** Whether a call stands in a branch that only an option takes whose help says that it installs: `--provision`, "install dependencies …". */
export function isAskedByOption(facts: ModuleFacts, call: Call): boolean {
  const options = installingOptions(facts);
  if (options.size === 0) return false;
  return testsAround(facts, idOfCall(facts, call)).some(({ statement }) => asksFor(facts, statement.test, options));
}

/** The names under which options of the file are read whose help begins with saying that they install. */
const installingOptions = onceFor((facts): ReadonlySet<string> => new Set([...optionsOfCalls(facts), ...optionsInTables(facts)].filter((name) => name !== "")));

function optionsOfCalls(facts: ModuleFacts): readonly string[] {
  return facts.calls.flatMap((call) => {
    const callee = facts.values[call.callee];
    if (callee?.kind !== "member" || !MAKERS.has(callee.property ?? "")) return [];
    const positional = call.arguments.filter(({ name }) => name === undefined).map(({ value }) => textOf(facts, value) ?? "");
    const flags = positional.filter((text) => text.startsWith("-") || text === positional[0]);
    const told = [...help.map((name) => argumentOf(facts, call, null, name)).map((id) => (typeof id === "number" ? textOf(facts, id) ?? "" : "")), ...positional.slice(1)];
    return told.some((text) => SAYS.test(text)) ? [...flags.map(nameOf), destination(facts, call)] : [];
  });
}

/** `{ name: "install", description: "Auto-install what is missing", type: "boolean" }`: a switch of a command that a table describes. */
function optionsInTables(facts: ModuleFacts): readonly string[] {
  return facts.values.flatMap((value) => {
    if (value.kind !== "table") return [];
    const told = new Map(value.entries.flatMap(({ key, value: given }) => (key === null ? [] : [[textOf(facts, key) ?? "", textOf(facts, given) ?? ""] as const])));
    const says = help.some((name) => SAYS.test(told.get(name) ?? ""));
    return says && /^bool(?:ean)?$/.test(told.get("type") ?? "") ? [nameOf(told.get("name") ?? "")] : [];
  });
}

/** `--no-cache <path>` is read as `noCache` or `no_cache`. */
function nameOf(flag: string): string {
  return plain(/^-*([\w-]+)/.exec(flag.split(/[ ,|]+(?=--)/).at(-1)!)?.[1] ?? "");
}

function destination(facts: ModuleFacts, call: Call): string {
  const given = argumentOf(facts, call, null, "dest");
  return typeof given === "number" ? plain(textOf(facts, given) ?? "") : "";
}

function plain(name: string): string {
  return name.replaceAll(/[-_]/g, "").toLowerCase();
}

/** Whether a test reads such an option: `args.provision`, `getattr(options, "provision", False)`. */
function asksFor(facts: ModuleFacts, test: ValueId, options: ReadonlySet<string>): boolean {
  const [start, end] = facts.values[test]!.span;
  let asked = 0;
  for (let id = 0; id < facts.values.length && asked < MOST_VALUES; id++) {
    const value = facts.values[id]!;
    if (value.span[0] < start || value.span[1] > end) continue;
    asked++;
    if (isRead(facts, value, options)) return true;
    if (value.kind === "call" && isGetattr(facts, facts.calls[value.call]!, options)) return true;
  }
  return false;
}

/** `flags.provision`, and a name that is only given that. */
function isRead(facts: ModuleFacts, value: Value, options: ReadonlySet<string>): boolean {
  const [given, ...others] = value.kind === "name" ? facts.bindings[value.binding]?.values ?? [] : [];
  const read = given === undefined || others.length > 0 ? value : facts.values[bare(facts, given)];
  return read?.kind === "member" && options.has(plain(read.property ?? ""));
}

function isGetattr(facts: ModuleFacts, call: Call, options: ReadonlySet<string>): boolean {
  const callee = facts.values[call.callee];
  const name = call.arguments[1];
  return callee?.kind === "name" && callee.name === "getattr" && name !== undefined && options.has(plain(textOf(facts, name.value) ?? ""));
}

function textOf(facts: ModuleFacts, id: ValueId): string | null {
  const constants = constantsOf(facts, id);
  const text = constants?.length === 1 ? constants[0]!.value : null;
  return typeof text === "string" ? text : null;
}
