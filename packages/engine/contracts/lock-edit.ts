import type { Pin } from "@agentgate/rules/contracts";

/** Where a pin's text begins and ends. Places do not count a byte order mark. */
function rangeOf(text: string, { at }: Pick<Pin, "at">): readonly [start: number, end: number] {
  let start = text.startsWith("\ufeff") ? 1 : 0;
  for (let line = 1; line < at.line; line++) start = text.indexOf("\n", start) + 1;
  return [start + at.column - 1, start + at.column - 1 + at.length];
}

/** The quote around a text, empty where it has none. */
function quoteOf(written: string): string {
  return /^(["']).*\1$/.exec(written)?.[1] ?? "";
}

/** Whether the pin's value is what stands at its place, so that another can be put there. */
export function isWritable(text: string, pin: Pin): boolean {
  const [start, end] = rangeOf(text, pin);
  const written = text.slice(start, end);
  const quote = quoteOf(written);
  return written.slice(quote.length, written.length - quote.length) === pin.value && (quote !== "" || pin.value !== "");
}

/** The text with every pin's own text in its place, in the quotes that it had. */
export function withPins(text: string, pins: readonly Pin[]): string {
  const edits = pins.map((pin) => ({ pin, range: rangeOf(text, pin) })).sort((left, right) => right.range[0] - left.range[0]);
  return edits.reduce((edited, { pin, range: [start, end] }) => {
    const quote = quoteOf(text.slice(start, end));
    return `${edited.slice(0, start)}${quote}${pin.text}${quote}${edited.slice(end)}`;
  }, text);
}
