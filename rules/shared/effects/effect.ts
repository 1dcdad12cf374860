import type { CallId, FunctionId, ModuleFacts, Span, ValueId } from "@agentgate/parsers";
import type { Capability } from "../../catalogue/capability.ts";
import type { Sends } from "./verbs.ts";

/**
 * How the receiver of a call is known, the surest first:
 * - `resolved`: imported, global, constructed, or made by a function of the tree
 * - `annotation`: only an annotation says what it is
 * - `tail`: the end of the call path tells by itself (`chat.completions.create`)
 * - `arguments`: what the call is given tells (SQL text, a URL with a verb, Bucket and Key, topic and messages)
 * - `convention`: its conventional name together with the method (`session.post`, `cursor.execute`)
 */
export type Told = "resolved" | "annotation" | "tail" | "arguments" | "convention";

/** One thing that a call of the judged module does outside the process. */
export interface Effect {
  /** Only those of EFFECTS: the writes, `model`, `tool`, `net`, `proc`; never reads of files, environment, database or cloud. */
  readonly capability: Capability;
  /** As shown: `httpx.post`, `session.post`, `node:fs.writeFile`. */
  readonly api: string;
  /** The API root; of a handle that nothing resolves, its conventional name. */
  readonly root: string;
  /**
   * It is one of WRITES: `db.write cloud.write fs.write fs.delete queue mail notify pay env.write`, or `net` with a
   * mutating verb whose address does not show that it only reads or authenticates.
   */
  readonly writes: boolean;
  /** Of a `net` that writes: what is known of its verb. */
  readonly sends?: Sends;
  /** It writes in a temporary folder only. */
  readonly temporary?: true;
  readonly told: Told;
  readonly call: CallId;
  /** The call takes it as a value and runs it: `run_in_executor(None, requests.post, url)`. */
  readonly asValue?: true;
  /** The telling token: the callee's last name, or the value's. */
  readonly span: Span;
  readonly statement: number;
  readonly function: FunctionId;
  /** The expression that the call is made on, where there is one: the client. */
  readonly receiver: ValueId | null;
}

/** A function of the tree. */
export interface PlacedFunction {
  readonly path: string;
  readonly facts: ModuleFacts;
  readonly function: FunctionId;
}

/** One call on the way to an effect: where it stands, and the function that it runs. */
export interface Step {
  /** Absent for the judged module. */
  readonly path?: string;
  readonly span: Span;
  /** `Client.post`. */
  readonly name: string;
}

/** An effect that a call has by itself (no steps) or through functions of the tree. */
export interface ReachedEffect {
  readonly effect: Omit<Effect, "call" | "statement" | "function" | "receiver">;
  /** The module in which the effect itself stands; absent for the judged one. */
  readonly path?: string;
  /** From the call to the effect; empty where the call is the effect. */
  readonly steps: readonly Step[];
}

/** What the calls of one module do, made on demand. All answers are kept and deterministic. */
export interface Effects {
  /** The effects of the module's own calls, in source order. */
  readonly own: readonly Effect[];
  ofCall(call: CallId): readonly Effect[];
  /**
   * What running a call does, through functions and modules of the tree too: the nearest effect of each capability and
   * `writes`, the nearest first. A function handed to the call counts as run.
   */
  reachedBy(call: CallId): readonly ReachedEffect[];
  /** The same for a function of this module that is called. */
  reachedByFunction(id: FunctionId): readonly ReachedEffect[];
  /** The functions of the tree that a call runs: resolved, constructed, or the only one of the tree with that name. */
  callees(call: CallId): readonly PlacedFunction[];
  /** What each decorator of a function of this module makes of it, as far as the tree has that. */
  decoratedBy(id: FunctionId): readonly (readonly PlacedFunction[])[];
  /** What tells the effects of a function of this module apart, over any number of calls: equal for equal effects. */
  kindsReachedBy(id: FunctionId): ReadonlySet<string>;
  /** Whether a function of this module may come back to itself, by names alone: wider than `recursionOf`, and cheap. */
  mayComeBack(id: FunctionId): boolean;
  /** Whether a call may be one by which it does. */
  mayLeadBack(id: FunctionId, call: CallId): boolean;
  /** Calls by which a function that has an effect can come back to itself, over any number of functions and modules; empty: no recursion. */
  recursionOf(id: FunctionId): readonly CallId[];
  /** The calls among those asked about that do more, behind more calls than are followed. */
  readonly cutOff: readonly CallId[];
  /** Whether a call or function that was asked about does. */
  readonly isCutOff: boolean;
}
