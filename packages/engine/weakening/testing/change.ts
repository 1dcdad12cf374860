import { createHash } from "node:crypto";
import { dialectOf, parseEcmascript, parsePython } from "@agentgate/parsers";
import type { ModuleFacts } from "@agentgate/parsers";
import type { ChangedFile, Difference, Side } from "../../change/change.ts";
import { DEFAULT_POLICY, readPolicy } from "../../policy/policy.ts";
import type { Policy } from "../../policy/policy.ts";
import { weakeningsOf } from "../index.ts";
import type { WeakeningInput } from "../input.ts";
import type { Weakening } from "../weakening.ts";

/** Content by path; null: there and unreadable. */
export type Texts = Readonly<Record<string, string | null>>;

export interface ChangeSetup {
  /** Path at head to path at the base. */
  readonly renames?: Readonly<Record<string, string>>;
  readonly suppressed?: WeakeningInput["suppressed"];
  readonly policy?: Policy;
  readonly policyPath?: string;
}

/** The weakenings between two small trees. */
export function weakeningsBetween(base: Texts, head: Texts, setup: ChangeSetup = {}): Promise<readonly Weakening[]> {
  const policyPath = setup.policyPath ?? "agentgate.yml";
  return weakeningsOf({
    difference: differenceOf(base, head, setup.renames ?? {}),
    policy: setup.policy ?? policyIn(base[policyPath]),
    policyPath,
    suppressed: setup.suppressed ?? (() => []),
  });
}

/** Each as `kind path:line`. */
export async function kindsBetween(base: Texts, head: Texts, setup: ChangeSetup = {}): Promise<string[]> {
  return (await weakeningsBetween(base, head, setup)).map((one) => `${one.kind} ${one.path}:${one.start.line}`);
}

function policyIn(text: string | null | undefined): Policy {
  const read = typeof text === "string" ? readPolicy(text) : null;
  return read !== null && "policy" in read ? read.policy : DEFAULT_POLICY;
}

export function differenceOf(base: Texts, head: Texts, renames: Readonly<Record<string, string>>): Difference {
  const from = new Map(Object.entries(renames));
  const moved = new Set(from.values());
  const paths = [...new Set([...Object.keys(base), ...Object.keys(head)])].sort();
  const files = paths.flatMap((path): ChangedFile[] => {
    const old = from.get(path) ?? (path in base && !moved.has(path) ? path : null);
    if (!(path in head)) return moved.has(path) ? [] : [{ path, basePath: path, status: "deleted", baseBlob: blobOf(base[path]!), headBlob: null }];
    if (old === path && base[path] === head[path]) return [];
    const status = old === null ? "added" : old === path ? "modified" : "renamed";
    return [{ path, basePath: old, status, baseBlob: old === null ? null : blobOf(base[old]!), headBlob: blobOf(head[path]!) }];
  });
  return { base: sideOf(base), head: sideOf(head), files };
}

function sideOf(texts: Texts): Side {
  return {
    paths: new Set(Object.keys(texts)),
    blob: (path) => (path in texts ? blobOf(texts[path]!) : null),
    text: (path) => Promise.resolve(texts[path] ?? null),
    facts: (path) => (typeof texts[path] === "string" ? factsIn(path, texts[path]) : null),
  };
}

function blobOf(text: string | null): string {
  return createHash("sha1").update(text ?? "\0unreadable").digest("hex");
}

function factsIn(path: string, text: string): ModuleFacts | null {
  if (path.endsWith(".py")) return parsePython(text);
  return /\.[mc]?[jt]sx?$/.test(path) ? parseEcmascript(text, { dialect: dialectOf(path) }) : null;
}
