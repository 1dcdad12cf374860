import type { FunctionId, ValueId } from "../facts.ts";
import type { Resolver } from "./resolver.ts";
import { returnedBy } from "./results.ts";
import { NO_SHAPES } from "./shapes.ts";
import type { Shape } from "./shapes.ts";

const MOST_PARTS = 24;
/** Known for each resolver, as the facts are. */
const known = new WeakMap<Resolver, Map<FunctionId, boolean>>();

/**
 * What a function gives that only hands on what it is given, or that as `default`: `return m && m.__esModule ? m : { default: m }`,
 * which compilers put around each `require`. Each call gives its own module, not those of all calls. Null for any other function.
 */
export function passedThrough(resolver: Resolver, id: FunctionId, given: () => ValueId | undefined): readonly Shape[] | null {
  if (resolver.isPython || !isPasser(resolver, id)) return null;
  const first = given();
  if (first === undefined) return NO_SHAPES;
  const shapes = resolver.shapesOf(first);
  // A `default` of something of the file itself has to be found there.
  return shapes.every((shape) => shape.kind === "outside") ? shapes : null;
}

function isPasser(resolver: Resolver, id: FunctionId): boolean {
  let answers = known.get(resolver);
  if (answers === undefined) known.set(resolver, (answers = new Map<FunctionId, boolean>()));
  let answer = answers.get(id);
  if (answer === undefined) answers.set(id, (answer = handsOn(resolver, id)));
  return answer;
}

function handsOn(resolver: Resolver, id: FunctionId): boolean {
  const { parameters, body, generator, async: isAsync } = resolver.facts.functions[id]!;
  const [only] = parameters;
  if (only === undefined || parameters.length > 1 || generator || isAsync || body.length !== 1 || body[0]!.kind !== "return") return false;
  return returnedBy(resolver, id).every((value) => isMadeOf(resolver, value, only.binding));
}

/** Whether an expression holds nothing but the parameter, its flags, and it as `default`. */
function isMadeOf(resolver: Resolver, id: ValueId, binding: number): boolean {
  const pending = [id];
  for (let parts = 0; pending.length > 0; parts++) {
    if (parts > MOST_PARTS) return false;
    const value = resolver.value(pending.pop()!);
    switch (value.kind) {
      case "name":
        if (value.binding !== binding) return false;
        break;
      case "constant":
      case "string":
      case "number":
        break;
      case "member":
        if (value.property !== "__esModule") return false;
        pending.push(value.object);
        break;
      case "logical":
      case "binary":
        pending.push(value.left, value.right);
        break;
      case "unary":
        pending.push(value.value);
        break;
      case "conditional":
        pending.push(value.test, value.then, value.else);
        break;
      case "table":
        for (const entry of value.entries) {
          const key = entry.key === null ? undefined : resolver.value(entry.key);
          if (key?.kind !== "string" || key.value !== "default") return false;
          pending.push(entry.value);
        }
        break;
      default:
        return false;
    }
  }
  return true;
}
