import { onOneLine } from "@agentgate/parsers";
import type { CallId, ModuleFacts, ValueId } from "@agentgate/parsers";
import type { Rule, RuleContext, RuleFinding, RuleMeta, Severity } from "./rule.ts";
import { noFallbackEndpointTechniques } from "./no-fallback-endpoint-techniques.ts";
import { cutOffNote, judgedWithinBounds } from "./shared/effects/cut-off.ts";
import { apiName } from "./shared/expressions.ts";
import { addressesIn } from "./shared/fallback/addresses.ts";
import type { Address } from "./shared/fallback/addresses.ts";
import { replacementsInCallbacks, replacementsInChains } from "./shared/fallback/chains.ts";
import { replacementsOnErrors } from "./shared/fallback/errors.ts";
import type { Denial } from "./shared/fallback/hosts.ts";
import { talkInfluences } from "./shared/fallback/influences.ts";
import { listsHanded } from "./shared/fallback/lists.ts";
import { offeredAddresses } from "./shared/fallback/offered.ts";
import type { OfferedAddress } from "./shared/fallback/offered.ts";
import { listedRaces, mappedRaces } from "./shared/fallback/races.ts";
import { rotations } from "./shared/fallback/rotations.ts";
import { takesOnErrors } from "./shared/fallback/takes.ts";
import { lastName } from "./shared/fallback/talks.ts";
import type { Talk } from "./shared/fallback/talks.ts";
import { isNeverAsked } from "./shared/fallback/uses.ts";
import { isCopyOfOthers, isForDevelopment, targetKind } from "./shared/fallback/words.ts";
import type { TargetKind } from "./shared/fallback/words.ts";

const meta: RuleMeta = {
  id: "no-fallback-endpoint",
  severity: "error",
  summary: "An error path goes on with another endpoint or model.",
  category: "code",
  suppressible: true,
  configurable: true,
  techniques: noFallbackEndpointTechniques,
};

const NOUNS: Record<TargetKind, string> = { model: "model", address: "address", client: "client" };

function finding(facts: ModuleFacts, value: ValueId, statement: number, given: { readonly severity: Severity; readonly message: string; readonly capability: "net" | "model" | null; readonly api: string; readonly key: string }): RuleFinding {
  const span = onOneLine(facts.lines, facts.values[value]!.span);
  return { ...given, span, statement, related: [] };
}

/** How an expression is written, for people: a name, a short text, or nothing. */
function shown(facts: ModuleFacts, id: ValueId): string | null {
  const value = facts.values[id];
  if (value?.kind === "string" && value.value.length <= 80 && !/\s/.test(value.value)) return value.value;
  const name = lastName(facts, id);
  if (name !== "") return name;
  // Of an address that is put together, what it begins with.
  const first = value?.kind === "template" ? value.parts[0] : value?.kind === "binary" ? value.left : value?.kind === "call" ? facts.calls[value.call]!.arguments[0]?.value : undefined;
  const head = first === undefined ? "" : shownHead(facts, first);
  return head === "" ? null : head;
}

function shownHead(facts: ModuleFacts, id: ValueId): string {
  const value = facts.values[id];
  return value?.kind === "string" && value.value.length <= 80 && !/\s/.test(value.value) ? value.value : lastName(facts, id);
}

function repeated(facts: ModuleFacts, context: RuleContext, to: Talk, value: ValueId, kind: TargetKind, { empty, isList, at }: { readonly empty: true | undefined; readonly isList?: true; readonly at?: ValueId }): RuleFinding {
  const call = facts.calls[to.call]!;
  const operation = to.operation === "" ? "the call" : to.operation;
  const name = shown(facts, value);
  // `for model in models`: each client is a model.
  const noun = NOUNS[kind === "client" && isList === true ? targetKind((name ?? "").replace(/s$/, "")) ?? kind : kind];
  const other = isList === true ? `the next ${noun}${name === null ? "" : ` of ${name}`}` : `another ${noun}${name === null ? "" : `, ${name}`}`;
  return finding(facts, at ?? value, at === undefined ? call.statement : statementAt(facts, facts.values[at]!.span[0]), {
    severity: "error", capability: to.capability, api: operation, key: `${kind} ${name ?? operation}`,
    message: `When ${operation} ${empty === true ? "gives nothing" : "fails"}, it is repeated with ${other}. `
      + `What answers then is not what was chosen and tested. Let the error out, or retry the same ${noun}.${cutOffNote(facts, context, [to.call])}`,
  });
}

function instead(facts: ModuleFacts, context: RuleContext, from: Talk, to: Talk, value: ValueId, empty: true | undefined): RuleFinding {
  return finding(facts, value, facts.calls[to.call]!.statement, {
    severity: "error", capability: to.capability, api: to.operation, key: `function ${to.operation}`,
    message: `When ${from.operation} ${empty === true ? "gives nothing" : "fails"}, ${to.operation} is asked instead. `
      + `What answers then is not what was chosen and tested. Let the error out, or retry ${from.operation}.${cutOffNote(facts, context, [to.call])}`,
  });
}

