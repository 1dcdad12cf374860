import { DATE, TIMESTAMP, hasForm } from "./forms.ts";

const DAY = 86_400_000;
/** How far clocks may be apart. */
const SKEW = 5 * 60_000;

/** A point of time in a contract: a day of the UTC calendar, or an instant. `ms` is its first millisecond. */
export interface Moment {
  readonly kind: "date" | "timestamp";
  readonly ms: number;
}

/** `YYYY-MM-DD` that the calendar has; else null. */
export function dateOf(text: string): Moment | null {
  if (!hasForm(DATE, text)) return null;
  const [year, month, day] = text.split("-").map(Number) as [number, number, number];
  const start = new Date(Date.UTC(2000, month - 1, day));
  start.setUTCFullYear(year, month - 1, day);
  const exists = start.getUTCMonth() === month - 1 && start.getUTCDate() === day;
  return exists ? { kind: "date", ms: start.getTime() } : null;
}

/** RFC 3339 with `Z` or an offset; else null. */
export function timestampOf(text: string): Moment | null {
  if (!hasForm(TIMESTAMP, text) || dateOf(text.slice(0, 10)) === null) return null;
  const ms = Date.parse(text.toUpperCase());
  return Number.isNaN(ms) ? null : { kind: "timestamp", ms };
}

export function momentOf(text: string): Moment | null {
  return dateOf(text) ?? timestampOf(text);
}

function dayOf(ms: number): number {
  return Math.floor(ms / DAY);
}

/** Whole UTC days from a moment to now; negative where it lies ahead. */
export function ageInDays(moment: Moment, now: Date): number {
  return dayOf(now.getTime()) - dayOf(moment.ms);
}

/** Hours from a moment to now, exactly. */
export function ageInHours(moment: Moment, now: Date): number {
  return (now.getTime() - moment.ms) / 3_600_000;
}

/** Whether a moment lies ahead by more than time zones and clocks explain. */
export function isFuture(moment: Moment, now: Date): boolean {
  return moment.kind === "date" ? ageInDays(moment, now) <= -2 : moment.ms - now.getTime() > SKEW;
}

/** Whether the last day on which something holds is over. */
export function isExpired(day: Moment, now: Date): boolean {
  return ageInDays(day, now) > 0;
}
