import type { ModuleFacts, Span } from "@agentgate/parsers";
import type { Capability } from "../catalogue/capability.ts";
import type { Related, RuleContext } from "../rule.ts";
import { dynamicSites } from "./dynamic.ts";
import { importedSites } from "./imports.ts";
import { keptWithFacts } from "./indexes.ts";
import { lookupFor } from "./lookup.ts";
import { usedSites } from "./uses.ts";

const TELLING = ["import", "use", "result", "read"] as const;

/** One place where a module takes a capability. */
export interface AcquiredSite {
  readonly span: Span;
  readonly statement: number;
  /** As shown to people: `httpx`, `os.system`. */
  readonly api: string;
  /**
   * How much the site tells, most first. `import`: of something that is itself I/O. `use`: of the API by its name.
   * `result`: a call on what it gave (`client.post`, `response.json`). `read`: another member of that
   * (`response.status`), or something done with its data.
   */
  readonly how: (typeof TELLING)[number];
  /** Where the API comes from, if through other modules of the tree. */
  readonly through: readonly string[];
}

/** A capability that a module has by one API root, with every place that takes it, the telling one first. */
export interface Acquired {
  readonly capability: Capability;
  /** Top-level package, `node:` dropped, `/promises` folded; globals by their name. */
  readonly root: string;
  readonly api: string;
  readonly sites: readonly AcquiredSite[];
}

/** A site and what it takes, before sites are put together. */
export interface Taken {
  readonly capabilities: readonly Capability[];
  readonly root: string;
  readonly site: AcquiredSite;
}

/** A third-party package that the catalogue does not hold, at its first import. */
export interface UnclassifiedPackage {
  readonly root: string;
  readonly span: Span;
  readonly statement: number;
}

interface Findings {
  readonly acquired: readonly Acquired[];
  readonly unclassified: readonly UnclassifiedPackage[];
}

const findingsByFacts = keptWithFacts<{ readonly context: RuleContext; readonly findings: Findings }>();

/**
 * Every capability that a module acquires by itself, reads of files and environment, `code` and `opaque` included,
 * ordered by where its first site stands. Ports are not looked at, but a capability that comes out of another module
 * of the tree which is a port for it is that module's.
 */
export function acquiredCapabilities(facts: ModuleFacts, context: RuleContext): readonly Acquired[] {
  return findingsOf(facts, context).acquired;
}

/** The packages that no one can say anything about, each once. */
export function unclassifiedPackages(facts: ModuleFacts, context: RuleContext): readonly UnclassifiedPackage[] {
  return findingsOf(facts, context).unclassified;
}

function findingsOf(facts: ModuleFacts, context: RuleContext): Findings {
  const known = findingsByFacts.get(facts);
  if (known?.context.path === context.path && known.context.tree === context.tree) return known.findings;
  const lookup = lookupFor(facts, context);
  const uses = usedSites(facts, context, lookup);
  const imports = importedSites(facts, context, lookup.resolver, uses);
  const findings = {
    acquired: grouped([...imports.taken, ...uses.taken, ...dynamicTaken(facts, context)]),
    unclassified: imports.unclassified,
  };
  findingsByFacts.set(facts, { context, findings });
  return findings;
}

function dynamicTaken(facts: ModuleFacts, context: RuleContext): Taken[] {
  return dynamicSites(facts, context).flatMap((site): Taken[] => {
    if (site.problem === null) return [];
    const { span, statement, api, capability } = site;
    return [{ capabilities: [capability], root: api, site: { span, statement, api, how: "use", through: [] } }];
  });
}

function grouped(taken: readonly Taken[]): Acquired[] {
  const groups = new Map<string, { capability: Capability; root: string; sites: Map<number, AcquiredSite> }>();
  for (const { capabilities, root, site } of taken) {
    for (const capability of new Set(capabilities)) {
      const key = `${capability}\0${root}`;
      const group = groups.get(key) ?? { capability, root, sites: new Map<number, AcquiredSite>() };
      groups.set(key, group);
      if (!group.sites.has(site.span[0])) group.sites.set(site.span[0], site);
    }
  }
  const acquired = [...groups.values()].map(({ capability, root, sites }) => {
    const ordered = withoutReads([...sites.values()].sort(tellingFirst));
    return { capability, root, api: ordered[0]!.api, sites: ordered };
  });
  return acquired.sort((one, other) => one.sites[0]!.span[0] - other.sites[0]!.span[0] || compare(one.capability, other.capability) || compare(one.root, other.root));
}

/** The first of what tells most; the rest in source order. */
function tellingFirst(one: AcquiredSite, other: AcquiredSite): number {
  return TELLING.indexOf(one.how) - TELLING.indexOf(other.how) || one.span[0] - other.span[0];
}

/** What is read off a result is no place to look at where the call that gave it is shown. */
function withoutReads(ordered: readonly AcquiredSite[]): readonly AcquiredSite[] {
  const [first, ...others] = ordered;
  if (first === undefined) return [];
  return [first, ...others.filter((site) => site.how !== "read").sort((one, other) => one.span[0] - other.span[0])];
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** The sites after the first, for `related`. */
export function relatedSites(acquired: Acquired): readonly Related[] {
  return acquired.sites.slice(1).map((site) => ({ span: site.span, message: site.api }));
}
