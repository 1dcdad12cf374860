import type { Finding, RelatedPlace, Report } from "@agentgate/engine";
import type { Location, Result } from "sarif";
import type { RunDetails } from "../../details.ts";
import type { Artifacts } from "./artifacts.ts";
import { lineHashes } from "./line-hash.ts";
import type { Placed } from "./placement.ts";
import { ruleIdOf } from "./rules.ts";
import { messageText, sentence } from "./text.ts";

/** Linked places a result: each is a link in its message. */
const MOST_RELATED = 20;

export interface ResultContext {
  readonly report: Report;
  readonly details: RunDetails;
  readonly artifacts: Artifacts;
  /** Index of a rule in the driver's list, by rule without prefix. */
  readonly ruleIndex: ReadonlyMap<string, number>;
}

/** The results, in the order of what is given. */
export function resultsOf(placed: readonly Placed[], context: ResultContext): Result[] {
  const hashes = new Map<string, readonly string[] | null>();
  return placed.map((one) => resultOf(one, context, hashes));
}

function resultOf({ finding, moved, path, span }: Placed, context: ResultContext, hashes: Map<string, readonly string[] | null>): Result {
  const { artifacts, report, ruleIndex } = context;
  const related = finding.related.slice(0, MOST_RELATED);
  const hash = moved ? undefined : hashesOf(path, context.details, hashes)?.[span.start.line - 1];
  return {
    ruleId: ruleIdOf(finding.rule),
    ruleIndex: ruleIndex.get(finding.rule) ?? -1,
    level: finding.severity,
    message: { text: messageOf(finding, moved) },
    locations: [{ physicalLocation: artifacts.place(path, span) }],
    ...(related.length === 0 ? {} : { relatedLocations: related.map((place, index) => relatedLocation(place, index + 1, artifacts)) }),
    partialFingerprints: { "agentgate/v1": finding.fingerprint, ...(hash === undefined ? {} : { primaryLocationLineHash: hash }) },
    ...(report.mode === "change" ? { baselineState: "new" } : {}),
  };
}

/** One file's values, worked out once however many results it has. */
function hashesOf(path: string, { rawTextOf }: RunDetails, known: Map<string, readonly string[] | null>): readonly string[] | null {
  const found = known.get(path);
  if (found !== undefined) return found;
  const text = rawTextOf(path);
  const hashes = text === null ? null : lineHashes(text);
  known.set(path, hashes);
  return hashes;
}

function messageOf(finding: Finding, moved: boolean): string {
  const told = messageText(sentence(finding.message));
  const where = moved ? ` It stands in '${messageText(finding.path)}', which the change deletes.` : "";
  return `${told}${where}${linksOf(finding)}`;
}

/** Code scanning shows related places only where the message links them. */
function linksOf(finding: Finding): string {
  const links = finding.related.slice(0, MOST_RELATED).map((related, index) => {
    const place = `${related.start.line}:${related.start.column}`;
    const file = related.path === finding.path ? place : `${related.path}:${place}`;
    return `[${messageText(`${file} ${related.message}`.trim())}](${index + 1})`;
  });
  if (links.length === 0) return "";
  const rest = finding.related.length - links.length;
  return ` Also: ${links.join(", ")}${rest === 0 ? "" : ` and ${rest} more`}.`;
}

function relatedLocation({ end, message, path, start }: RelatedPlace, id: number, artifacts: Artifacts): Location {
  return { id, physicalLocation: artifacts.place(path, { start, end }), message: { text: messageText(sentence(message === "" ? path : message)) } };
}
