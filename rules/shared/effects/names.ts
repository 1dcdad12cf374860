import type { CallId, FunctionId, ModuleFacts, Value } from "@agentgate/parsers";
import { onceFor } from "../indexes.ts";

/** The names by which a module calls or hands on functions. */
export const namesCalled = onceFor((facts): ReadonlySet<string> => {
  const names = new Set<string>();
  for (let id = 0; id < facts.calls.length; id++) for (const name of namesOf(facts, id)) names.add(name);
  return names;
});

/** Functions that may come back to themselves, and the names by which they may, by the circle that they are on. */
interface Circles {
  readonly functions: ReadonlyMap<FunctionId, number>;
  readonly names: ReadonlyMap<string, number>;
}

/**
 * The functions that may come back to themselves inside the file, going by names alone: far fewer than there are, and
 * told without resolving anything. Tarjan's components over functions and names.
 */
const circlesOf = onceFor((facts): Circles => new NameGraph(facts).circles());

/** Whether a function may come back to itself inside the file. */
export function isCircularByName(facts: ModuleFacts, id: FunctionId): boolean {
  return circlesOf(facts).functions.has(id);
}

/** Whether a call, or one that makes what it is given, may be one by which a function comes back to itself inside the file. */
export function leadsBackByName(facts: ModuleFacts, id: FunctionId, call: CallId): boolean {
  const { functions, names } = circlesOf(facts);
  const circle = functions.get(id);
  if (circle === undefined) return false;
  const pending = [call];
  for (let step = 0; pending.length > 0 && step < MOST_CALLS; step++) {
    const current = pending.pop()!;
    if (namesOf(facts, current).some((name) => names.get(name) === circle)) return true;
    for (const { value } of facts.calls[current]!.arguments) {
      const given = facts.values[value];
      if (given?.kind === "call") pending.push(given.call);
    }
  }
  return pending.length > 0;
}

/** Calls inside of calls that are looked into. */
const MOST_CALLS = 16;

/** The last names of a callee and of the arguments. */
function namesOf(facts: ModuleFacts, id: number): readonly string[] {
  const call = facts.calls[id]!;
  const names = [lastName(facts.values[call.callee])];
  for (const { value } of call.arguments) names.push(lastName(facts.values[value]));
  return names.filter((name) => name !== "");
}

function lastName(value: Value | undefined): string {
  if (value?.kind === "name") return value.name;
  return value?.kind === "member" ? value.property ?? "" : "";
}

class NameGraph {
  /** Functions first, then names. */
  private readonly targets: number[][];
  private readonly count: number;
  private readonly numbers = new Map<string, number>();

  constructor(facts: ModuleFacts) {
    this.count = facts.functions.length;
    this.targets = facts.functions.map(() => []);
    const { numbers } = this;
    facts.functions.forEach(({ name, parent }, id) => {
      if (parent >= 0) this.targets[parent]!.push(id);
      if (id === 0 || name === "") return;
      let number = numbers.get(name);
      if (number === undefined) numbers.set(name, (number = this.targets.push([]) - 1));
      this.targets[number]!.push(id);
    });
    facts.calls.forEach((call, id) => {
      for (const name of namesOf(facts, id)) {
        const number = numbers.get(name);
        if (number !== undefined) this.targets[call.function]!.push(number);
      }
    });
  }

  circles(): Circles {
    const indexes = new Int32Array(this.targets.length).fill(-1);
    const lowest = new Int32Array(this.targets.length);
    const next = new Int32Array(this.targets.length);
    const onStack = new Uint8Array(this.targets.length);
    const stack: number[] = [];
    const circles = new Map<number, number>();
    let index = 0;
    const open = (node: number, way: number[]): void => {
      indexes[node] = lowest[node] = index++;
      onStack[node] = 1;
      stack.push(node);
      way.push(node);
    };
    for (let root = 0; root < this.count; root++) {
      const way: number[] = [];
      if (indexes[root] === -1) open(root, way);
      for (let node = way.at(-1); node !== undefined; node = way.at(-1)) {
        const target = this.targets[node]![next[node]!++];
        if (target !== undefined) {
          if (indexes[target] === -1) open(target, way);
          else if (onStack[target] === 1) lowest[node] = Math.min(lowest[node]!, indexes[target]!);
          continue;
        }
        way.pop();
        const above = way.at(-1);
        if (above !== undefined) lowest[above] = Math.min(lowest[above]!, lowest[node]!);
        if (lowest[node] === indexes[node]) this.close(node, stack, onStack, circles);
      }
    }
    const names = [...this.numbers].flatMap(([name, number]) => (circles.has(number) ? [[name, circles.get(number)!] as const] : []));
    return { functions: new Map([...circles].filter(([node]) => node < this.count)), names: new Map(names) };
  }

  /** A function that is circular shares its component with the name by which it is called. */
  private close(node: number, stack: number[], onStack: Uint8Array, circles: Map<number, number>): void {
    const members: number[] = [];
    for (let last = stack.pop(); last !== undefined; last = stack.pop()) {
      onStack[last] = 0;
      members.push(last);
      if (last === node) break;
    }
    if (members.length > 1) for (const member of members) circles.set(member, node);
  }
}
