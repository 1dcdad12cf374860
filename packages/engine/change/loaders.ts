import { placeOf } from "../judging/finding.ts";
import type { Finding } from "../report.ts";
import type { OpenChange } from "./open.ts";
import { importSpan } from "./subjects.ts";

/** Adds to findings in excluded files why these are judged at all: the place that loads them. */
export function withLoaders(change: OpenChange, findings: readonly Finding[]): Finding[] {
  return findings.map((finding) => {
    const glob = change.head.sources.get(finding.path)?.excludedBy ?? null;
    const loader = glob === null ? null : change.headImporters.loaderOf(finding.path);
    const module = loader === null ? null : change.head.module(loader);
    if (glob === null || loader === null || module === null || finding.related.some(({ path }) => path === loader)) return finding;
    const span = importSpan(change, loader, finding.path) ?? [0, 0];
    const message = glob === "" ? "loads this file" : `loads this file, which ${glob} excludes`;
    return { ...finding, related: [...finding.related, { path: loader, ...placeOf(module.facts, module.text, span), message }] };
  });
}
