import { acquiredCapabilities, unclassifiedPackages } from "@agentgate/rules";
import type { RuleContext } from "@agentgate/rules";
import { positionAt } from "@agentgate/parsers";
import { comparePaths } from "../paths.ts";
import type { CapabilitySites, CapsReport } from "../report.ts";
import type { JudgeInput } from "./judge.ts";
import type { Module } from "./module.ts";

type CapsInput = Pick<JudgeInput, "modules" | "contextOf">;

/** Capabilities of each judged module that has any, sorted by path. */
export function capsOf(input: CapsInput): CapsReport["modules"] {
  return judgedWith(input, (module, context) => {
    const capabilities = acquiredCapabilities(module.facts, context).map((acquired): CapabilitySites => ({
      capability: acquired.capability,
      api: acquired.api,
      sites: acquired.sites.map((site) => positionAt(module.facts.lines, site.span[0])),
    }));
    return capabilities.length === 0 ? [] : [{ path: module.path, capabilities: capabilities.sort(bySite) }];
  });
}

function bySite(left: CapabilitySites, right: CapabilitySites): number {
  const [first, second] = [left.sites[0]!, right.sites[0]!];
  return first.line - second.line || first.column - second.column || comparePaths(left.capability, right.capability) || comparePaths(left.api, right.api);
}

/** Third-party packages that the catalogue does not know, over all judged modules. */
export function unclassifiedOf(input: CapsInput): ReadonlySet<string> {
  return new Set(judgedWith(input, (module, context) => unclassifiedPackages(module.facts, context).map((one) => one.root)));
}

/** What a rule's helper says of each judged module; nothing for a module on which it fails, which is reported elsewhere. */
function judgedWith<T>(input: CapsInput, ask: (module: Module, context: RuleContext) => T[]): T[] {
  return [...input.modules.values()].filter((module) => module.judged).flatMap((module) => {
    try {
      return ask(module, input.contextOf(module));
    } catch {
      return [];
    }
  });
}