function onErrors(facts: ModuleFacts, context: RuleContext): RuleFinding[] {
  const loops = [...rotations(facts, context), ...takesOnErrors(facts, context), ...mappedRaces(facts, context)];
  // A loop that gives a call the next model is told once, at what it goes through.
  const told = new Set(loops.map(({ to }) => to.call));
  const replaced = [...replacementsOnErrors(facts, context), ...replacementsInChains(facts, context), ...replacementsInCallbacks(facts, context), ...listedRaces(facts, context)].filter(({ to }) => !told.has(to.call));
  return [
    ...replaced.map(({ from, to, value, kind, empty }) => (kind === "function" ? instead(facts, context, from, to, value, empty) : repeated(facts, context, to, value, kind, { empty }))),
    ...loops.map(({ to, list, kind, empty, at }) => repeated(facts, context, to, list, kind, { empty, isList: true, ...(at !== undefined && { at }) })),
  ];
}

function handed(facts: ModuleFacts, context: RuleContext): RuleFinding[] {
  return listsHanded(facts, context).map(({ value, call, name }) => finding(facts, value, call.statement, {
    severity: "warning", capability: "model", api: lastName(facts, call.callee), key: `list ${name}`,
    message: `${name} lets the client go on with other models when the first one fails. `
      + "Which model answered then depends on what failed. Leave it out and let the error out, or have the choice reviewed.",
  }));
}

/** The innermost statement around an offset. */
function statementAt(facts: ModuleFacts, offset: number): number {
  let found = 0;
  facts.statements.forEach(([start, end], id) => {
    if (start <= offset && offset < end && start >= facts.statements[found]![0]) found = id;
  });
  return found;
}

/** `requests.get`, `fetch`, for people. */
function requestName(facts: ModuleFacts, id: CallId): string {
  const { callee, references } = facts.calls[id]!;
  const [reference] = references;
  const name = reference === undefined ? lastName(facts, callee) : apiName(reference).replace(/^globalThis\./, "");
  return name === "" ? "A request" : name;
}

const DENIALS: Record<Denial, string> = {
  policy: "which denyHosts lists",
  tunnel: "which is a tunnel for development",
  name: "which by its name is not for use",
};

function addressFinding(facts: ModuleFacts, address: Address & Partial<Pick<OfferedAddress, "user">>): RuleFinding {
  const { call, host, denial, setting, value, user } = address;
  const used = user?.facts ?? facts;
  const { callee, nameSpan } = used.calls[user?.call ?? call]!;
  const statement = user === undefined ? facts.calls[call]!.statement : statementAt(facts, facts.values[value]!.span[0]);
  const api = lastName(used, callee);
  const related = user === undefined ? [] : [{ path: user.path, span: nameSpan, message: "What is sent there." }];
  const way = setting === null ? `${requestName(used, user === undefined ? call : user.call)} goes` : `Where ${setting} is not set, requests go`;
  const advice = setting === null ? "Read the address from a setting and fail when it is unset." : "Read the setting and fail when it is unset.";
  const message = denial === null
    ? `${way} to ${host}, which the code decides. A forgotten setting then sends data to an address that nobody chose. ${advice}`
    : `${way} to ${host}, ${DENIALS[denial]}. In use it reaches nothing, or something that nobody chose. ${advice}`;
  return { ...finding(facts, value, statement, { severity: "warning", message, capability: "net", api, key: `${denial === null ? "default" : "denied"} ${host}` }), related };
}

/** The findings in order, of those at one place the first and worst. */
function onePerPlace(findings: readonly RuleFinding[]): RuleFinding[] {
  const byPlace = new Map<number, RuleFinding>();
  for (const each of findings) if (!byPlace.has(each.span[0])) byPlace.set(each.span[0], each);
  return [...byPlace.values()].sort((one, other) => one.span[0] - other.span[0]);
}

function findingsIn(facts: ModuleFacts, context: RuleContext): RuleFinding[] {
  const addresses = isForDevelopment(context.path) || isCopyOfOthers(context.path) ? [] : [...addressesIn(facts, context).filter(({ call }) => !isNeverAsked(facts, context, call)), ...offeredAddresses(facts, context)].map((address) => addressFinding(facts, address));
  return onePerPlace([...onErrors(facts, context), ...handed(facts, context), ...addresses]);
}

/** Reports error paths that go on with another model, client or address, lists of such, and addresses that stand in for a setting. */
export const noFallbackEndpoint: Rule = {
  meta,
  influences: talkInfluences,
  check: (facts, context) => judgedWithinBounds(meta.id, facts, context, (within) => findingsIn(facts, within)),
};
