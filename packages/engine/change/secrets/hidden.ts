import type { Span } from "@agentgate/parsers";
import type { TreePath } from "../../paths.ts";

/** A shorter text may be a word that stands elsewhere too. */
const LEAST_TOLD = 8;

/** What is not to be shown of files: stars stand in its place, one for each character, so that columns hold. */
export class Secrets {
  readonly #spans = new Map<TreePath, Span[]>();
  readonly #values = new Set<string>();

  hide(path: TreePath, text: string, span: Span): void {
    const spans = this.#spans.get(path) ?? [];
    spans.push(span);
    this.#spans.set(path, spans);
    this.#values.add(text.slice(span[0], span[1]));
  }

  textWithout(path: TreePath, text: string): string {
    const spans = this.#spans.get(path) ?? [];
    return [...spans].sort((one, other) => other[0] - one[0]).reduce((shown, [start, end]) => shown.slice(0, start) + starred(shown.slice(start, end)) + shown.slice(end), text);
  }

  messageWithout(message: string): string {
    return [...this.#values].filter((value) => value.length >= LEAST_TOLD).reduce((shown, value) => shown.replaceAll(value, "****"), message);
  }
}

function starred(text: string): string {
  return text.replaceAll(/[^\r\n]/g, "*");
}
