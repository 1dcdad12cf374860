import type { FunctionId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { effectsOf } from "../effects/index.ts";
import type { Effect } from "../effects/index.ts";
import { callsIn } from "../effects/links.ts";
import { bare } from "../expressions.ts";
import { callersFor, runsInside } from "./callers.ts";
import { basesOfClass } from "./constructions.ts";
import type { PlacedClass } from "./constructions.ts";
import { membersOf } from "./ends.ts";
import type { Module } from "./ends.ts";
import { GivenClients, heldBy } from "./given-clients.ts";
import { receivedFor } from "./received.ts";
import { keyOf } from "./verdicts.ts";

/** Functions between a method of a client and the gate. */
const MOST_FUNCTIONS = 200;

/** Tells of the writes of one module that are made on a client of the tree whether that client makes them through the gate. */
export class ThroughGate {
  private readonly module: Module;
  private readonly context: RuleContext;
  private readonly known = new Map<string, boolean>();

  constructor(module: Module, context: RuleContext) {
    this.module = module;
    this.context = context;
  }

  /** `this._client.post(…)` of a resource that the client itself constructs: what counts is how the client sends. */
  holds({ told, call, receiver, capability }: Effect): boolean {
    if (receiver === null || (told !== "convention" && told !== "arguments")) return false;
    const { facts, path } = this.module;
    const callee = facts.values[bare(facts, facts.calls[call]!.callee)];
    const held = heldBy(facts, receiver);
    if (held === null || callee?.kind !== "member" || callee.property === null) return false;
    const { property } = callee;
    const key = [held.owner, held.name, property, capability].join(" ");
    let found = this.known.get(key);
    if (found === undefined) {
      const clients = new GivenClients(callersFor(this.module, this.context)).of({ path, facts, id: held.owner }, held.name) ?? [];
      found = clients.length > 0 && clients.every((client) => this.sendsThrough(client, property, capability));
      this.known.set(key, found);
    }
    return found;
  }

  /** Whether a method of a class leads to the gate, and nowhere does the same beside it. */
  private sendsThrough(client: PlacedClass, method: string, capability: Effect["capability"]): boolean {
    const pending: (Module & { readonly id: FunctionId })[] = [...this.methods(client, method)];
    const seen = new Set<string>();
    let isMet = false;
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (seen.has(keyOf(next))) continue;
      seen.add(keyOf(next));
      if (seen.size > MOST_FUNCTIONS) return false;
      const { path, facts, id } = next;
      const received = receivedFor({ path, facts }, this.context);
      if (received.isOwn(id)) { isMet = true; continue; }
      const effects = effectsOf(facts, { ...this.context, path });
      for (const call of callsIn(facts, id)) {
        if (runsInside(received, call)) { isMet = true; continue; }
        if (effects.ofCall(call).some((effect) => effect.writes && effect.capability === capability)) return false;
        pending.push(...effects.callees(call).map((callee) => ({ path: callee.path, facts: callee.facts, id: callee.function })));
      }
    }
    return isMet;
  }

  private methods(client: PlacedClass, method: string): readonly (Module & { readonly id: FunctionId })[] {
    let current: PlacedClass | undefined = client;
    for (let step = 0; current !== undefined && step < 24; step++) {
      const { path, facts, id }: PlacedClass = current;
      const own = membersOf(facts)[id]?.get(method) ?? [];
      if (own.length > 0) return own.map((each) => ({ path, facts, id: each }));
      current = basesOfClass(this.context.tree, current)[0];
    }
    return [];
  }
}
