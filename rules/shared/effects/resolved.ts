import type { Call, ModuleFacts, Reference } from "@agentgate/parsers";
import type { Capability } from "../../catalogue/capability.ts";
import type { Classified } from "../../catalogue/classify.ts";
import { sendsMutatingVerb, distinctiveTail } from "../../catalogue/tails.ts";
import { verbOfName } from "../../catalogue/verbs.ts";
import { apiName, bare, isApi, originsOf } from "../expressions.ts";
import { isInMemory } from "../in-memory.ts";
import { resultCall } from "../result-calls.ts";
import { isTextMethod } from "../text-methods.ts";
import { onlyReads } from "./addresses.ts";
import { chainOf } from "./chain.ts";
import { isTemporary } from "./temporary.ts";
import { readsText } from "./statements.ts";
import { mutates } from "./verbs.ts";
import { ACTING, HANDLE_MEMBERS, HANDLES, LOGS, MODEL_CALLS, MODEL_PLAIN, NET_HANDLES, SENDS, SERVER_NAMES, SERVERS, STARTING } from "./vocabulary.ts";

/** What a call of an API does, if that counts as an effect. */
export interface Done {
  readonly capability: Capability;
  readonly writes: boolean;
  readonly temporary?: true;
}

/** A call of an API outside the tree, as it is asked about. */
export interface Called {
  readonly facts: ModuleFacts;
  readonly call: Call;
  readonly reference: Reference;
  readonly answer: Classified;
  /** The last name of the reference. */
  readonly name: string;
}

/** The effects of a call whose callee resolves to an API. */
export function doneBy(facts: ModuleFacts, call: Call, reference: Reference, answer: Classified): readonly Done[] {
  const name = reference.path.at(-1) ?? "";
  const called: Called = { facts, call, reference, answer, name };
  if (isServer(called) || isHandle(called) || isTextMethod(call, reference)) return [];
  return answer.capabilities.flatMap((capability): Done[] => doneAs(called, capability));
}

function doneAs(called: Called, capability: Capability): Done[] {
  switch (capability) {
    case "net": return net(called);
    case "proc": return isStarting(called) ? [{ capability, writes: false }] : [];
    case "model": return isModelCall(called) ? [{ capability, writes: false }] : [];
    case "tool": return [{ capability, writes: false }];
    case "db.write":
    case "cloud.write": return store(called, capability);
    case "fs.write":
    case "fs.delete": return files(called, capability);
    case "env.write": return [{ capability, writes: true }];
    case "queue":
    case "mail":
    case "notify":
    case "pay": return isSent(called, capability) ? [{ capability, writes: true }] : [];
    default: return [];
  }
}

/** What a web framework is told: handlers, settings, answers. */
function isServer({ facts, reference }: Called): boolean {
  const { module, path } = reference;
  const plain = module.startsWith("node:") ? module.slice(5) : module;
  const names = [plain, ...path].join(".");
  const servers = SERVERS[facts.language];
  const separator = facts.language === "python" ? "." : "/";
  for (let end = plain.length; end > 0; end = plain.lastIndexOf(separator, end - 1)) if (servers.has(plain.slice(0, end))) return true;
  if (facts.language === "python") for (let end = names.length; end > 0; end = names.lastIndexOf(".", end - 1)) if (servers.has(names.slice(0, end))) return true;
  return path.some((name) => SERVER_NAMES.has(name));
}

/** Making, setting up, opening or closing a client. */
function isHandle({ facts, call, reference, name }: Called): boolean {
  if (ACTING.has(name)) return false;
  if (HANDLES.has(name.toLowerCase()) || reference.path.slice(0, -1).some((member) => HANDLE_MEMBERS.has(member))) return true;
  if (reference.path.some((member) => LOGS.has(member))) return true;
  // Calling what a call gave makes another handle: `sessionmaker(engine)()`.
  return reference.instance === true && call.construct !== true && facts.values[bare(facts, call.callee)]?.kind !== "member" && isNamedLikeMaker(name);
}

function isNamedLikeMaker(name: string): boolean {
  return /^[A-Z]/.test(name) || HANDLES.has(name.toLowerCase());
}

/** A class that is constructed; Python's constructions are plain calls. */
function isConstruction({ call, reference, name }: Called): boolean {
  if (ACTING.has(name)) return false;
  return call.construct === true || (/^[A-Z]/.test(name) && !/^[A-Z0-9_]+$/.test(name)) || reference.path.length === 0 && call.construct === true;
}

function net(called: Called): Done[] {
  const { facts, call, reference, name } = called;
  if (isConstruction(called) || isOfResult(called, "net") || name === "Request" || NET_HANDLES.has(name)) return [];
  const verb = mutates(facts, call, name) ?? (facts.values[call.callee]?.kind === "name" ? null : sendsMutatingVerb(reference));
  const writes = verb === true && !onlyReads(facts, call, name);
  return [{ capability: "net", writes }];
}

