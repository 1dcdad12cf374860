import { printable } from "../printable.ts";

/**
 * Text as a plain text message of SARIF has it: brackets and backslashes escaped, so that a name of the judged tree
 * can form no link, and braces doubled, so that it can form no placeholder (SARIF 2.1.0, 3.11.5 and 3.11.6).
 */
export function messageText(text: string): string {
  return printable(text).replace(/[[\]\\]/g, "\\$&").replace(/[{}]/g, "$&$&");
}

/** Text that ends as a sentence ends. */
export function sentence(text: string): string {
  const line = text.trim();
  return /[.!?]$/.test(line) ? line : `${line}.`;
}

const LONE_SURROGATE = /\p{Cs}/gu;

/** A path as a reference that is relative to the root: every segment percent-encoded. */
export function uriOf(path: string): string {
  return path.replace(LONE_SURROGATE, "\ufffd").split("/").map(encodeURIComponent).join("/");
}

/** `no-invented-io` as `NoInventedIo`. */
export function pascalCase(id: string): string {
  return id.split(/[-/]/).map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("");
}

/** At most this many characters, which code scanning accepts for a description. */
const MOST = 1024;

export function description(text: string): { text: string } {
  const whole = sentence(text);
  return { text: whole.length <= MOST ? whole : `${whole.slice(0, MOST - 1)}…` };
}
