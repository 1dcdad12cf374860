import type { Scalar } from "@agentgate/parsers/contract";
import { NO_OWNER, PLACEHOLDER, hasForm } from "./forms.ts";

export function isBlank(text: string): boolean {
  return text.trim() === "";
}

/** Whether a whole text only holds the place of one. */
export function isPlaceholder(text: string): boolean {
  return hasForm(PLACEHOLDER, text);
}

/** Whether a text names a person or a team. */
export function isOwner(text: string): boolean {
  return !isBlank(text) && !isPlaceholder(text) && !hasForm(NO_OWNER, text);
}

/** A whole number written in decimal digits that no reader rounds; else null. */
export function intOf({ source, value }: Scalar): number | null {
  return typeof value === "number" && /^-?\d+$/.test(source) && Number.isSafeInteger(value) ? value : null;
}

/** A finite number, whole or decimal; else null. */
export function numberOf({ source, value }: Scalar): number | null {
  if (typeof value !== "number" || !Number.isFinite(value)) return null;
  return /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(source) ? value : null;
}

/** A text in double quotes, cut where it is long: a message is one sentence. */
export function shown(text: string): string {
  const line = text.length > 60 ? `${text.slice(0, 57)}…` : text;
  return JSON.stringify(line);
}
