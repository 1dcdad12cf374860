import { constantsOf, functionsOf } from "@agentgate/parsers";
import type { FunctionId, ModuleFacts, Statement, Value, ValueId } from "@agentgate/parsers";
import { bare, callsApi, childrenOf } from "../expressions.ts";
import { onceFor } from "../indexes.ts";
import { bodiesOf } from "../statements.ts";
import { LOOPS } from "./vocabulary.ts";
import { readsOn, waitsForWork } from "./work.ts";

export type Loop = Extract<Statement, { kind: "loop" }>;

/** A loop as it stands in its function. */
export interface LoopSite {
  readonly loop: Loop;
  readonly function: FunctionId;
  /** Everything that a round can run in this function, inner loops too. */
  readonly inside: readonly Statement[];
  /** The statements around it, the innermost last. */
  readonly around: readonly Statement[];
}

/** How deep the statements of a loop are looked into, seen from the loop. Deeper ones are seen from the loops in between. */
const MOST_LEVELS = 60;

interface Open {
  readonly site: { readonly loop: Loop; readonly function: FunctionId; readonly inside: Statement[]; readonly around: readonly Statement[] };
  readonly level: number;
}

interface Pending {
  readonly body: readonly Statement[];
  readonly open: readonly Open[];
  readonly around: readonly Statement[];
  readonly level: number;
}

/** Every loop of a file with what is in it, each statement read once. */
export const loopSites = onceFor((facts): readonly LoopSite[] => {
  const sites: LoopSite[] = [];
  for (let id = 0; id < facts.functions.length; id++) collect(facts.functions[id]!.body, id, sites);
  return sites.sort((one, other) => one.loop.keywordSpan[0] - other.loop.keywordSpan[0]);
});

function collect(body: readonly Statement[], id: FunctionId, sites: LoopSite[]): void {
  const pending: Pending[] = [{ body, open: [], around: [], level: 0 }];
  while (pending.length > 0) {
    const { body: statements, open, around, level } = pending.pop()!;
    for (const statement of statements) {
      for (const each of open) each.site.inside.push(statement);
      const inner = bodiesOf(statement).filter((each) => each.length > 0);
      if (inner.length === 0) continue;
      const isElse = statement.kind === "test";
      const nextAround = around.length < MOST_LEVELS ? [...around, statement] : around;
      const nextOpen = opened(statement, id, around, open, level, sites);
      // A chain of `elif` is no deeper than its first test.
      for (const each of inner) pending.push({ body: each, open: nextOpen, around: isElse && statements.length < 3 ? around : nextAround, level: level + (isElse ? 0 : 1) });
    }
  }
}

function opened(statement: Statement, id: FunctionId, around: readonly Statement[], open: readonly Open[], level: number, sites: LoopSite[]): readonly Open[] {
  const near = open.length > 0 && level - open[0]!.level > MOST_LEVELS ? open.slice(1) : open;
  if (statement.kind !== "loop") return near;
  const site = { loop: statement, function: id, inside: [], around };
  sites.push(site);
  return [...near, { site, level }];
}

/** Why a loop does not come to an end by its own head. */
export type Endless =
  /** `while True`, `for (;;)`. */
  | { readonly kind: "always" }
  /** `itertools.count()`, `iter(f, sentinel)`. */
  | { readonly kind: "iterator"; readonly name: string; readonly iterable: ValueId }
  /** `range(1000000)`. */
  | { readonly kind: "range"; readonly count: number }
  /** A condition. */
  | { readonly kind: "condition"; readonly test: ValueId };

/** How the head of a loop stands; null for the finite walk over something. */
export function endlessHead(facts: ModuleFacts, loop: Loop, ceiling: number): Endless | null {
  if (loop.form === "each") return loop.iterable === null ? null : endlessIterable(facts, loop.iterable, ceiling);
  if (loop.test === null) return { kind: "always" };
  if (!isLiteral(facts, loop.test)) return { kind: "condition", test: loop.test };
  const constants = constantsOf(facts, loop.test);
  return constants === null || constants.every((constant) => Boolean(constant.value)) ? { kind: "always" } : null;
}

/** An expression of literals: `True`, `not False`, `1 == 1`. */
export function isLiteral(facts: ModuleFacts, test: ValueId): boolean {
  const pending = [test];
  for (let steps = 0; pending.length > 0; steps++) {
    const value = facts.values[pending.pop()!];
    if (value === undefined || steps > 16) return false;
    if (LITERALS.has(value.kind)) continue;
    if (value.kind !== "unary" && value.kind !== "binary" && value.kind !== "logical") return false;
    pending.push(...childrenOf(facts, value));
  }
  return true;
}

const LITERALS: ReadonlySet<Value["kind"]> = new Set(["constant", "number", "string", "table", "list"]);

/** How a call makes something endless to walk over; null where it does not. */
export function endlessIterable(facts: ModuleFacts, iterable: ValueId, ceiling: number): Endless | null {
  const value = facts.values[bare(facts, iterable)];
  const call = value?.kind === "call" ? facts.calls[value.call]! : null;
  if (call === null) return null;
  const { endless } = LOOPS;
  const name = call.references[0]?.path.at(-1) ?? "";
  if (callsApi(call, endless.iterators)) return { kind: "iterator", name, iterable };
  if (callsApi(call, [endless.repeat]) && call.arguments.length < 2) return { kind: "iterator", name, iterable };
  if (callsApi(call, [endless.iter]) && call.arguments.length === 2 && !isSource(facts, call.arguments[0]!.value)) return { kind: "iterator", name, iterable };
  if (!callsApi(call, [endless.range])) return null;
  const count = rangeCount(facts, call.arguments.map((argument) => argument.value));
  return count > ceiling ? { kind: "range", count } : null;
}

/** `iter(lambda: body.read(8192), b"")`, `iter(socket.recv, b"")`: what is read to its end. */
function isSource(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[bare(facts, id)];
  if (value?.kind === "member") return value.property !== null && readsOn(value.property);
  return functionsOf(facts, id).some((each) => facts.calls.some((call, inner) => call.function === each && waitsForWork(facts, inner)));
}

/** How often `range(…)` of constants goes round; 0 where that is not known. */
function rangeCount(facts: ModuleFacts, given: readonly ValueId[]): number {
  const numbers = given.map((id) => constantsOf(facts, id)?.[0]?.value);
  if (!numbers.every((each): each is number => typeof each === "number")) return 0;
  const [first = 0, second, step = 1] = numbers;
  return second === undefined ? first : Math.ceil((second - first) / step);
}
