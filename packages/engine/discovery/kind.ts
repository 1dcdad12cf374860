import { baseName, endingOf } from "../paths.ts";
import type { TreePath } from "../paths.ts";
import languages from "./languages.json" with { type: "json" };

/**
 * What a file is to the gate:
 * - `judged`: source that is read; `dialectPath` is a name that tells its dialect
 * - `unsupported`: code in a form that is not read, with its name for people
 * - `unknown`: no ending, its first line decides
 * - `data`: no code
 */
export type FileKind =
  | { readonly kind: "judged"; readonly dialectPath: TreePath }
  | { readonly kind: "unsupported"; readonly detail: string }
  | { readonly kind: "unknown" }
  | { readonly kind: "data" };

const judged = new Set<string>(languages.judged);
/** Endings that are another one's dialect under a name of their own. */
const dialects = new Map<string, string>(Object.entries(languages.dialects));
const unsupported = new Map<string, string>(Object.entries(languages.unsupported));
const names = new Map<string, string>(Object.entries(languages.names));
/** Of those that run no JavaScript; TypeScript may well be JavaScript. */
const endings = new Map([["python", "py"], ["uv", "py"], ["tsx", "ts"], ["ts-node", "ts"]]);
const interpreters = new Map<string, string>(Object.entries(languages.interpreters));

const DATA: FileKind = { kind: "data" };
const UNKNOWN: FileKind = { kind: "unknown" };
/** Answers by the last part of a path, for those that are not source: the same few endings come up in every tree. */
const known = new Map<string, FileKind>();
/** Names come from the judged tree: past this many the memory starts anew. */
const MOST_NAMES = 100_000;

/** The kind of a file by its name alone. */
export function kindOfName(path: TreePath): FileKind {
  const name = baseName(path);
  const dot = name.lastIndexOf(".");
  if (dot > 0 && judged.has(name.slice(dot)) && !name.includes(".d.")) return judgedAs(path, name.slice(dot));
  let kind = known.get(name);
  if (kind === undefined) {
    kind = kindByName(path, name);
    if (kind.kind === "judged") return kind;
    if (known.size >= MOST_NAMES) known.clear();
    known.set(name, kind);
  }
  return kind;
}

function judgedAs(path: TreePath, ending: string): FileKind {
  return { kind: "judged", dialectPath: `${path}${dialects.get(ending) ?? ""}` };
}

function kindByName(path: TreePath, name: string): FileKind {
  if (languages.declarations.some((ending) => name.endsWith(ending))) return { kind: "unsupported", detail: "declarations" };
  const ending = endingOf(path);
  if (judged.has(ending)) return judgedAs(path, ending);
  const language = unsupported.get(ending) ?? names.get(name);
  if (language !== undefined) return { kind: "unsupported", detail: language };
  return ending === "" ? UNKNOWN : DATA;
}

/** The kind of a file without ending by its first bytes: `#!/usr/bin/env python3` is Python. */
export function kindOfFirstLine(path: TreePath, head: Buffer): FileKind {
  if (head[0] !== 0x23 || head[1] !== 0x21) return { kind: "data" };
  const line = head.toString("latin1").split(/[\r\n]/, 1)[0] ?? "";
  for (const word of line.slice(2).split(/[\s/\\]+/)) {
    const interpreter = /^(?:python|pypy)[\d.w]*$/.test(word) ? "python" : word === "nodejs" ? "node" : word;
    const language = interpreters.get(interpreter);
    if (language === undefined) continue;
    if (language !== "judged") return { kind: "unsupported", detail: language };
    return { kind: "judged", dialectPath: `${path}.${endings.get(interpreter) ?? "js"}` };
  }
  return { kind: "data" };
}
