import { Lines, type Place, decodeText } from "@agentgate/parsers/contract";
import { type ContractContext, type Diagnostic, diagnostic } from "../contract.ts";
import { type EvidenceRule, type Found, lookUp } from "../evidence.ts";
import type { Spot } from "../fields.ts";
import { hostHits, hostOf } from "./hosts.ts";
import { shown } from "./values.ts";

/** A file of a tree that is searched for text. */
export interface Searched {
  readonly path: string;
  readonly text: string;
}

/** Where one of the literals stands in a text. */
export interface Hit {
  readonly literal: string;
  readonly at: Place;
}

interface Span {
  readonly literal: string;
  readonly start: number;
  readonly end: number;
}

/** More than anybody reads, and few enough to be held. */
const MOST_HITS = 1000;

/** The bytes of a file as a text. What is no UTF-8 is read byte by byte: a bad byte hides nothing beside it. */
export function plainText(bytes: Uint8Array): string {
  const read = decodeText(bytes);
  return "value" in read ? read.value : Buffer.from(bytes).toString("latin1");
}

/** The same to search: a file in UTF-16 hides nothing, since the zero bytes between its letters are dropped. */
export function searchText(bytes: Uint8Array): string {
  return plainText(bytes).replaceAll("\0", "");
}

/** A file of a searched tree. One that cannot be searched is reported where it lies: nobody knows what is in it. */
export function searched(context: Pick<ContractContext, "tree">, path: string): Found<Searched, EvidenceRule> {
  const file = lookUp(context, path);
  if (file.kind === "file") return { value: { path, text: searchText(file.bytes) }, found: [] };
  const spot: Spot = { path, at: { line: 1, column: 1, length: 0 }, key: path };
  return { value: null, found: [unsearchable(file, spot)] };
}

function unsearchable(file: Exclude<ReturnType<typeof lookUp>, { kind: "file" }>, spot: Spot): Diagnostic<EvidenceRule> {
  if (file.kind === "outside") return diagnostic("unsafe-path", spot, `${shown(spot.path)} leads out of the repository, so nobody reviews what it says. Put the file itself there.`);
  const why = file.kind === "unreadable" ? file.reason : "it is a link to nothing";
  return diagnostic("evidence", spot, `${shown(spot.path)} cannot be searched: ${why}. Put a regular file of the repository there, or delete it.`);
}

/** Lower-case with every offset kept: `İ` alone becomes two characters. */
function folded(text: string): string {
  return text.replaceAll("\u0130", "i").toLowerCase();
}

/** A literal as it is looked for: a name with letters beyond ASCII also as the one that a resolver sees. */
function spellings(literal: string): string[] {
  const host = /[^\0-\x7f]/.test(literal) ? hostOf(literal) : null;
  return host === null ? [literal] : [literal, host];
}

/** Where hosts stand in a text, by host match: as written, as a URL's reader sees them, and behind escapes. */
export function hostsIn(text: string, literals: readonly string[]): Hit[] {
  const lower = folded(text);
  const wanted = literals.flatMap((literal) => spellings(literal).map((spelling) => ({ literal, spelling })));
  const written = wanted.flatMap(({ literal, spelling }) =>
    hostHits(lower, spelling).slice(0, MOST_HITS).map((start) => ({ literal, start, end: start + spelling.trim().length })));
  return placed(text, [...written, ...inUrls(lower, wanted), ...behindEscapes(text, wanted)]);
}

/** Where literals stand in a text, letter by letter. A blank one stands nowhere. */
export function literalsIn(text: string, literals: readonly string[]): Hit[] {
  const found = literals.filter((literal) => literal.trim() !== "").flatMap((literal) => {
    const hits: Span[] = [];
    for (let start = text.indexOf(literal); start !== -1 && hits.length < MOST_HITS; start = text.indexOf(literal, start + literal.length)) hits.push({ literal, start, end: start + literal.length });
    return hits;
  });
  return placed(text, found);
}

interface Wanted {
  readonly literal: string;
  readonly spelling: string;
}

/** The hosts of URLs that are another text than their host: `http://0x7f.1`, `http://%6cab.corp`. */
function inUrls(text: string, wanted: readonly Wanted[]): Span[] {
  const found: Span[] = [];
  for (let index = text.indexOf("://"); index !== -1; index = text.indexOf("://", index + 3)) {
    const start = index + 3;
    const rest = text.slice(start, start + 512);
    const authority = rest.slice(0, Math.max(0, rest.search(/[\s/?#"'`<>,;)\]}\\]|$/)));
    const host = hostOf(authority);
    if (host === null || authority.includes(host)) continue;
    const hit = wanted.find(({ spelling }) => hostHits(host, spelling).length > 0);
    if (hit !== undefined) found.push({ literal: hit.literal, start, end: start + authority.length });
  }
  return found;
}

const ESCAPE = /\\(?:u00|x)([2-7][0-9a-fA-F])/g;

/** Hosts of which a letter is written as an escape: JSON and YAML read `\u006cab.` as `lab.`. The first escape of the line is shown. */
function behindEscapes(text: string, wanted: readonly Wanted[]): Span[] {
  if (!text.includes("\\u00") && !text.includes("\\x")) return [];
  let start = 0;
  return text.split("\n").flatMap((line): Span[] => {
    const from = start;
    start += line.length + 1;
    const bare = folded(line.replaceAll(ESCAPE, (_escape, code: string) => String.fromCharCode(Number.parseInt(code, 16))));
    if (bare === folded(line)) return [];
    const hit = wanted.find(({ spelling }) => hostHits(bare, spelling).length > hostHits(folded(line), spelling).length);
    const escape = line.search(ESCAPE);
    return hit === undefined ? [] : [{ literal: hit.literal, start: from + escape, end: from + escape + 4 }];
  });
}

/** In the order of the text; of hits that overlap the first. */
function placed(text: string, found: Span[]): Hit[] {
  if (found.length === 0) return [];
  const lines = new Lines(text);
  let end = -1;
  return found.sort((one, other) => one.start - other.start || other.end - one.end).flatMap((hit) => {
    if (hit.start < end) return [];
    end = hit.end;
    return [{ literal: hit.literal, at: lines.place(hit.start, hit.end) }];
  }).slice(0, MOST_HITS);
}
