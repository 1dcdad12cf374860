import { percent } from "./fold-format.ts";
import { integer, items, listOf, MAX_ITEMS, MAX_TEXT, number, text, written } from "./folded.ts";
import type { Folded } from "./folded.ts";

export function unary(operator: string, operand: Folded): Folded | null {
  const { value } = operand;
  if (operator === "not") return { value: Array.isArray(value) ? value.length === 0 : !value };
  if (typeof value !== "number") return null;
  switch (operator) {
    case "-": return number(-value, [operand]);
    case "+": return number(value, [operand]);
    case "~": return number(~value, [operand]);
    default: return null;
  }
}

export function binary(operator: string, a: Folded, b: Folded, isPython: boolean): Folded | null {
  if (operator === "+") return add(a, b, isPython);
  if (operator === "%" && isPython && typeof a.value === "string") return percent(a, b);
  if (operator === "*" && isPython) return repeat(a, b) ?? repeat(b, a) ?? arithmetic(operator, a, b, isPython);
  return arithmetic(operator, a, b, isPython);
}

function add(a: Folded, b: Folded, isPython: boolean): Folded | null {
  if (typeof a.value === "number" && typeof b.value === "number") return number(a.value + b.value, [a, b]);
  if (Array.isArray(a.value) && Array.isArray(b.value)) return isPython ? listOf([...(items(a) ?? []), ...(items(b) ?? [])]) : null;
  if (typeof a.value !== "string" && (isPython || typeof b.value !== "string")) return null;
  if (isPython && (typeof b.value !== "string" || a.bytes !== b.bytes)) return null;
  const isBytes = a.bytes === true && b.bytes === true;
  const [left, right] = isBytes ? [a.value as string, b.value as string] : [written(a, isPython), written(b, isPython)];
  return left === null || right === null ? null : text(left + right, [a, b], isBytes);
}

/** `"ab" * 3` and `[x] * 3`. */
function repeat(of: Folded, times: Folded): Folded | null {
  const count = integer(times);
  if (count === null) return null;
  const many = Math.max(count, 0);
  if (typeof of.value === "string") return of.value.length * many > MAX_TEXT ? null : text(of.value.repeat(many), [of], of.bytes);
  if (!Array.isArray(of.value) || of.value.length * many > MAX_ITEMS) return null;
  const once = of.value as readonly Folded[];
  return listOf(Array.from({ length: many }, () => once).flat());
}

function arithmetic(operator: string, a: Folded, b: Folded, isPython: boolean): Folded | null {
  const [x, y] = [a.value, b.value];
  if (operator === "==" && typeof x === typeof y && !Array.isArray(x)) return { value: x === y };
  if (typeof x !== "number" || typeof y !== "number") return null;
  const result = compute(operator, x, y, isPython);
  return result === null || Number.isNaN(result) ? null : number(result, [a, b]);
}

function compute(operator: string, x: number, y: number, isPython: boolean): number | null {
  switch (operator) {
    case "-": return x - y;
    case "*": return x * y;
    case "/": return y === 0 && isPython ? null : x / y;
    case "//": return y === 0 ? null : Math.floor(x / y);
    // Python's remainder has the sign of the divisor.
    case "%": return isPython ? x - y * Math.floor(x / y) : x % y;
    case "**": return x ** y;
    default: return bitwise(operator, x, y);
  }
}

function bitwise(operator: string, x: number, y: number): number | null {
  // Above 31 bits the two languages differ.
  if (!Number.isInteger(x) || !Number.isInteger(y) || Math.abs(x) > 0x3fffffff || Math.abs(y) > 0x3fffffff) return null;
  switch (operator) {
    case "^": return x ^ y;
    case "&": return x & y;
    case "|": return x | y;
    case "<<": return y < 0 || y > 20 || Math.abs(x) > 1024 ? null : x << y;
    case ">>": return y < 0 ? null : x >> Math.min(y, 31);
    default: return null;
  }
}
