import { createHash } from "node:crypto";
import type { Judged, TrialFinding } from "./judged.ts";

export interface Drawn {
  readonly judged: Judged;
  readonly finding: TrialFinding;
}

/**
 * Up to `size` findings of one rule, drawn by the seed: one from each package in turn, so that a large package does not
 * fill the sample. Each place has a number made of the seed and its fingerprint, and the least come first: the same
 * seed draws the same, and findings that come or go elsewhere leave the rest of the draw as it was. What a build ships
 * twice (`a.js` and `a.mjs`) is drawn once.
 */
export function draw(judged: readonly Judged[], rule: string, size: number, seed: string): Drawn[] {
  const queues = judged
    .map((one) => ({ order: numberOf(seed, one.name), places: placesOf(one, rule, seed) }))
    .filter((one) => one.places.length > 0)
    .sort((left, right) => (left.order < right.order ? -1 : 1));
  const drawn: Drawn[] = [];
  for (let round = 0; drawn.length < size; round += 1) {
    const next = queues.flatMap(({ places }) => places.slice(round, round + 1));
    if (next.length === 0) break;
    drawn.push(...next.slice(0, size - drawn.length));
  }
  return drawn;
}

function placesOf(judged: Judged, rule: string, seed: string): Drawn[] {
  const places = new Map<string, Drawn>();
  for (const finding of judged.findings) {
    if (finding.rule !== rule) continue;
    const twin = `${stemOf(finding.path)}\n${finding.message.replaceAll(finding.path, "")}\n${finding.start.line}`;
    if (!places.has(twin)) places.set(twin, { judged, finding });
  }
  const order = (drawn: Drawn): string => numberOf(seed, drawn.judged.name, drawn.finding.fingerprint, String(drawn.finding.start.line));
  return [...places.values()]
    .map((drawn) => ({ drawn, order: order(drawn) }))
    .sort((left, right) => (left.order < right.order ? -1 : 1))
    .map(({ drawn }) => drawn);
}

function stemOf(file: string): string {
  return file.replace(/\.[^./]+$/, "");
}

function numberOf(...parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
