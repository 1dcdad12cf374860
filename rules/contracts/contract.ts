import type { Place } from "@agentgate/parsers/contract";
import type { Severity } from "../rule.ts";
import type { Fields, Spot } from "./fields.ts";

export interface RelatedSpot {
  readonly path: string;
  readonly at: Place;
  readonly message: string;
}

/** One breach of a contract. The engine adds the severity in force, the fingerprint, and what else a report has. */
export interface Diagnostic<R extends string = string> {
  /** Without the contract's name: `digest`. */
  readonly rule: R;
  /** What, why and what to do; each one sentence. */
  readonly message: string;
  readonly path: string;
  readonly at: Place;
  /** For the fingerprint: key path and value. */
  readonly key: string;
  readonly related: readonly RelatedSpot[];
  /** Where it differs from the rule's. */
  readonly severity?: Severity;
  /** Set where a rule reports one place several times, once for each of these: a stop that never occurs. */
  readonly each?: string;
}

/** A diagnostic at a spot. `related` are the other sides, with what each is. */
export function diagnostic<R extends string>(rule: R, spot: Spot, message: string, related: readonly (Spot & { readonly message: string })[] = []): Diagnostic<R> {
  const others = related.map((other) => ({ path: other.path, at: other.at, message: other.message }));
  return { rule, message, path: spot.path, at: spot.at, key: JSON.stringify([spot.key, plain(spot.value)]), related: others };
}

/** The key path that a diagnostic is about. */
export function keyPathOf({ key }: Diagnostic): unknown {
  return (JSON.parse(key) as readonly unknown[])[0];
}

/** A value for the fingerprint; what has an inside is told by its key alone. */
function plain(value: unknown): unknown {
  return typeof value === "object" ? null : value;
}

/** A spot as the other side of a diagnostic. */
export function other(spot: Spot, message: string): Spot & { readonly message: string } {
  return { path: spot.path, at: spot.at, key: spot.key, message };
}

/** What a rule says of itself: the source of its page's table. */
export interface RuleText {
  /** What is reported, one sentence. */
  readonly summary: string;
  /** Default: error. */
  readonly severity?: Severity;
  /** Judged only with the merge base, or over code; not by `check` of the contract. */
  readonly needs?: "base" | "code";
}

export type GenericRule = "syntax" | "field" | "type" | "unsafe-path" | "evidence" | "owner" | "unknown-key" | "missing" | "no-base";

/** One kind of file of a contract: what `structure.ts` checks and the published schema says. */
export interface DocumentShape<F extends Fields = Fields> {
  /** Ending of the schema's name: `receipt` in `eval-gate-receipt.schema.json`; empty for the contract itself. */
  readonly name: string;
  /** One line for the schema's title and the page's heading. */
  readonly title: string;
  /** Glob of where it lies by default. */
  readonly where: string;
  readonly format: "yaml" | "json";
  readonly fields: F;
  readonly together?: readonly (readonly string[])[];
  /** What a key is that the table does not have. */
  readonly unknown: "error" | "warning" | "free";
}

/** What lies at a path of the judged tree. `reason` is the end of a sentence. */
export type EvidenceFile =
  | { readonly kind: "file"; readonly bytes: Uint8Array }
  | { readonly kind: "absent" }
  /** A link on the way leaves the repository; nothing was read. */
  | { readonly kind: "outside" }
  | { readonly kind: "unreadable"; readonly reason: string };

/**
 * The judged tree, as far as a contract may ask. Every answer is a pure lookup: the same question has the same answer for
 * the whole run, and nothing outside of the repository is ever read.
 */
export interface EvidenceTree {
  /** A path that is safe as written (`isSafePath`), relative to the root. */
  read(path: string): EvidenceFile;
  /** The regular files below a folder, relative to the root, sorted; empty where there is none. */
  list(folder: string): readonly string[];
}

/** Everything that a verdict depends on beside the contract's own text. */
export interface ContractContext {
  /** Where the contract lies, relative to the root. */
  readonly path: string;
  readonly tree: EvidenceTree;
  readonly now: Date;
  /** Full id of the head commit; null where there is none. */
  readonly head: string | null;
  /** When head was pushed; null where that is not known. */
  readonly pushedAt: Date | null;
  readonly environment: ReadonlyMap<string, string>;
}

/** A text in a contract that follows from the bytes of other files: a digest, or what is written around one. */
export interface Pin extends Spot {
  /** What stands there now. */
  readonly value: string;
  /** What belongs there. */
  readonly text: string;
  /** What it is made of, for people. */
  readonly of: string;
}

export interface ContractSystem {
  /** Kebab-case; also the name of the folder, the fixtures, the page and the schema. */
  readonly id: string;
  /** One sentence. */
  readonly purpose: string;
  /** Default path of the file or folder that makes the contract active, and what else it is made of, for the page. */
  readonly place: string;
  readonly alsoRead: readonly string[];
  /** Further files that make the contract active; it is judged in its place then, though nothing may lie there. */
  readonly alsoActive?: readonly string[];
  /** The generic rules that it can breach, where they are fewer than its tables tell. */
  readonly generic?: readonly GenericRule[];
  /** The contract's own rules; the generic ones come with `rulesOf`. */
  readonly rules: Readonly<Record<string, RuleText>>;
  readonly documents: readonly DocumentShape[];
  /** Judges one contract: pure, over what `context` answers. */
  check(context: ContractContext): readonly Diagnostic[];
  /** What `agentgate lock` writes; absent: the contract pins nothing. Pure as `check` is. */
  pins?(context: ContractContext): readonly Pin[];
}
