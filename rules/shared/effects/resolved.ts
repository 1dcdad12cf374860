import { constantsOf } from "@agentgate/parsers";
import type { Call, ModuleFacts, Reference, Value } from "@agentgate/parsers";
import type { Capability } from "../../catalogue/capability.ts";
import { actionOf } from "../../catalogue/action.ts";
import type { Classified } from "../../catalogue/classify.ts";
import { sendsMutatingVerb, distinctiveTail } from "../../catalogue/tails.ts";
import { verbOfName } from "../../catalogue/verbs.ts";
import { apiName, bare, originsOf, someIngredient } from "../expressions.ts";
import { isInMemory } from "../in-memory.ts";
import { resultCall } from "../result-calls.ts";
import { isTextMethod } from "../text-methods.ts";
import { onlyReads } from "./addresses.ts";
import { chainOf } from "./chain.ts";
import { isOfMemory, isOnPlainTable } from "./in-process.ts";
import { asksByName, asksDatabase, asksStore, command, commandReceives, isFragment, runsOwnBatch } from "./commands.ts";
import { isOnMemoryStore } from "./memory-stores.ts";
import { isTemporary } from "./temporary.ts";
import { readsRows, runsOther } from "./database-reads.ts";
import { isBuiltRead } from "./selects.ts";
import { isInReader } from "./readers.ts";
import { isHarmlessSql, sqlOf } from "./statements.ts";
import { isStatementRun, STATEMENT_TAGS } from "./tagged.ts";
import { asksWhetherUp, fillsCache, isNotice } from "./transient.ts";
import { staysInProcess } from "./transports.ts";
import { mutates, optionOf, sentBy } from "./verbs.ts";
import type { Sends } from "./verbs.ts";
import { ACTING, ANY_REQUESTS, DATA_GIVERS, DATA_MODULES, EXECUTES, HANDLE_MEMBERS, HANDLES, LOGS, MODEL_CALLS, MODEL_MAKERS, MODEL_METHODS, MODEL_PLAIN, NET_HANDLES, OF_ITEMS, PLAIN_DATA, SENDS, SERVER_NAMES, SERVERS, STARTING, TOOL_CALLS } from "./vocabulary.ts";

/** What a call of an API does, if that counts as an effect. */
export interface Done {
  readonly capability: Capability;
  readonly writes: boolean;
  readonly temporary?: true;
  /** Of a request that may write: what is known of its verb. */
  readonly sends?: Sends;
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
  const name = nameOf(reference);
  const called: Called = { facts, call, reference, answer, name };
  if (isServer(called) || isHandle(called) || isTextMethod(call, reference) || isOnPlainTable(facts, call)) return [];
  return answer.capabilities.flatMap((capability): Done[] => doneAs(called, capability));
}

/** The last name; of a package that is itself called, its own. */
function nameOf({ module, path }: Reference): string {
  const last = path.at(-1);
  return last === undefined || (last === "default" && path.length === 1) ? module.replace(/^.*[/:]/, "").replaceAll("-", "") : last;
}

