import type { Reference } from "@agentgate/parsers";
import { decide, type ArgumentsView } from "./arguments.ts";
import { additionFor, describedPackage } from "./additions.ts";
import type { Capability, CapabilityEntry } from "./capability.ts";
import type { Entry, Verdict } from "./format.ts";
import { catalogueOf, globalsCatalogue, type Catalogue, type Found } from "./load.ts";
import { allCapabilities, hasListedBelow, matchMember } from "./lookup.ts";
import { isHarmlessSegment, isNamespace, nameOf, namesException, type CatalogueName, type Language } from "./names.ts";
import { verbOf } from "./verbs.ts";
import listed from "./data/exceptions.json" with { type: "json" };

export type { ArgumentsView } from "./arguments.ts";

export interface Classified {
  readonly kind: "capability";
  readonly capabilities: readonly Capability[];
  /**
   * The API root: the top-level package, `node:` dropped, `/promises` folded. Below a namespace package it is the
   * distribution's own name (`google.cloud.storage`, `azure.identity`); of a global or builtin its own name.
   */
  readonly root: string;
  /** As shown to people: `httpx.post`, `node:fs.writeFile`. */
  readonly api: string;
  /** True where importing the module says nothing, its members decide; `capabilities` are then all of theirs. */
  readonly mixed: boolean;
  /** True where exactly this path (not only its module) is in the catalogue. */
  readonly exact: boolean;
  /** True where members decide by their verb between read and write, and this name tells neither: write stands. */
  readonly byVerb?: true;
  /** True where a call's arguments decide; without a call `capabilities` is the worst they can ask for. */
  readonly depends?: true;
}

export type Classification =
  | Classified
  /** In the catalogue, and does no I/O; `mixed`: the module has members that do. */
  | { readonly kind: "pure"; readonly root: string; readonly mixed: boolean }
  /** A third-party package that the catalogue does not hold. */
  | { readonly kind: "unclassified"; readonly root: string };

/**
 * What an API is. `additions` (from agentgate.yml) win over the shipped data, longer names over shorter ones.
 * `call` is given where the reference is called.
 *
 * - A mixed module itself (`import os`, `export * from "fs"`) has all its members' capabilities, with `mixed` true:
 *   an import of it says nothing, handing it on whole is a use of all of them.
 * - A computed member (`fs[name]`) of a mixed module is `opaque`; of a module that is I/O itself, its capabilities
 *   and `opaque`; of an environment or of an instance, what its fixed part says.
 * - A specifier that leads into the tree (`./x`, `..pkg`, `#x`) never matches: `unclassified`, with itself as root.
 *   The exceptions are `.node` and `.wasm` files, which are `native` wherever they lie.
 */
export function classify(
  language: Language,
  reference: Reference,
  additions: readonly CapabilityEntry[] = [],
  call?: ArgumentsView,
): Classification {
  if (additions.length > 0 || call !== undefined) return classifyOnce(language, reference, additions, call);
  const key = memoKey(language, reference);
  const known = memo.get(key);
  if (known !== undefined) return known;
  if (memo.size >= LONGEST_MEMO) memo.clear();
  const result = classifyOnce(language, reference, additions, call);
  memo.set(key, result);
  return result;
}

/** The same few names come up in every file of a tree. */
const memo = new Map<string, Classification>();
const LONGEST_MEMO = 20_000;

/** Names are hostile: no separator may make two references one. */
function memoKey(language: Language, { module, path, instance, computed }: Reference): string {
  return JSON.stringify([language, instance === true, computed === true, module, path]);
}

function classifyOnce(
  language: Language,
  reference: Reference,
  additions: readonly CapabilityEntry[],
  call: ArgumentsView | undefined,
): Classification {
  const special = language === "ecmascript" ? bySpecifier(reference) : null;
  if (special !== null) return special;
  const name = nameOf(language, reference);
  if (name === null) return { kind: "unclassified", root: reference.module };
  const catalogue = language === "ecmascript" && reference.module === "globalThis" ? globalsCatalogue() : catalogueOf(language);
  const found = catalogue.find(name);
  const root = rootOf(language, name, found);
  const api = displayed(language, name, found);
  const added = additions.length === 0 ? null : additionFor(name, additions, root, api);
  if (added !== null) return added;
  if (found === null) return describedPackage(name, additions, root, api) ?? notFound(language, reference, root);
  return judge({ language, reference, catalogue, found, root, api, call });
}

/** Files and addresses that run as code whoever names them. */
function bySpecifier({ module }: Reference): Classified | null {
  const capabilities: readonly Capability[] | null = /\.(?:node|wasm)$/.test(module)
    ? ["native"]
    : /^https?:/i.test(module) ? ["net", "code"] : /^data:/i.test(module) ? ["code"] : null;
  if (capabilities === null) return null;
  return { kind: "capability", capabilities, root: module, api: module, mixed: false, exact: true };
}

function notFound(language: Language, reference: Reference, root: string): Classification {
  const isGlobal = language === "ecmascript" && reference.module === "globalThis";
  if (!isGlobal) return { kind: "unclassified", root };
  const chosen = reference.computed === true && reference.path.length === 0;
  if (!chosen) return { kind: "pure", root, mixed: false };
  return { kind: "capability", capabilities: ["opaque"], root, api: root, mixed: true, exact: false };
}

