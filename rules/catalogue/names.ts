import type { Reference } from "@agentgate/parsers";
import names from "./data/names.json" with { type: "json" };

export type Language = "python" | "ecmascript";

/** A reference as the catalogue looks it up. */
export interface CatalogueName {
  /** Python: every dotted segment. ECMAScript: the specifier's candidates are in `keys`, this is the member path. */
  readonly path: readonly string[];
  /** The keys that may hold it, the longest first, each with the members that remain. */
  readonly keys: readonly (readonly [key: string, members: readonly string[]])[];
  /** The root where the catalogue has no say. */
  readonly root: string;
  /** Written with dots, for additions: `acme_sdk.charges.create`, `@acme/sdk.create`, `fetch`. */
  readonly spellings: readonly string[];
  readonly scope: "builtin" | "module";
}

const LONGEST_KEY = 6;
const NAMESPACES = new Set(names.pythonNamespaces.split(" "));
const GLOBAL_OBJECTS = new Set(names.globalObjects.split(" "));

/** The name of a reference, or null where it lies in the tree (`./client`, `..pkg`, `#alias`). */
export function nameOf(language: Language, reference: Reference): CatalogueName | null {
  if (language === "python") return pythonName(reference);
  return reference.module === "globalThis" ? globalName(reference) : specifierName(reference);
}

function pythonName(reference: Reference): CatalogueName | null {
  if (reference.module.startsWith(".") || reference.module === "") return null;
  const builtin = reference.module === "builtins" || reference.module === "__builtin__";
  const path = reference.path[0] === "__builtins__" ? reference.path.slice(1) : reference.path;
  const segments = [...reference.module.split("."), ...path];
  const keys: [string, readonly string[]][] = [];
  for (let length = Math.min(segments.length, LONGEST_KEY); length > 0; length -= 1) {
    const key = segments.slice(0, length).join(".");
    // A namespace package says nothing of the distributions inside it.
    if (length === segments.length || !NAMESPACES.has(key)) keys.push([key, segments.slice(length)]);
  }
  const spellings = builtin ? [path.join("."), segments.join(".")] : [segments.join(".")];
  const root = builtin ? (path[0] ?? "builtins") : pythonRoot(segments);
  return { path, keys, root, spellings, scope: builtin ? "builtin" : "module" };
}

/** `google.cloud`, `azure`: packages that many distributions share. */
export function isNamespace(key: string): boolean {
  return NAMESPACES.has(key);
}

/** The top-level package; below a namespace package (`google.cloud`) the distribution's own segment too. */
export function pythonRoot(segments: readonly string[]): string {
  let length = 1;
  while (length < segments.length && NAMESPACES.has(segments.slice(0, length).join("."))) length += 1;
  return segments.slice(0, length).join(".");
}

function globalName(reference: Reference): CatalogueName {
  let path = reference.path.flatMap((segment) => (segment === "import.meta" ? ["import", "meta"] : [segment]));
  while (path.length > 1 && GLOBAL_OBJECTS.has(path[0] ?? "")) path = path.slice(1);
  const first = path[0] ?? "globalThis";
  return { path, keys: [[first, path.slice(1)]], root: first, spellings: [path.join(".")], scope: "builtin" };
}

function specifierName(reference: Reference): CatalogueName | null {
  const specifier = plainSpecifier(reference.module);
  if (/^[./#\\]/.test(specifier) || specifier === "") return null;
  const root = packageOf(specifier);
  const path = reference.path[0] === "default" ? reference.path.slice(1) : reference.path;
  const keys: [string, readonly string[]][] = [];
  // `sqlite` without the scheme is a package: https://nodejs.org/api/modules.html#built-in-modules-with-mandatory-node-prefix
  if (BY_SCHEME_ONLY.has(reference.module)) keys.push([reference.module, path]);
  for (let key = specifier; ; key = key.slice(0, key.lastIndexOf("/"))) {
    keys.push([key, path]);
    if (key.length <= root.length || keys.length > LONGEST_KEY) break;
  }
  if (keys.at(-1)?.[0] !== root) keys.push([root, path]);
  const dotted = (key: string): string => [key, ...path].join(".");
  const spellings = specifier === root ? [dotted(root)] : [dotted(specifier), dotted(root)];
  return { path, keys, root, spellings, scope: "module" };
}

/** Modules of Node whose plain name a package has. */
const BY_SCHEME_ONLY: ReadonlySet<string> = new Set(["node:sqlite"]);

/** Without `node:`, without Deno's `npm:` and version, without a bundler's `?query`. */
function plainSpecifier(specifier: string): string {
  const text = specifier.startsWith("node:") ? specifier.slice(5) : specifier;
  const query = text.indexOf("?");
  const bare = query < 0 ? text : text.slice(0, query);
  if (!bare.startsWith("npm:")) return bare;
  const name = bare.slice(4).replace(/^\/+/, "");
  const version = name.indexOf("@", 1);
  if (version < 0) return name;
  const rest = name.indexOf("/", version);
  return name.slice(0, version) + (rest < 0 ? "" : name.slice(rest));
}

/** `@scope/name` or `name`; of `@/x`, which no package can be called, the alias alone. */
export function packageOf(specifier: string): string {
  const parts = specifier.split("/");
  return parts.slice(0, specifier.startsWith("@") && parts[0] !== "@" ? 2 : 1).join("/");
}

const HARMLESS_SEGMENTS = new Set(names.harmlessSegments.split(" "));
const HARMLESS_NAMES = new Set(names.harmlessNames.split(" "));
const EXCEPTION_ENDINGS = names.exceptionEndings.split(" ");
const PLAIN: Readonly<Record<Language, ReadonlySet<string>>> = {
  python: new Set(names.plain.python.split(" ")),
  ecmascript: new Set(names.plain.ecmascript.split(" ")),
};

/** `ReadTimeoutError`, `ClientException`: a class of errors by its name. */
export function namesException(segment: string): boolean {
  const first = segment.charAt(0);
  return first >= "A" && first <= "Z" && EXCEPTION_ENDINGS.some((ending) => segment.endsWith(ending));
}

/** `errors`, `types`, `constants`: a part of a package that holds no I/O, by its name. */
export function isHarmlessSegment(segment: string): boolean {
  return HARMLESS_SEGMENTS.has(segment);
}

export function isHarmlessName(segment: string): boolean {
  return HARMLESS_NAMES.has(segment);
}

/** `CERT_NONE`, `DEFAULT_TIMEOUT`: at least one underscore, since `FTP` and `S3` are classes. */
export function namesConstant(segment: string): boolean {
  return /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(segment);
}

/** Members whose result is plain data in any package: what is called on it is no I/O. */
export function isPlain(language: Language, segment: string): boolean {
  return PLAIN[language].has(segment);
}
