import { constantsOf } from "@agentgate/parsers";
import type { Call, CallId, ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import words from "../../data/models/words.json" with { type: "json" };
import { argumentOf } from "../arguments.ts";
import { bare } from "../expressions.ts";
import { onceFor } from "../indexes.ts";
import { holdsOneOf } from "../names.ts";
import { asksForModel, namesModel, wordsIn } from "./words.ts";

/** How code comes to choose a model. */
export type Kind =
  | "parameter" | "field" | "constant" | "environment" | "option" | "lookup" | "prompt" | "fallback" | "branch" | "schema" | "table" | "result" | "call";

/** A value that is taken where a setting has none. */
export interface DefaultRead {
  readonly kind: Extract<Kind, "environment" | "option" | "lookup" | "prompt">;
  /** The setting's name as written. */
  readonly key: string;
  /** -1 where the call has no default. */
  readonly value: ValueId;
}

const ENVIRONMENT = new Set(words.environmentReaders);
const SETTINGS = new Set(words.settingReaders);
const OPTIONS = new Set(words.optionMakers);
const PROMPTS = new Set(words.prompts);

const holdsReader = holdsOneOf(["prompt", ...ENVIRONMENT, ...SETTINGS, ...OPTIONS, ...PROMPTS]);

/** The last name of an expression: `get` of `os.environ.get`, `getenv`; empty where it has none. */
export function lastName(facts: ModuleFacts, id: ValueId): string {
  const value = facts.values[bare(facts, id)];
  if (value?.kind === "name") return value.name;
  return value?.kind === "member" ? value.property ?? "" : "";
}

function receiverName(facts: ModuleFacts, callee: Value | undefined): string {
  return callee?.kind === "member" ? lastName(facts, callee.object) : "";
}

/** Whether an expression holds settings of the environment by its name: `os.environ`, `process.env`, `env`. */
function isEnvironment(name: string): boolean {
  return wordsIn(name).some((word) => ENVIRONMENT.has(word));
}

/** What kind of setting a call reads or defines, by what it is called. */
function kindOf(facts: ModuleFacts, call: Call): DefaultRead["kind"] | null {
  const callee = facts.values[call.callee];
  const name = lastName(facts, call.callee);
  const receiver = receiverName(facts, callee);
  if (!holdsReader(name) && !holdsReader(receiver)) return null;
  const parts = wordsIn(name);
  if (parts.some((word) => OPTIONS.has(word))) return "option";
  if (parts.some((word) => ENVIRONMENT.has(word)) || isEnvironment(receiver)) return "environment";
  if (parts.some((word) => PROMPTS.has(word)) || wordsIn(receiver).includes("prompt")) return "prompt";
  return parts.some((word) => SETTINGS.has(word)) ? "lookup" : null;
}

/** The texts that an argument can be. */
function textsOf(facts: ModuleFacts, id: ValueId): readonly string[] {
  const written = facts.values[id];
  if (written?.kind === "string") return [written.value];
  return (constantsOf(facts, id) ?? []).flatMap(({ value }) => (typeof value === "string" ? [value] : []));
}

/** What a call reads or asks for where that names a model: `getenv("MODEL", d)`, `add_argument("--model", default=d)`. */
export function defaultRead(facts: ModuleFacts, id: CallId): DefaultRead | null {
  const known = readsByCall(facts);
  let read = known.get(id);
  if (read === undefined) known.set(id, (read = findRead(facts, id)));
  return read;
}

const readsByCall = onceFor(() => new Map<CallId, DefaultRead | null>());

function findRead(facts: ModuleFacts, id: CallId): DefaultRead | null {
  const call = facts.calls[id]!;
  if (call.arguments.length === 0) return null;
  const kind = kindOf(facts, call);
  if (kind === null) return null;
  const positional = call.arguments.filter((argument) => argument.name === undefined);
  const isKey = kind === "prompt" ? asksForModel : namesModel;
  for (const [index, argument] of positional.slice(0, 4).entries()) {
    const key = textsOf(facts, argument.value).find(isKey);
    if (key !== undefined) return { kind, key, value: defaultOf(facts, call, kind, index) };
  }
  if (kind !== "prompt") return null;
  const asked = argumentOf(facts, call, null, "message");
  const key = typeof asked === "number" ? textsOf(facts, asked).find(asksForModel) : undefined;
  return key === undefined ? null : { kind, key, value: defaultOf(facts, call, kind, -1) };
}

function defaultOf(facts: ModuleFacts, call: Call, kind: DefaultRead["kind"], key: number): ValueId {
  for (const name of words.defaultKeys) {
    const given = argumentOf(facts, call, null, name);
    if (typeof given === "number") return given;
  }
  const positional = call.arguments.filter((argument) => argument.name === undefined);
  // An option's description stands between its name and its default.
  const at = kind === "option" ? Math.max(key + 2, positional.length - 1) : key + 1;
  if (kind === "prompt" || (kind === "option" && facts.language === "python")) return -1;
  return positional[at]?.value ?? -1;
}

/** The name of the setting that an expression reads, and whether the environment holds it. */
export function settingRead(facts: ModuleFacts, id: ValueId): { readonly key: string; readonly isEnvironment: boolean } | null {
  const value = facts.values[bare(facts, id)];
  if (value?.kind === "name") return { key: value.name, isEnvironment: false };
  if (value?.kind === "member") {
    const key = value.property ?? (value.key === null ? "" : textsOf(facts, value.key)[0] ?? "");
    return { key, isEnvironment: isEnvironment(lastName(facts, value.object)) };
  }
  if (value?.kind !== "call") return null;
  const read = defaultRead(facts, value.call);
  if (read !== null) return { key: read.key, isEnvironment: read.kind === "environment" };
  const method = facts.values[facts.calls[value.call]!.callee];
  return method?.kind === "member" && isTextMethod(method.property) ? settingRead(facts, method.object) : null;
}

const TEXT_METHODS = new Set(words.textMethods);

/** `lower`, `trim`: a method whose result is the same name. */
export function isTextMethod(name: string | null): boolean {
  return name !== null && TEXT_METHODS.has(name);
}