interface Question {
  readonly language: Language;
  readonly reference: Reference;
  readonly catalogue: Catalogue;
  readonly found: Found;
  readonly root: string;
  readonly api: string;
  readonly call: ArgumentsView | undefined;
}

function judge(question: Question): Classification {
  const { found, root, api, reference, language, call } = question;
  const members = membersOf(question);
  if (members.length === 0 && found.entry.mixed && !found.entry.members.has("")) return wholeModule(question);
  const instance = reference.instance === true;
  const match = matchMember(found.entry, { language, members, instance, call });
  // A listed constructor's own name (`create_engine`) says nothing of what is done with what it makes.
  const telling = match.exact ? members.slice(-1) : members.slice(match.depth);
  const done = match.verdict.kind === "verb" ? doneBy(match.exact && match.depth === members.length ? [] : telling, members.slice(match.depth)) : null;
  const capabilities = capabilitiesFor(match.verdict, done, call);
  const computed = reference.computed === true && !instance ? computedCapabilities(question, members, capabilities) : capabilities;
  if (computed.length === 0) return { kind: "pure", root, mixed: found.entry.mixed };
  return {
    kind: "capability",
    capabilities: computed,
    root,
    api,
    mixed: false,
    exact: match.exact && (found.whole || members.length > 0),
    ...(match.verdict.kind === "verb" && done === null ? { byVerb: true as const } : {}),
    ...(match.verdict.kind === "arguments" ? { depends: true as const } : {}),
  };
}

/** Of a listed method the method itself tells (`execute` does not), else the names before it. */
function doneBy(telling: readonly string[], members: readonly string[]): "read" | "write" | null {
  return verbOf(telling) ?? (telling.length > 0 ? verbOf(members) : null);
}

/** `fs.promises.readFile` is `fs.readFile`. */
function membersOf({ language, found }: Question): readonly string[] {
  const folds = language === "ecmascript" && found.origin === "library" && found.members[0] === "promises";
  return folds ? found.members.slice(1) : found.members;
}

function wholeModule({ catalogue, found, root, api, reference }: Question): Classification {
  const all = allCapabilities(catalogue, found.entry);
  const chosen = reference.computed === true;
  if (all.length === 0 || (chosen && found.entry.computedIsPure)) return { kind: "pure", root, mixed: all.length > 0 };
  return { kind: "capability", capabilities: chosen ? ["opaque"] : all, root, api, mixed: true, exact: found.whole };
}

function capabilitiesFor(verdict: Verdict, done: "read" | "write" | null, call: ArgumentsView | undefined): readonly Capability[] {
  switch (verdict.kind) {
    case "pure": return [];
    case "capabilities": return verdict.capabilities;
    case "verb": return [done === "read" ? `${verdict.family}.read` : `${verdict.family}.write`];
    case "arguments": return decide(verdict, call);
  }
}

function computedCapabilities({ found }: Question, members: readonly string[], fixed: readonly Capability[]): readonly Capability[] {
  const entry: Entry = found.entry;
  if (entry.computedIsPure) return fixed;
  if (members.length === 0) return fixed.length === 0 ? [] : [...fixed, "opaque"];
  return fixed.length === 0 && hasListedBelow(entry, members) ? ["opaque"] : fixed;
}

function rootOf(language: Language, name: CatalogueName, found: Found | null): string {
  if (found === null || found.origin === "global" || name.scope === "builtin") return name.root;
  if (language === "ecmascript" || found.origin === "library") return name.root;
  // A package's root is the shortest of its keys: `google.cloud.storage` has no shorter one, `django.db` has `django`.
  const catalogue = catalogueOf("python");
  const shortest = [...name.keys].reverse().find(([key]) => !isNamespace(key) && catalogue.get(key) !== null);
  return shortest?.[0] ?? found.named;
}

function displayed(language: Language, name: CatalogueName, found: Found | null): string {
  const dotted = name.spellings.at(name.scope === "builtin" ? 0 : -1) ?? name.root;
  if (language === "python" || name.scope === "builtin") return dotted === "" ? name.root : dotted;
  if (found === null) return dotted;
  const shown = [found.named, ...found.members].join(".");
  return found.origin === "library" && !found.named.includes(":") ? `node:${shown}` : shown;
}

const EXCEPTIONS = new Set(listed.python.join(" ").split(" "));

/** True for a class of errors: by its name (`…Error`, `…Exception`, `…Warning`), its module, or the list. */
export function isException(language: Language, reference: Reference): boolean {
  const last = reference.path.at(-1) ?? "";
  if (namesException(last)) return true;
  if (language === "ecmascript") return false;
  const segments = [...reference.module.split("."), ...reference.path];
  const inErrors = segments.slice(0, -1).some((segment) => isHarmlessSegment(segment) && /exc|err/.test(segment));
  return (inErrors && /^[A-Z]/.test(last)) || EXCEPTIONS.has(segments.join("."));
}

/** True for a member without I/O of a module that has some: `subprocess.PIPE`, `os.path.join`, `httpx.Timeout`. */
export function isPureMember(language: Language, reference: Reference, additions: readonly CapabilityEntry[] = []): boolean {
  return classify(language, reference, additions).kind === "pure";
}

/** What an API does when it is assigned to or deleted: an environment is then written. */
export function asWritten(capabilities: readonly Capability[]): readonly Capability[] {
  return capabilities.map((capability) => (capability === "env.read" ? "env.write" : capability));
}
