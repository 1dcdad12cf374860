import type { Span } from "@agentgate/parsers";
import { isHarmlessAddress, isPlaceholder } from "./placeholder.ts";
import shapes from "./shapes.json" with { type: "json" };

/** A secret in a text. */
export interface Secret {
  /** What it is, for a message: "GitHub token". */
  readonly name: string;
  readonly span: Span;
}

const { tokens, detector } = shapes;
const TOKENS = tokens.map(({ name, pattern }) => ({ name, pattern: new RegExp(pattern, "g") }));
const NAMES: ReadonlyMap<string, string> = new Map(Object.entries(detector.names));
const LEFT_OUT = new Set(Object.keys(detector.leftOut));

/** RFC 7468 and what OpenSSH, PGP and PuTTY write; an armoured text on one line has its line ends written out. */
const PRIVATE_KEY = /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
/** Characters of a key that a header must be followed by: a program that only looks for headers has none. */
const LEAST_KEY = 60;
/** A line of armour; code behind a header has none as long without a space. */
const KEY_LINE = /[A-Za-z0-9+/=]{40,}/g;
/** Characters behind a header that are looked at. */
const KEY_WINDOW = 8192;

/** A password in an address, with the bounds that keep the search linear. */
const ADDRESS = /:\/\/[^\s/@]{0,200}:[^\s@]{0,400}@/;
/** No provider gives out a shorter token: `xoxb-1234-1243` shows how one looks. */
const LEAST_TOKEN = 20;
/** What a token is written in. */
const RUNS = /[\w.=+/-]{20,}/g;

/** The secrets of a text, by place, none inside another: private keys, tokens by the shapes of those who give them out, passwords in addresses. */
export async function secretsIn(text: string): Promise<readonly Secret[]> {
  if (!mayHoldSecret(text)) return [];
  const found = [...privateKeysIn(text), ...tokensIn(text), ...await detectedIn(text)].sort((one, other) => one.span[0] - other.span[0] || other.span[1] - one.span[1]);
  let end = -1;
  return found.filter(({ span }) => {
    if (span[0] < end) return false;
    end = span[1];
    return true;
  });
}

/** Most texts hold nothing that could be one, and the detector is not loaded for them. */
function mayHoldSecret(text: string): boolean {
  if (text.includes("PRIVATE KEY") || ADDRESS.test(text)) return true;
  return (text.match(RUNS) ?? []).some((run) => /\d/.test(run) && /[A-Za-z]/.test(run) || run.startsWith("hf_"));
}

function privateKeysIn(text: string): Secret[] {
  return [...text.matchAll(PRIVATE_KEY)].flatMap(({ index, 0: header }) => {
    const window = text.slice(index + header.length, index + header.length + KEY_WINDOW);
    const end = window.indexOf("-----END ");
    const body = end === -1 ? window : window.slice(0, end);
    const characters = (body.replaceAll(/\\[nr]/g, "\n").match(KEY_LINE) ?? []).join("");
    if (characters.length < LEAST_KEY || isPlaceholder(characters.slice(0, LEAST_KEY))) return [];
    return [{ name: "private key", span: [index, index + header.length + body.length] as const }];
  });
}

function tokensIn(text: string): Secret[] {
  return TOKENS.flatMap(({ name, pattern }) => [...text.matchAll(pattern)].flatMap(({ index, 0: token }) => (isPlaceholder(token) ? [] : [{ name, span: [index, index + token.length] as const }])));
}

async function detectedIn(text: string): Promise<Secret[]> {
  const [{ lintSource }, { rules }] = await Promise.all([import("@secretlint/core"), import("@secretlint/secretlint-rule-preset-recommend")]);
  const used = rules.filter(({ meta }) => !LEFT_OUT.has(shortId(meta.id))).map((rule) => ({ id: rule.meta.id, rule, options: {} }));
  const { messages } = await lintSource({ source: { filePath: "text", content: text, ext: "", contentType: "text" }, options: { config: { rules: used }, noPhysicFilePath: true } });
  return messages.flatMap(({ ruleId, range, data }) => {
    const id = shortId(ruleId);
    const span = placeOfTold(text, range, data);
    const value = text.slice(span[0], span[1]);
    const harmless = detector.withPassword.includes(id) ? isHarmlessAddress(value) : value.length < LEAST_TOKEN || isPlaceholder(value);
    return harmless ? [] : [{ name: NAMES.get(id) ?? "credential", span }];
  });
}

/** Of a secret that is told by the name before it, the detector gives the name's place and the secret's length. */
function placeOfTold(text: string, [start, end]: Span, data: object | undefined): Span {
  const told = Object.values<unknown>({ ...data }).find((value): value is string => typeof value === "string" && value.length === end - start);
  const at = told === undefined ? -1 : text.indexOf(told, start);
  return at === -1 ? [start, end] : [at, at + end - start];
}

function shortId(id: string): string {
  return id.replace(/^@secretlint\/secretlint-rule-/, "");
}
