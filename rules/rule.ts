import type { ModuleFacts, Reference, Span } from "@agentgate/parsers";
import type { Capability, CapabilityEntry } from "./catalogue/capability.ts";

export type Severity = "error" | "warning";

/** What a rule says about itself: the only source for its page's header, the tables, presets and schemas. */
export interface RuleMeta {
  /** Kebab-case; also the name of the file, the test, the fixtures folder and the page. */
  readonly id: string;
  /** Worst severity it reports at by default. */
  readonly severity: Severity;
  /** One sentence, for tables. */
  readonly summary: string;
  /** Whether it judges code or the gate's own input. */
  readonly category: "code" | "input" | "policy";
  /** False for the rules that must not be silenced from inside the tree. */
  readonly suppressible: boolean;
  /** False where neither `rules:` nor `--rule` may change the severity. */
  readonly configurable: boolean;
  /**
   * True where a port that covers a finding's capability licenses the finding: it says what a module may do. How often, how
   * long and with which model a module does it is no matter of ports.
   */
  readonly licensedByPorts?: true;
  /** JSON Schema of the options object; absent: no options. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Techniques that fixtures must show: stable names, with one sentence each. */
  readonly techniques: readonly Technique[];
}

export interface Technique {
  readonly name: string;
  readonly summary: string;
  /** `true`: to be reported. `look-alike`: must stay silent. */
  readonly kind: "true" | "look-alike";
}

/** One place of a finding. `path` is absent for the judged module itself. */
export interface Related {
  readonly path?: string;
  readonly span: Span;
  readonly message: string;
}

/** What a rule returns. The engine adds path, lines, fingerprint, policy and the base. */
export interface RuleFinding {
  readonly severity: Severity;
  /** What, why and what to do; each one sentence. */
  readonly message: string;
  readonly span: Span;
  readonly capability: Capability | null;
  /** The resolved name as shown: `httpx.post`, `node:fs.writeFile`. */
  readonly api: string | null;
  /** What the fingerprint is made of beside rule and capability: the API root, a host, a model id. */
  readonly key: string;
  /** Index in `facts.statements` of the statement that encloses it, for the fingerprint. */
  readonly statement: number;
  readonly related: readonly Related[];
  /**
   * The rule would report this place if what a search did not get to were there: the engine tells it as a warning of
   * `not-judged`, which nothing in the tree suppresses.
   */
  readonly unfinished?: true;
}

/** A port as in agentgate.yml, already parsed and matched by the engine. */
export interface Port {
  readonly path: string;
  readonly capabilities: readonly string[];
  readonly owner: string;
  readonly note: string;
  /** Line in the policy file. */
  readonly line: number;
}

/** A wrapper whose callback may write, as declared in agentgate.yml. */
export interface Gate {
  readonly name: string;
  /** The module that defines it, as written: a dotted or relative name, or a path; null: any of that name. */
  readonly module: string | null;
  /** What it binds: all modules outside ports, or those that import or define it. */
  readonly scope: "tree" | "importers";
  /** Line in the policy file. */
  readonly line: number;
  /** Whether that file is the one at the base of a change, whose lines head may not have. */
  readonly atBase?: true;
}

/** Which model names code may hold. */
export interface ModelPolicy {
  readonly policy: "pinned" | "registry";
  /** Whether the judged module is one of the registry's. */
  readonly inRegistry: boolean;
  /** Names that are let pass. */
  readonly allow: readonly string[];
}

/** The other modules of the tree, as far as a rule may ask. Every answer is a pure lookup. */
export interface Tree {
  /**
   * The tree's module that a specifier written in `from` names: its path, `null` where it leaves the tree
   * (a package or a built-in), `"missing"` for a relative one that names nothing.
   * Package aliases (`imports`, `npm:` dependencies, tsconfig `paths`) are resolved first; `alias` is then the
   * package's own name.
   */
  resolve(from: string, specifier: string): { readonly path: string } | { readonly alias: string } | null | "missing";
  facts(path: string): ModuleFacts | null;
  /** What of the given capabilities ports cover in that module. */
  covers(path: string, capability: Capability): boolean;
  /**
   * The judged modules that define a function or a method of that name, in order; null where there are too many to
   * tell anything (more than `MOST_DEFINERS`).
   */
  definersOf(name: string): readonly string[] | null;
  /**
   * How often something was asked that is not known yet, so that null or nothing was answered for now and the module will
   * be judged again; absent: every answer is final.
   */
  unanswered?(): number;
  /** The judged modules that load `path` when they run, in order; null where there are too many. */
  importersOf(path: string): readonly string[] | null;
  /** Whether a manifest names the module as what runs when the package is installed or built; absent: nobody can tell. */
  runsAtInstall?(path: string): boolean;
  /** The name of the package that a module is of, as its manifest has it; absent or null: nobody can tell. */
  packageOf?(path: string): string | null;
}

/** A name that so many modules define tells nothing. */
export const MOST_DEFINERS = 20;

export interface RuleContext {
  /** Path of the judged module, relative to the root, forward slashes. */
  readonly path: string;
  readonly tree: Tree;
  readonly strict: boolean;
  /** Ports that match `path`. */
  readonly ports: readonly Port[];
  /** Ports by capability, the likeliest first, to name the module that should own a call. */
  readonly portsFor: (capability: Capability) => readonly Port[];
  /** Additions to the catalogue from agentgate.yml. */
  readonly capabilities: readonly CapabilityEntry[];
  readonly gates: readonly Gate[];
  readonly models: ModelPolicy;
  /** The largest constant number of attempts that still counts as a cap. */
  readonly loopCeiling: number;
  /** Further call names that dispatch an agent tool. */
  readonly tools: readonly string[];
  /** Hosts added to the built-in deny list. */
  readonly denyHosts: readonly string[];
  /** The rule's own options, validated. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Set by a rule for itself: effects behind more calls than are followed count as near, to tell what depends on them. */
  readonly beyond?: true;
}

/** Something of a module by which the verdict on a module that imports it can change: an effect of a function, a cap in it. */
export interface Influence {
  /** The exported name, for people. */
  readonly name: string;
  /** Equal as long as nothing changed for importers: no spans, no paths of the module itself. */
  readonly key: string;
  readonly span: Span;
}

export interface Rule {
  readonly meta: RuleMeta;
  check(facts: ModuleFacts, context: RuleContext): RuleFinding[];
  /**
   * What this rule's verdict on importers of the module may depend on. In change mode the importers of a changed module
   * are judged when this is not what it was; absent: other modules are judged by themselves.
   */
  influences?(facts: ModuleFacts, context: RuleContext): readonly Influence[];
}

/** A reference with the module it was written in, so that relative specifiers keep their meaning across files. */
export interface PlacedReference extends Reference {
  readonly from: string;
}
