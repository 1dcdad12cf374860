import { dateOf } from "@agentgate/rules/contracts/time";
import { isPlaceholder as isPlaceOf } from "@agentgate/rules/contracts/values";
import { globProblem } from "../discovery/exclude.ts";
import { isMachine } from "./machines.ts";
import type { Schema } from "./schema.ts";

const DAY = 86_400_000;

/** Whether a whole text only holds the place of one, as in a contract; here dots do too. */
export function isPlaceholder(text: string): boolean {
  return isPlaceOf(text.toLowerCase()) || /^[.…]+$/.test(text.trim());
}

/** Why a text is no person or team, or null. */
export function ownerProblem(owner: string): string | null {
  if (owner.trim() === "") return "is blank";
  if (isPlaceholder(owner)) return "only holds the place of an owner";
  const name = owner.trim().toLowerCase().replace(/^@/, "");
  if (!/\p{L}/u.test(name)) return "holds no letter: name a person or a team";
  if (isMachine(owner)) return "is a machine or nobody: name a person or a team";
  if (name.startsWith("#") || name.startsWith("whoever")) return "is no person or team";
  return null;
}

/** The first instant (milliseconds) after the day `YYYY-MM-DD` in UTC; null where the calendar has no such day. */
export function endOfDay(date: string): number | null {
  const day = dateOf(date);
  return day === null ? null : day.ms + DAY;
}

function textProblem(text: string): string | null {
  if (text.trim() === "") return "is blank";
  return isPlaceholder(text) ? "only holds the place of a text" : null;
}

function pathProblem(path: string): string | null {
  if (path.trim() === "") return "is blank";
  const unsafe = path.startsWith("/") || path.startsWith("~") || /[\\$\0]/.test(path) || /^[A-Za-z]:/.test(path) || path.split("/").includes("..");
  return unsafe ? "is no path inside the tree with forward slashes" : null;
}

const CHECKS: Readonly<Record<NonNullable<Schema["format"]>, (text: string) => string | null>> = {
  glob: globProblem,
  owner: ownerProblem,
  date: (text) => (endOfDay(text) === null ? "is no day of the calendar in the form 2027-01-31" : null),
  text: textProblem,
  path: pathProblem,
  api: (text) => (/^(?:@[\w.-]+\/)?[\w$][\w$/.:-]*$/.test(text) ? null : "is no dotted name of a package or a member"),
  host: (text) => (/^[^\s/]+$/.test(text) ? null : "is no host name"),
  name: (text) => (/^[\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}_$][\p{L}\p{N}_$]*)*$/u.test(text) ? null : "is no name of a function"),
};

/** Why a text does not have a format, as the end of a sentence, or null. */
export function formatProblem(format: NonNullable<Schema["format"]>, text: string): string | null {
  return CHECKS[format](text);
}
