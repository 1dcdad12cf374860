import { isTimeLimit, withTimeLimit } from "../judging/time-limit.ts";

/** What `work` gives. Throws where it takes longer than `limit`, in milliseconds (`isTimeLimit`). */
export function within<T>(limit: number, work: () => T): T {
  const results: T[] = [];
  withTimeLimit(Infinity, () => { results.push(work()); }, Math.max(1, Math.ceil(limit)));
  return results[0]!;
}

/** Why a checker could not go on: it takes too long, or nests as deeply as a text does. Throws what is neither. */
export function stopOf(error: unknown): "late" | "deep" {
  if (isTimeLimit(error)) return "late";
  if (error instanceof RangeError) return "deep";
  throw error;
}

/** Characters of an expression that are shown. */
const SHOWN = 40;

/** Why the type of an expression is not known; the end of a sentence. */
export function reasonFor(stop: "late" | "deep", expression: string, limit: number): string {
  const plain = expression.replaceAll(/\s+/g, " ");
  const shown = plain.length > SHOWN ? `${plain.slice(0, SHOWN)}…` : plain;
  return stop === "late" ? `working out the type of ${shown} took more than ${seconds(limit)}` : `the type of ${shown} nests too deep to be worked out`;
}

export function seconds(milliseconds: number): string {
  return milliseconds === 1000 ? "one second" : `${milliseconds / 1000} seconds`;
}
