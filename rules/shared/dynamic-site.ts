import type { Call, ModuleFacts, Reference, Span, ValueId } from "@agentgate/parsers";
import type { Related, RuleContext, Severity } from "../rule.ts";
import { lookupFor } from "./lookup.ts";
import type { Lookup } from "./lookup.ts";
import type { Resolver } from "./tree.ts";

/** One place where what runs is chosen by text or data. */
export interface DynamicSite {
  readonly span: Span;
  readonly statement: number;
  /** As people write it: `importlib.import_module`, `eval`. */
  readonly api: string;
  readonly capability: "code" | "opaque";
  /** What is wrong with it; null where the code itself shows that it is safe. */
  readonly problem: { readonly severity: Severity; readonly message: string } | null;
  /** Modules that it loads as far as they are known: to be judged as if plainly imported. */
  readonly loads: readonly string[];
  /** Members of modules that it can be, where they are known: to be judged as if used by name. */
  readonly reaches?: readonly Reference[];
  /** Where the name stands, for a plain import; else the loader is the place. */
  readonly nameSpan?: Span;
  readonly related: readonly Related[];
}

/** What judging one module's dynamic sites needs at hand. */
export interface DynamicInput {
  readonly facts: ModuleFacts;
  readonly context: RuleContext;
  readonly lookup: Lookup;
  readonly resolver: Resolver;
}

export function dynamicInput(facts: ModuleFacts, context: RuleContext): DynamicInput {
  const lookup = lookupFor(facts, context);
  return { facts, context, lookup, resolver: lookup.resolver };
}

/** What a judgement of one call says; `siteOf` adds the place. */
export type Verdict = Pick<DynamicSite, "problem" | "loads" | "capability" | "nameSpan" | "reaches">;

export function silent(loads: readonly string[] = []): Verdict {
  return { problem: null, loads, capability: "opaque" };
}

/** A plain import, written as a call. */
export function plainly(loads: readonly string[], nameSpan: Span): Verdict {
  return { problem: null, loads, capability: "opaque", nameSpan };
}

export function problem(
  severity: Severity, message: string, capability: DynamicSite["capability"], loads: readonly string[] = [],
): Verdict {
  return { problem: { severity, message }, loads, capability };
}

/** The site at a call's name. */
export function siteOf(call: Pick<Call, "nameSpan" | "statement">, api: string, verdict: Verdict, related: readonly Related[] = []): DynamicSite {
  return { span: call.nameSpan, statement: call.statement, api, ...verdict, related };
}

/** An expression in a few words, for messages: `name`, `config.plugin`, `pick(…)`; "" where it has no name. */
export function described(facts: ModuleFacts, id: ValueId): string {
  const names: string[] = [];
  let current = id;
  for (let step = 0; step < 8; step++) {
    const value = facts.values[current];
    if (value?.kind === "name") return [value.name, ...names].join(".");
    if (value?.kind === "self") return [facts.language === "python" ? "self" : "this", ...names].join(".");
    if (value?.kind === "call" && names.length === 0) {
      names.unshift("(…)");
      current = facts.calls[value.call]!.callee;
    } else if (value?.kind === "member" && value.property !== null) {
      names.unshift(value.property);
      current = value.object;
    } else return "";
  }
  return "";
}
