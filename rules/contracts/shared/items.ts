import type { Place } from "@agentgate/parsers/contract";
import type { Diagnostic } from "../contract.ts";
import type { Spot } from "../fields.ts";

/** Whether a key of a list's item is there with a bad value, which is reported: it lies between the item and the next one. */
export function isReportedIn(key: string, item: Spot, next: Spot | undefined, found: readonly Diagnostic[]): boolean {
  return found.some((one) => isKey(one, key) && !isBefore(one.at, item.at) && (next === undefined || isBefore(one.at, next.at)));
}

/** Whether a diagnostic is about a key path. */
export function isKey({ key }: Diagnostic, path: string): boolean {
  return (JSON.parse(key) as readonly unknown[])[0] === path;
}

function isBefore(one: Place, two: Place): boolean {
  return one.line < two.line || (one.line === two.line && one.column < two.column);
}