function doneAs(called: Called, capability: Capability): Done[] {
  switch (capability) {
    case "net": return net(called);
    case "proc": return isStarting(called) ? [{ capability, writes: false }] : [];
    case "model": return isModelCall(called) ? [{ capability, writes: false }] : [];
    case "tool": return tool(called);
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

/** Running a tool; asking its server for something else is talk on a network. */
function tool(called: Called): Done[] {
  const { facts, call, name } = called;
  if (isConstruction(called) || PLAIN_DATA.has(name) || isOnResult(facts, call) || (name === "get" && isLookup(called))) return [];
  const word = name.toLowerCase();
  // `client.request({ method: "tasks/get" })` carries any request; only `tools/call` runs a tool.
  if (ANY_REQUESTS.has(word)) return [{ capability: asksForTool(facts, call) ? "tool" : "net", writes: false }];
  if (TOOL_CALLS.has(word) || distinctiveTail(called.reference.path) === "tool") return [{ capability: "tool", writes: false }];
  return verbOfName(name) === "read" ? [{ capability: "net", writes: false }] : [];
}

/** Whether what is sent names the call of a tool: its method, or the class of the request or of its answer. */
function asksForTool(facts: ModuleFacts, call: Call): boolean {
  return call.arguments.some(({ value }) => someIngredient(facts, value, (part) => {
    const name = part.kind === "string" ? part.value : part.kind === "name" ? part.name : part.kind === "member" ? part.property ?? "" : "";
    return name === "tools/call" || /^_?calltool/i.test(name.replaceAll("_", ""));
  }, 40));
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
function isHandle({ facts, call, reference, answer, name }: Called): boolean {
  // Of Node's files it makes or empties the file at once; of a store it opens an upload.
  if (ACTING.has(name) || (name === "createWriteStream" && OF_FILES.has(answer.root))) return false;
  if (HANDLES.has(name.toLowerCase()) || reference.path.slice(0, -1).some((member) => HANDLE_MEMBERS.has(member))) return true;
  if (reference.path.some((member, index) => LOGS.has(member) || LOGS.has(reference.path.slice(index, index + 2).join(".")))) return true;
  // Calling what a call gave makes another handle: `sessionmaker(engine)()`.
  return reference.instance === true && call.construct !== true && facts.values[bare(facts, call.callee)]?.kind !== "member" && /^[A-Z]/.test(name);
}

const OF_FILES: ReadonlySet<string> = new Set(["fs", "fs-extra", "graceful-fs"]);

/** A class that is constructed; Python's constructions are plain calls. */
function isConstruction({ call, name }: Called): boolean {
  if (ACTING.has(name)) return false;
  return call.construct === true || /^[A-Z]/.test(name);
}

function net(called: Called): Done[] {
  const { facts, call, reference, answer, name } = called;
  if (isConstruction(called) || isOfResult(called, "net") || name === "Request" || NET_HANDLES.has(name)) return [];
  if (name === "get" && isLookup(called)) return [];
  if ((!answer.exact && !isNetworkVerb(called)) || staysInProcess(facts, call)) return [];
  const verb = mutates(facts, call, name) ?? (facts.values[call.callee]?.kind === "name" ? null : sendsMutatingVerb(reference));
  // A package that is itself called is named like no method: `got(url, { method: "POST" })`.
  const writes = verb === true && !onlyReads(facts, call, isPackageCalled(reference) ? "request" : name) && !asksWhetherUp(facts, call, name);
  return [{ capability: "net", writes, ...(writes && { sends: sentBy(facts, call, name) }) }];
}

/** A member that its package's entry does not list talks by a name that does something, and not on data that a call gave. */
function isNetworkVerb({ facts, call, reference, name }: Called): boolean {
  if (isPackageCalled(reference)) return true;
  if (PLAIN_DATA.has(name) || /^(?:is|has|set|add|use|register|from)(?:_|[A-Z])/.test(name) || (verbOfName(name) === null && sendsMutatingVerb(reference) === null && !/^(?:send|recv|request|fetch|connect|goto|call|launch|url|download|stream|open|crawl|scrape)/i.test(name))) return false;
  return reference.instance !== true || !isOnResult(facts, call);
}

/** `fetch(url)`, `got(url)` of a package that is itself called. */
function isPackageCalled({ instance, path }: Reference): boolean {
  return instance !== true && (path.length === 0 || (path.length === 1 && path[0] === "default"));
}

/** `get` of a table: of what an answer holds, of what is annotated as a table, or of an attribute of a class of data. */
function isLookup({ facts, call, reference }: Called): boolean {
  if (reference.instance === true && isKey(facts, call)) return true;
  return isOnPlainTable(facts, call) || isOfDataClass(reference);
}

/** `client.types.Item.parameters.get`. */
function isOfDataClass({ module, path }: Reference): boolean {
  const names = [...module.split(/[./]/), ...path];
  const at = names.findIndex((name, index) => index > 0 && DATA_MODULES.has(name));
  const subject = at < 0 ? -1 : names.findIndex((name, index) => index > at && /^[A-Z]/.test(name));
  return subject >= 0 && subject < names.length - 2;
}

/** `answer.get("id")`: a key of a table, no address. */
function isKey(facts: ModuleFacts, call: Call): boolean {
  const [first] = call.arguments;
  const constants = first === undefined ? null : constantsOf(facts, first.value);
  return constants !== null && constants.length > 0 && constants.every(({ value }) => typeof value === "string" && !value.includes("/"));
}

/** Whether a call is made on what another call gave that did something itself: `page.content().count("x")`. */
export function isOnResult(facts: ModuleFacts, call: Call): boolean {
  const callee = facts.values[bare(facts, call.callee)];
  if (callee?.kind !== "member") return false;
  const origins = originsOf(facts, callee.object).values;
  return origins.length > 0 && origins.every((origin) => {
    const value = facts.values[origin];
    const made = value?.kind === "call" ? facts.calls[value.call] : undefined;
    const name = made === undefined ? undefined : chainOf(facts, made.callee)?.names.at(-1);
    return name !== undefined && made?.construct !== true && verbOfName(name) !== null && !HANDLES.has(name.toLowerCase()) && !NET_HANDLES.has(name);
  });
}

/** What is called on an answer, or on text and lists in it, was sent for by the call that gave it. */
function isOfResult({ reference }: Called, capability: Capability): boolean {
  const length = resultCall(reference, capability);
  if (length !== null && length < reference.path.length) return true;
  return reference.instance === true && reference.path.slice(1, -1).some((name) => PLAIN_DATA.has(name) && !(capability === "net" && NET_HANDLES.has(name)));
}

/** A process handle's own methods wait for it, read from it or end it. */
function isStarting(called: Called): boolean {
  const { reference, answer, name } = called;
  if (isOfResult(called, "proc") || (PLAIN_DATA.has(name) && !answer.exact)) return false;
  if (reference.instance !== true) return ACTING.has(name) || !isConstruction(called);
  return STARTING.has(name) && (answer.exact || isLastCalled(called));
}

/** Whether nothing that starts a process was called before on the way. */
function isLastCalled({ reference }: Called): boolean {
  return !reference.path.slice(0, -1).some((name) => STARTING.has(name));
}

function isModelCall(called: Called): boolean {
  const { reference, name } = called;
  if (MODEL_PLAIN.has(name) || isConstruction(called) || PLAIN_DATA.has(name)) return false;
  if (MODEL_MAKERS.some((module) => reference.module.startsWith(module))) return false;
  if (distinctiveTail(reference.path) !== null) return true;
  if (distinctiveTail(reference.path.slice(0, -1)) !== null || isOfResult(called, "model")) return false;
  return MODEL_CALLS.has(name.toLowerCase()) && !reference.path.slice(0, -1).some((member) => MODEL_CALLS.has(member.toLowerCase()) && member !== "completions" && member !== "chat");
}

/** Of these `row.destroy()` deletes it; other clients end a connection or a stream so. */
const DESTROYING = new Set(["sequelize", "sequelize-typescript", "bookshelf", "waterline"]);

function store(called: Called, capability: "db.write" | "cloud.write"): Done[] {
  const { answer, reference, facts, call, name } = called;
  if (call.tagged === true && STATEMENT_TAGS.has(answer.root)) return isStatementRun(facts, call) ? [{ capability, writes: true }] : [];
  if (isConstruction(called) || isResultCalled(called) || name.startsWith("_") || isOnData(called) || asksByName(called)) return [];
  if (!answer.exact && PLAIN_DATA.has(name) && (verbOfName(name) !== "write" || isOnResult(facts, call) || isOnRead(called))) return [];
  if (isOnWrite(facts, call) || (name === "destroy" && call.arguments.length === 0 && !DESTROYING.has(answer.root))) return [];
  // A module's own function that tells no verb makes a handle: `boto3.client`, `create_engine`.
  const verb = verbOfName(name);
  if (reference.instance !== true && (answer.byVerb === true || verb === null) && answer.depends !== true) return [];
  if (fillsCache(facts, call, reference)) return [{ capability: "net", writes: false }];
  if (MODEL_METHODS.has(name.toLowerCase())) return [{ capability: "model", writes: false }];
  if (name === "send") return command(facts, call, capability);
  if (verb === null && !answer.exact && !EXECUTES.has(name.toLowerCase())) return [];
  if (capability === "db.write" && (isOfMemory(called.reference.path) || isOnMemoryStore(facts, call) || isBuiltRead(facts, call) || givesNoWrite(facts, call) || isFragment(called) || asksDatabase(called) || asksStore(called) || runsOwnBatch(called) || readsRows(called) || runsOther(called) || runsInReader(called))) return [];
  return [{ capability, writes: true }];
}

/** `page.payload.copy()`: what was read is data, and only what a store takes too (`insert`, `remove`) may be a write. */
function isOnRead({ reference, name }: Called): boolean {
  if (name === "insert" || name === "remove" || reference.instance !== true) return false;
  return reference.path.slice(0, -1).some((member) => verbOfName(member) === "read" && !HANDLES.has(member.toLowerCase()));
}

/** `row.copy().update(more)`, `resource["uri"].replace(a, b)`: on plain data that a client gave. */
function isOnData({ facts, call, reference, name }: Called): boolean {
  if (reference.instance !== true) return false;
  if (reference.path.slice(0, -1).some((member) => DATA_GIVERS.has(member))) return true;
  const callee = facts.values[bare(facts, call.callee)];
  const object = callee?.kind === "member" ? facts.values[bare(facts, callee.object)] : undefined;
  return OF_ITEMS.has(name) && object?.kind === "member" && object.subscript === true;
}

/** Text that begins, sets up or gives up a transaction, or reads. */
function givesNoWrite(facts: ModuleFacts, call: Call): boolean {
  const [first] = call.arguments;
  const text = optionOf(facts, call, "sql") ?? optionOf(facts, call, "text") ?? optionOf(facts, call, "query") ?? first?.value ?? null;
  return text !== null && isHarmlessSql(facts, text);
}

/** `cursor.execute(query)` of an open text, in a function that reads by its name. */
function runsInReader({ facts, call, name }: Called): boolean {
  const [first] = call.arguments;
  return /^(?:execute|query|run|exec)$/.test(name) && first !== undefined && sqlOf(facts, first.value) === null && isInReader(facts, call);
}

/** `db.update(users).set(row)`, `messages.send(body).execute()`: the call that it is chained to is the write. */
function isOnWrite(facts: ModuleFacts, call: Call): boolean {
  let callee = facts.values[bare(facts, call.callee)];
  for (let step = 0; step < 8 && callee?.kind === "member"; step++) {
    const object: Value | undefined = facts.values[callee.object];
    if (object?.kind === "member") { callee = object; continue; }
    if (object?.kind !== "call") return false;
    const made = facts.calls[object.call]!;
    callee = facts.values[made.callee];
    const name = callee?.kind === "member" ? callee.property ?? "" : "";
    if (made.construct !== true && verbOfName(name) === "write" && !HANDLES.has(name.toLowerCase()) && !/^(?:create|open|run|start)/i.test(name)) return true;
  }
  return false;
}

function files(called: Called, capability: "fs.write" | "fs.delete"): Done[] {
  const { facts, call, reference, answer, name } = called;
  if (fillsCache(facts, call, reference)) return [];
  if (name === "destroy" || isResultCalled(called) || isOnCollection(called)) return [];
  // What a package does by default is known by its verb only: `git.Repo(path)` writes nothing yet.
  if (!answer.exact && (isConstruction(called) || verbOfName(name) !== "write")) return [];
  if (isInMemory(facts, call) || /(?:^|\.)(?:stdout|stderr)(?:\.|$)/.test(apiName(reference))) return [];
  return [{ capability, writes: true, ...(isTemporary(facts, call, name) || /^(?:tempfile|tmp|temp|tempy|tmp-promise)$/.test(reference.module) ? { temporary: true as const } : {}) }];
}

/** `const release = await lock(path); await release()`: what a call gave is called, not a member of it. */
function isResultCalled({ facts, call, reference, name }: Called): boolean {
  const callee = facts.values[bare(facts, call.callee)];
  return reference.instance === true && callee?.kind === "name" && callee.name !== name;
}

/** `document.packages.append(one)`: a list that something constructed holds. */
function isOnCollection({ reference, answer, name }: Called): boolean {
  return !answer.exact && reference.instance === true && reference.path.length > 2 && (OF_ITEMS.has(name) || name === "copy");
}

/** By the method itself, or by it with the members before it: `emails.send`. */
function isSent(called: Called, capability: Capability): boolean {
  const { facts, call, reference, name } = called;
  if (isConstruction(called) || isNotice(facts, call, name) || (capability === "queue" && name === "send" && commandReceives(facts, call))) return false;
  const action = actionOf(facts.language, reference);
  if (action === "read" || action === "pure") return false;
  const known = SENDS.get(capability)!;
  const last = name.toLowerCase();
  return (action === "write" && verbOfName(name) !== null && capability !== "queue" && !BEGINS.test(name)) || known.has(last) || known.has(reference.path.slice(-2).join(".").toLowerCase()) || startsLikeSending(last);
}

/** A bot or a listener that is set up, started or ended. */
const BEGINS = /^(?:destroy|login|logout|disconnect|shutdown|start|run|stop|register|set|add|use|open|connect|initialize|launch|listen|subscribe|close|restart)/i;

function startsLikeSending(name: string): boolean {
  return /^(?:send|publish|post|chat_post|enqueue|produce|create_payment|capture|refund)(?:_|$)/.test(name);
}
