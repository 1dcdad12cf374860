import { referencesOf } from "@agentgate/parsers";
import type { Call, ModuleFacts, Reference, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../rule.ts";
import { argumentsView } from "./arguments.ts";
import { classify } from "../catalogue/classify.ts";
import { judgeCode, judgeSearchPathValue } from "./dynamic-code.ts";
import { computedMembers, functionConstructors, pageScripts } from "./dynamic-members.ts";
import { codeMessage, handedOnMessage } from "./dynamic-messages.ts";
import { judgeFile, judgeModule } from "./dynamic-modules.ts";
import { dynamicInput, problem, siteOf } from "./dynamic-site.ts";
import type { DynamicInput, DynamicSite } from "./dynamic-site.ts";
import { memberWrites } from "./consumers.ts";
import { originsOf, shownName } from "./expressions.ts";
import { loaderOf } from "./loaders.ts";
import type { Loader } from "./loaders.ts";
import { isProbe } from "./probes.ts";

const sitesByFacts = new WeakMap<ModuleFacts, { readonly context: RuleContext; readonly sites: readonly DynamicSite[] }>();

/** Every place of a module where what runs is chosen by text or data, safe ones too, in source order. */
export function dynamicSites(facts: ModuleFacts, context: RuleContext): readonly DynamicSite[] {
  const known = sitesByFacts.get(facts);
  if (known?.context.path === context.path && known.context.tree === context.tree) return known.sites;
  const input = dynamicInput(facts, context);
  const found = [
    ...calledLoaders(input), ...handedOn(input), ...writtenPaths(input), ...unpicklers(input),
    ...computedMembers(input), ...functionConstructors(input), ...pageScripts(input),
  ];
  const sites = onePerPlace(found);
  sitesByFacts.set(facts, { context, sites });
  return sites;
}

function onePerPlace(found: readonly DynamicSite[]): DynamicSite[] {
  const byPlace = new Map<number, DynamicSite>();
  for (const site of found) {
    const other = byPlace.get(site.span[0]);
    if (other === undefined || (other.problem === null && site.problem !== null)) byPlace.set(site.span[0], site);
  }
  return [...byPlace.values()].sort((one, other) => one.span[0] - other.span[0]);
}

function calledLoaders(input: DynamicInput): DynamicSite[] {
  const { facts } = input;
  const results = resultsOf(facts);
  return facts.calls.flatMap((call, id) => {
    if (isOutOfTable(facts, call)) return [];
    for (const reference of call.references) {
      const loader = loaderOf(facts.language, reference) ?? catalogued(input, reference, call);
      if (loader === null) continue;
      const api = shownName(reference);
      const result = results.get(id) ?? -1;
      const verdict = loader.kind === "module" ? judgeModule(input, id, call, loader, api)
        : loader.kind === "file" ? judgeFile(input, id, call, loader, api)
          : judgeCode(input, result, call, loader, api);
      return [siteOf(call, api, verdict)];
    }
    return [];
  });
}

/** `OPERATIONS[name](…)`: where the evaluator was put into the table is the place to tell. */
function isOutOfTable(facts: ModuleFacts, call: Call): boolean {
  const callee = facts.values[call.callee];
  return callee?.kind === "member" && callee.property === null && referencesOf(facts, callee.object).length === 0;
}

function resultsOf(facts: ModuleFacts): Map<number, ValueId> {
  const results = new Map<number, ValueId>();
  facts.values.forEach((value, id) => {
    if (value.kind === "call") results.set(value.call, id);
  });
  return results;
}

const BY_CATALOGUE: Loader = { kind: "code" };

/** What only the catalogue, or `capabilities:` in agentgate.yml, knows to run text or data as code. */
function catalogued(input: DynamicInput, reference: Reference, call: Call): Loader | null {
  if (reference.instance === true || reference.computed === true || reference.through === "annotation" || reference.through === "star") return null;
  const view = argumentsView(input.facts, call);
  const answer = classify(input.facts.language, reference, input.context.capabilities, view);
  return answer.kind === "capability" && answer.exact && answer.capabilities.includes("code") ? BY_CATALOGUE : null;
}

/** Loaders and evaluators given to other code as values. */
function handedOn(input: DynamicInput): DynamicSite[] {
  const { facts } = input;
  return facts.uses.flatMap((use) => {
    if (use.role !== "value" || isProbe(facts, use.value)) return [];
    for (const reference of use.references) {
      const loader = loaderOf(facts.language, reference);
      if (loader === null || loader.value === false || loader.kind === "search-path" || loader.kind === "hook") continue;
      const api = shownName(reference);
      const capability = loader.kind === "module" || loader.kind === "file" ? "opaque" : "code";
      return [siteOf({ nameSpan: use.span, statement: use.statement }, api, problem("error", handedOnMessage(api, loader.kind), capability))];
    }
    return [];
  });
}

/** `sys.path = […]`, `sys.path[:0] = […]`, `sys.path += […]`. */
function writtenPaths(input: DynamicInput): DynamicSite[] {
  const { facts } = input;
  if (facts.language !== "python") return [];
  const places = new Map(facts.uses.filter((use) => use.role === "write").map((use) => [use.value, use]));
  return memberWrites(facts).flatMap(({ target, statement }) => {
    const use = places.get(target);
    const api = use?.references.map(shownName).find((name) => name === "sys.path" || name.startsWith("sys.path."));
    if (use === undefined || api === undefined) return [];
    return [siteOf({ nameSpan: use.span, statement: use.statement }, "sys.path", judgeSearchPathValue(facts, statement.value, "sys.path"))];
  });
}

/** A class of this file that derives from an unpickler and does not decide itself what may be built. */
function unpicklers(input: DynamicInput): DynamicSite[] {
  const { facts } = input;
  return facts.uses.flatMap((use) => {
    if (use.role !== "base") return [];
    const loader = use.references.map((reference) => loaderOf(facts.language, reference)).find((each) => each?.overriding !== undefined);
    if (loader === undefined || loader === null) return [];
    const subclass = facts.classes.findIndex((each) => each.bases.some((base) => originsOf(facts, base).values.includes(use.value) || base === use.value));
    if (facts.functions.some((each) => each.class === subclass && each.name === loader.overriding)) return [];
    const api = shownName(use.references[0]!);
    return [siteOf({ nameSpan: use.span, statement: use.statement }, api, problem("error", codeMessage(api), "code"))];
  });
}
