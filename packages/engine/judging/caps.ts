import { acquiredCapabilities } from "@agentgate/rules";
import { positionAt } from "@agentgate/parsers";
import { comparePaths } from "../paths.ts";
import type { CapabilitySites, CapsReport } from "../report.ts";
import type { JudgeInput } from "./judge.ts";
import type { Module } from "./module.ts";

type CapsInput = Pick<JudgeInput, "modules" | "contextOf">;

/** Capabilities of each judged module that has any, sorted by path. */
export function capsOf(input: CapsInput): CapsReport["modules"] {
  const judged = [...input.modules.values()].filter((module) => module.judged);
  return judged.map((module) => ({ path: module.path, capabilities: capabilitiesOf(module, input) })).filter((module) => module.capabilities.length > 0);
}

function capabilitiesOf({ path, facts }: Module, input: CapsInput): CapabilitySites[] {
  const acquired = acquiredCapabilities(facts, input.contextOf({ path }));
  const sites = acquired.map((one): CapabilitySites => ({
    capability: one.capability, api: one.api, sites: one.sites.map((site) => positionAt(facts.lines, site.span[0])),
  }));
  return sites.sort(bySite);
}

function bySite(left: CapabilitySites, right: CapabilitySites): number {
  const [first, second] = [left.sites[0]!, right.sites[0]!];
  return first.line - second.line || first.column - second.column || comparePaths(left.capability, right.capability) || comparePaths(left.api, right.api);
}