/** What is called on an answer was sent for by the call that gave it. */
function isOfResult({ reference }: Called, capability: Capability): boolean {
  const length = resultCall(reference, capability);
  return length !== null && length < reference.path.length;
}

/** A process handle's own methods wait for it, read from it or end it. */
function isStarting(called: Called): boolean {
  const { reference, answer, name } = called;
  if (isOfResult(called, "proc")) return false;
  if (reference.instance !== true) return ACTING.has(name) || !isConstruction(called);
  return STARTING.has(name) && (answer.exact || isLastCalled(called));
}

/** Whether nothing that starts a process was called before on the way. */
function isLastCalled({ reference }: Called): boolean {
  return !reference.path.slice(0, -1).some((name) => STARTING.has(name));
}

function isModelCall(called: Called): boolean {
  const { reference, name } = called;
  if (MODEL_PLAIN.has(name) || isConstruction(called)) return false;
  if (distinctiveTail(reference.path) !== null) return true;
  if (distinctiveTail(reference.path.slice(0, -1)) !== null || isOfResult(called, "model")) return false;
  return MODEL_CALLS.has(name.toLowerCase()) && !reference.path.slice(0, -1).some((member) => MODEL_CALLS.has(member.toLowerCase()) && member !== "completions" && member !== "chat");
}

function store(called: Called, capability: "db.write" | "cloud.write"): Done[] {
  const { answer, reference, facts, call, name } = called;
  if (isConstruction(called)) return [];
  // A module's own function that tells no verb makes a handle: `boto3.client`, `create_engine`.
  if (reference.instance !== true && (answer.byVerb === true || verbOfName(name) === null) && answer.depends !== true) return [];
  if (reference.instance === true && facts.values[bare(facts, call.callee)]?.kind !== "member") return [];
  if (capability === "cloud.write" && name === "send" && commandReads(facts, call)) return [];
  if (capability === "db.write" && isBuiltRead(facts, call)) return [];
  return [{ capability, writes: true }];
}

/** `client.send(new GetObjectCommand(…))`. */
function commandReads(facts: ModuleFacts, call: Call): boolean {
  const [first] = call.arguments;
  if (first === undefined) return false;
  const origins = originsOf(facts, first.value).values;
  return origins.length > 0 && origins.every((origin) => {
    const value = facts.values[origin];
    const name = value?.kind === "call" ? chainOf(facts, facts.calls[value.call]!.callee)?.names.at(-1) : undefined;
    return name !== undefined && verbOfName(name) === "read";
  });
}

const SELECTS = ["sqlalchemy.select", "sqlalchemy.future.select", "sqlmodel.select", "sqlalchemy.sql.select", "sqlalchemy.exists", "sqlalchemy.sql.expression.select"];
const TEXTS = ["sqlalchemy.text", "sqlalchemy.sql.text"];

/** `session.execute(select(User).where(…))`, `session.execute(text("SELECT 1"))`: a statement that is built, and reads. */
export function isBuiltRead(facts: ModuleFacts, call: Call): boolean {
  const [first] = call.arguments;
  if (first === undefined) return false;
  const origins = originsOf(facts, first.value).values;
  return origins.length > 0 && origins.every((origin) => statementReads(facts, origin));
}

function statementReads(facts: ModuleFacts, origin: number): boolean {
  let current = origin;
  for (let step = 0; step < 32; step++) {
    const value = facts.values[current];
    if (value?.kind === "name") {
      const values = facts.bindings[value.binding]?.values ?? [];
      if (values.length !== 1) return false;
      current = values[0]!;
      continue;
    }
    const made = value?.kind === "call" ? facts.calls[value.call] : undefined;
    if (made === undefined) return false;
    if (isApi(facts, made.callee, SELECTS)) return true;
    if (isApi(facts, made.callee, TEXTS)) return readsText(facts, made);
    const callee = facts.values[made.callee];
    if (callee?.kind !== "member") return false;
    current = bare(facts, callee.object);
  }
  return false;
}

function files(called: Called, capability: "fs.write" | "fs.delete"): Done[] {
  const { facts, call, reference, name } = called;
  if (isInMemory(facts, call) || /(?:^|\.)(?:stdout|stderr)(?:\.|$)/.test(apiName(reference))) return [];
  return [{ capability, writes: true, ...(isTemporary(facts, call, name) || /^(?:tempfile|tmp|temp|tempy|tmp-promise)$/.test(reference.module) ? { temporary: true as const } : {}) }];
}

/** By the method itself, or by it with the members before it: `emails.send`. */
function isSent(called: Called, capability: Capability): boolean {
  const { reference, name } = called;
  if (isConstruction(called)) return false;
  const known = SENDS.get(capability)!;
  const last = name.toLowerCase();
  return known.has(last) || known.has(reference.path.slice(-2).join(".").toLowerCase()) || startsLikeSending(last);
}

function startsLikeSending(name: string): boolean {
  return /^(?:send|publish|post|chat_post|enqueue|produce|create_payment|capture|refund)(?:_|$)/.test(name);
}
