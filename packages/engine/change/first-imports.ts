import { classify } from "@agentgate/rules";
import { filesHolding } from "../git/grep.ts";
import { placeOf } from "../judging/finding.ts";
import { fingerprintOf } from "../judging/fingerprint.ts";
import { severityOf } from "../judging/judge.ts";
import { comparePaths, endingOf } from "../paths.ts";
import type { TreePath } from "../paths.ts";
import type { Finding, RelatedPlace } from "../report.ts";
import type { OpenChange } from "./open.ts";
import type { ChangeSide } from "./side.ts";
import type { Subjects } from "./subjects.ts";
import type { View } from "./view.ts";

const RULE = "no-invented-io";

/** Where a package that the catalogue does not know is imported anew. */
interface FirstImport {
  readonly root: string;
  readonly place: RelatedPlace;
  readonly fingerprint: string;
}

/** The packages that no one can say anything about and that the tree did not import before, each once, with all places. */
export async function firstImports(change: OpenChange, { subjects }: Subjects): Promise<Finding[]> {
  const severity = severityOf(RULE, "warning", change.policy);
  if (severity === "off") return [];
  const byRoot = new Map<string, FirstImport[]>();
  for (const { view, bases } of subjects) {
    for (const one of view === null ? [] : importsOf(view)) {
      if (bases.length > 0 && bases.every((base) => base?.view.unclassified.some(({ root }) => root === one.root) === true)) continue;
      byRoot.set(one.root, [...(byRoot.get(one.root) ?? []), one]);
    }
  }
  const known = await importedBefore(change, [...byRoot.keys()]);
  return [...byRoot].filter(([root]) => !known.has(root)).map(([root, places]) => findingOf(root, places, severity));
}

function importsOf({ module, unclassified }: View): FirstImport[] {
  return unclassified.map(({ root, span, statement }) => ({
    root, place: { path: module.path, ...placeOf(module.facts, module.text, span), message: root },
    fingerprint: fingerprintOf(RULE, { capability: null, key: root, statement }, module.facts, module.text),
  }));
}

function findingOf(root: string, places: readonly FirstImport[], severity: Finding["severity"]): Finding {
  const [first, ...others] = [...places].sort((one, other) => comparePaths(one.place.path, other.place.path) || one.place.start.line - other.place.start.line);
  const message = `${root} is new to the tree, and ${whyUnknown(root)}`;
  const { path, start, end } = first!.place;
  return { rule: RULE, severity, message, path, start, end, capability: null, api: root, baseline: "new", related: others.map(({ place }) => place), fingerprint: first!.fingerprint };
}

/** A root that no package can be called is an alias of a bundler, or a module that it makes. */
function whyUnknown(root: string): string {
  const say = `under capabilities: in agentgate.yml, as api ${root} and the capability that it has, or pure.`;
  if (/^(?:@[\w.-]+\/)?\w[\w.-]*$/.test(root)) return `the catalogue does not know it, so that nobody can say what it does. Say it ${say}`;
  const why = "it is no package: nothing in the tree says where it leads, so that nobody can say what it does.";
  return /^[\w$]/.test(root) ? `${why} Say it ${say}` : `${why} Give it under paths in tsconfig.json or jsconfig.json.`;
}

/** As it stands in a specifier. */
function wordOf(root: string): string {
  return root === "@" || root === "~" ? `${root}/` : root;
}

/** Which of the packages modules of every merge base import, by their specifiers. */
async function importedBefore(change: OpenChange, roots: readonly string[]): Promise<ReadonlySet<string>> {
  if (roots.length === 0) return new Set();
  const found = await Promise.all(change.comparisons.map(async ({ base }, index) => {
    const holding = (await filesHolding(change.listed.repository, change.listed.revisions.mergeBases[index]!, roots.map(wordOf))).filter((path) => base.sources.get(path)?.excludedBy === null);
    await base.load(holding);
    return new Set(holding.flatMap((path) => rootsImported(base, path)));
  }));
  return new Set(roots.filter((root) => found.every((imported) => imported.has(root))));
}

/** The packages unknown to the catalogue that a module imports. */
function rootsImported(base: ChangeSide, path: TreePath): string[] {
  const language = endingOf(base.sources.get(path)?.dialectPath ?? path) === ".py" ? "python" : "ecmascript";
  return (base.module(path)?.specifiers.all ?? []).flatMap((specifier) => {
    const found = base.linker.resolve(path, specifier);
    if (found === "missing" || (found !== null && "path" in found)) return [];
    const answer = classify(language, { module: found === null ? specifier : found.alias, path: [] });
    return answer.kind === "unclassified" ? [answer.root] : [];
  });
}
