import type { ModuleFacts, Reference } from "@agentgate/parsers";
import data from "../../data/timeouts.json" with { type: "json" };
import type { Capability } from "../../catalogue/capability.ts";
import { apiName } from "../expressions.ts";
import { isModuleOf, modulesOfApis } from "../names.ts";

type Language = ModuleFacts["language"];

/** Where a call may be given a timeout. */
export interface TimeoutPlace {
  /** Python: the keyword, and where it may be given by position. */
  readonly keyword?: string;
  readonly index?: number;
  /** ECMAScript: the option, and the arguments that may be the options, the likeliest first. */
  readonly option?: string;
  readonly arguments?: readonly number[];
  /** What is given there has a limit only where it holds this option itself. */
  readonly holds?: string;
  /** What makes such an object: what another call makes may have a limit. */
  readonly makers?: readonly string[];
  /** A limit besides the one that the library has by itself: none here takes nothing away. */
  readonly beside?: true;
  /** The argument that may be a request, made before with the options. */
  readonly request?: number;
}

/** What an API of the network or of a model provider does where no timeout is given; see data/timeouts.json. */
export interface TimeoutDefault {
  /** Seconds; null: it waits for ever. */
  readonly default: number | null;
  readonly places: readonly TimeoutPlace[];
  /** Values that take the limit away, beside None and Infinity. */
  readonly unlimited?: readonly (number | boolean)[];
  readonly capability?: Capability;
  readonly client?: true;
  readonly made?: true;
  readonly strict?: true;
  /** A call of a client that has its limit elsewhere: only an explicit 'none' is reported. */
  readonly explicit?: true;
  readonly calls?: readonly { readonly members: readonly string[]; readonly places: readonly TimeoutPlace[] }[];
  readonly settings?: { readonly methods?: readonly string[]; readonly attributes?: readonly string[]; readonly ends?: readonly string[]; readonly idle?: readonly string[]; readonly listeners?: readonly string[] };
  readonly global?: readonly string[];
  readonly local?: { readonly hosts?: readonly string[]; readonly heads?: readonly string[]; readonly apis?: readonly string[]; readonly options?: readonly string[]; readonly addresses?: true; readonly paths?: true; readonly ports?: true };
  /** A raw socket: what may be done with one that does no more than connect, which the system ends by itself. */
  readonly connecting?: { readonly members: readonly string[]; readonly empty?: readonly string[]; readonly listeners?: readonly string[]; readonly events?: readonly string[] };
  /** Methods of a library's class that make it, where each send brings a limit of its own. */
  readonly madeIn?: readonly string[];
  /** Keywords of what makes it that give it another such object to send through. */
  readonly wraps?: readonly string[];
  /** When it gives the code free, where that is not never. */
  readonly until?: string;
  /** A raw socket or agent: where it leaves the function, its limit is a matter of whoever gets it. */
  readonly handed?: true;
  /** What to give, and in which unit; or a sentence of its own. */
  readonly advice?: string;
  readonly unit?: string;
  readonly instead?: string;
  readonly source: string;
}

interface Named {
  readonly of: readonly string[];
  readonly members: readonly string[];
}

const DEFAULTS: Record<Language, ReadonlyMap<string, TimeoutDefault>> = {
  python: byName(withCalls(data.python as readonly (TimeoutDefault & Named)[])),
  ecmascript: byName(withCalls(data.ecmascript as readonly (TimeoutDefault & Named)[])),
};

/** Modules that have an API with a timeout. */
export const TIMED: Record<Language, ReadonlySet<string>> = { python: modulesOfApis(DEFAULTS.python.keys()), ecmascript: modulesOfApis(DEFAULTS.ecmascript.keys()) };

/** With the calls of clients as entries of their own. */
function withCalls(entries: readonly (TimeoutDefault & Named)[]): readonly (TimeoutDefault & Named)[] {
  return entries.flatMap((entry) => [entry, ...(entry.calls ?? []).map(({ members, places }) => {
    const { client: _client, calls: _calls, ...rest } = entry;
    // A client that is called itself has the name of what makes it.
    return { ...rest, of: namesOf(entry), members: members.filter((member) => member !== ""), places, explicit: true as const };
  })]);
}

function namesOf({ of, members }: Named): readonly string[] {
  return of.flatMap((name) => members.map((member) => (member === "" ? name : `${name}.${member}`)));
}

/** What sets a limit for a whole library. */
export const GLOBAL_SETTINGS: Record<Language, readonly string[]> = { python: settingsIn(DEFAULTS.python), ecmascript: settingsIn(DEFAULTS.ecmascript) };

function settingsIn(defaults: ReadonlyMap<string, TimeoutDefault>): readonly string[] {
  return [...new Set([...defaults.values()].flatMap((entry) => entry.global ?? []))].sort();
}

const LIMITS: Record<Language, ReadonlyMap<string, unknown>> = { python: byName(data.limits.python), ecmascript: byName(data.limits.ecmascript) };

const ALARMS = new Set(data.alarms.map(({ api }) => api));

/** An object that holds several limits: which argument is the one that counts. */
export interface TimeoutObject {
  readonly first: { readonly index: number; readonly keyword: string };
  /** Parts that count in its place where they are given. */
  readonly instead?: readonly string[];
  /** Parts that are a limit too. */
  readonly also?: readonly string[];
}

const OBJECTS: ReadonlyMap<string, TimeoutObject> = new Map(Object.entries(data.objects));
const RUNNERS: ReadonlyMap<string, number> = new Map(data.runners.map(({ api, index }) => [api, index]));

function byName<Entry extends Named>(entries: readonly Entry[]): ReadonlyMap<string, Entry> {
  return new Map(entries.flatMap((entry) => namesOf(entry).map((name) => [name, entry] as const)));
}

const RUNNING = modulesOfApis(RUNNERS.keys());

/** What is known of the timeouts of an API outside the tree. */
export function timeoutDefaultOf(language: Language, reference: Reference): TimeoutDefault | null {
  if (reference.computed === true) return null;
  return DEFAULTS[language].get(apiName(reference)) ?? null;
}

/** Whether a call makes the system interrupt the function that it stands in. */
export function isAlarm(reference: Reference): boolean {
  return reference.computed !== true && ALARMS.has(apiName(reference));
}

/** Whether an API gives what runs in it a limit of time. */
export function isLimit(language: Language, reference: Reference): boolean {
  return reference.computed !== true && LIMITS[language].has(apiName(reference));
}

export function timeoutObjectOf(reference: Reference): TimeoutObject | null {
  return OBJECTS.get(apiName(reference)) ?? null;
}

/** Which argument an API runs, with the ones that follow it; null where it runs none. */
export function runnerArgument(reference: Reference): number | null {
  return isModuleOf(RUNNING, reference.module) ? RUNNERS.get(apiName(reference)) ?? null : null;
}

/** Whether a name of a function says that it limits how long what it is given may take. */
export function saysLimit(name: string): boolean {
  const word = name.replaceAll("_", "").toLowerCase();
  return data.limits.words.some((each) => word.includes(each)) && !data.limits.otherWords.includes(word);
}

/** Whether a name says that what it holds is an address, or a request. */
export function saysWord(kind: "address" | "request", name: string): boolean {
  const word = name.toLowerCase();
  return data.words[kind].some((each) => (kind === "address" ? word.includes(each) : word === each));
}
