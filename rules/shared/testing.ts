import type { ModuleFacts } from "@agentgate/parsers";
import { CAPABILITIES } from "../catalogue/capability.ts";
import type { Capability, CapabilityEntry } from "../catalogue/capability.ts";
import type { Gate, ModelPolicy, Port, RuleContext, RuleFinding, Tree } from "../rule.ts";

/** What a test's tree holds beside the judged module. */
export interface TreeInput {
  /** Other modules by the specifier that names them, which is also their path. */
  readonly modules?: Readonly<Record<string, ModuleFacts>>;
  /** Packages by the alias that names them. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Capabilities that ports cover, by path. */
  readonly covered?: Readonly<Record<string, readonly Capability[]>>;
  readonly ports?: readonly Port[];
  readonly strict?: boolean;
  readonly capabilities?: readonly CapabilityEntry[];
  readonly path?: string;
  readonly gates?: readonly Gate[];
  readonly models?: Partial<ModelPolicy>;
  readonly loopCeiling?: number;
  readonly tools?: readonly string[];
  readonly denyHosts?: readonly string[];
  /** Paths by the name of a function or method that they define. */
  readonly definers?: Readonly<Record<string, readonly string[]>>;
  /** Paths of importers by path. */
  readonly importers?: Readonly<Record<string, readonly string[]>>;
}

/** A rule's context over a tree that is written in the test. */
export function contextOf(input: TreeInput = {}): RuleContext {
  const { modules = {}, aliases = {}, covered = {}, ports = [], strict = false, capabilities = [], path = "src/app" } = input;
  const tree: Tree = {
    resolve: (_from, specifier) =>
      Object.hasOwn(modules, specifier) ? { path: specifier }
        : Object.hasOwn(aliases, specifier) ? { alias: aliases[specifier]! }
          : /^\.{1,2}(?:[/\w]|$)/.test(specifier) ? "missing" : null,
    facts: (of) => modules[of] ?? null,
    covers: (of, capability) => covered[of]?.includes(capability) ?? false,
    definersOf: (name) => input.definers?.[name] ?? [],
    importersOf: (of) => input.importers?.[of] ?? [],
  };
  return {
    path, tree, strict, ports: [], capabilities, options: {},
    gates: input.gates ?? [], models: { policy: "pinned", inRegistry: false, allow: [], ...input.models },
    loopCeiling: input.loopCeiling ?? 100, tools: input.tools ?? [], denyHosts: input.denyHosts ?? [],
    portsFor: (capability) => ports.filter((port) => port.capabilities.some((each) => each === capability || capability.startsWith(`${each}.`))),
  };
}

/** A finding in one line: `error net httpx`. */
export function shortly(finding: RuleFinding): string {
  return `${finding.severity} ${finding.capability ?? "-"} ${finding.api ?? "-"}`;
}

/** The 1-based made-up line on which a finding stands. */
export function lineOf(facts: ModuleFacts, finding: RuleFinding): number {
  return facts.lines.filter((start) => start <= finding.span[0]).length;
}

/** Every capability, for tests of completeness. */
export const ALL: readonly Capability[] = CAPABILITIES;
