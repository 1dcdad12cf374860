import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { ModuleFacts } from "@agentgate/parsers";
import { reachSummaryOf } from "@agentgate/rules/reach-summary";
import type { ReachSummary } from "@agentgate/rules/reach-summary";
import type { FactsCache } from "../cache/facts-cache.ts";

/**
 * What made a summary: the name of the built chunk that holds this code, which the bundler derives from its content and
 * from all that it loads. Null in a tree of sources, where nothing is kept.
 */
const VERSION = /-([0-9A-Z]{8})\.js$/.exec(import.meta.url)?.[1] ?? null;
const VERSION_LENGTH = 8;

/** The summary of a module: as an earlier run of the same build made it, else made from its facts and kept. */
export function cachedSummary(cache: FactsCache, key: string, facts: () => ModuleFacts): ReachSummary {
  const known = VERSION === null ? null : decode(cache.get(key, "reach"));
  if (known !== null) return known;
  const summary = reachSummaryOf(facts());
  if (VERSION !== null) cache.put(key, "reach", encode(summary));
  return summary;
}

/** As JSON a summary repeats itself: a seventh is left of it. */
function encode(summary: ReachSummary): Uint8Array {
  return Buffer.concat([Buffer.from(VERSION ?? ""), deflateRawSync(JSON.stringify(summary), { level: 1 })]);
}

function decode(bytes: Uint8Array | null): ReachSummary | null {
  if (bytes === null || Buffer.from(bytes.subarray(0, VERSION_LENGTH)).toString("latin1") !== VERSION) return null;
  try {
    return JSON.parse(inflateRawSync(bytes.subarray(VERSION_LENGTH)).toString("utf8")) as ReachSummary;
  } catch {
    return null;
  }
}
