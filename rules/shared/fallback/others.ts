import { constantHead, constantsOf, referencesOf } from "@agentgate/parsers";
import type { Call, ModuleFacts, ValueId } from "@agentgate/parsers";
import { classify } from "../../catalogue/classify.ts";
import type { RuleContext } from "../../rule.ts";
import { apiName, bare, originsOf } from "../expressions.ts";
import { wordsOf } from "../keys/names.ts";
import { bareHostOf, hostOf, isThisMachine } from "./hosts.ts";
import { headAt, likeness } from "./same.ts";
import { ownAttribute } from "../selves.ts";
import { optionsOf } from "./options.ts";
import { lastName } from "./talks.ts";
import { namesClient, namesFirst, namesSpare, targetKind } from "./words.ts";

/** Whether the code itself shows that a second address has another host than the first: both are written, or a name says it. */
export function isOtherHost(facts: ModuleFacts, one: ValueId, other: ValueId): boolean {
  const [first, second] = [writtenHostOf(facts, one), writtenHostOf(facts, other)];
  if (first !== null && second !== null) return hostKey(first) !== hostKey(second);
  const [before, after] = [headAt(facts, one), headAt(facts, other)];
  if (isNamedPlace(facts, after) && areTwoNames(lastName(facts, before), lastName(facts, after))) return true;
  // `${base}/rates`, and then `https://rates.second.example/rates`.
  return second !== null;
}

/** A parameter, an attribute, a constant or a setting: its name says what it is. A name for what was computed may be a path of the first. */
function isNamedPlace(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[id];
  if (value?.kind !== "name") return value?.kind === "member" || isSetting(facts, id);
  return (facts.bindings[value.binding]?.values ?? []).every((given) => {
    const { kind } = facts.values[bare(facts, given)]!;
    return kind === "parameter" || kind === "imported" || kind === "string" || kind === "member" || kind === "logical" || isSetting(facts, bare(facts, given));
  });
}

/** `PRIMARY_URL` and `BACKUP_URL`, `host` and `fallbackHost`, `API_URL_1` and `API_URL_2`. */
export function areTwoNames(before: string, after: string): boolean {
  if (after === "" || before === after) return false;
  return namesSpare(after) || (namesFirst(before) && !namesFirst(after)) || (before !== "" && isNumberedAlike(before, after));
}

function isNumberedAlike(before: string, after: string): boolean {
  const [one, other] = [before, after].map((name) => wordsOf(name.replaceAll(/(?<=[a-z])(?=\d)/gi, "_")).filter((word) => !/^\d+$/.test(word)).join("_"));
  return one === other && targetKind(one!) === "address";
}

/** The host that an address has, where the code writes it out: in place, or as what its head is once given. */
export function writtenHostOf(facts: ModuleFacts, id: ValueId): string | null {
  const head = constantHead(facts, id);
  const host = hostOf(head);
  if (host !== null) return host;
  const at = headAt(facts, id);
  const [given = at, ...more] = ownAttribute(facts, at);
  const value = more.length > 0 ? undefined : facts.values[given];
  const text = value?.kind === "string" ? value.value : "";
  return hostOf(text) ?? (/^[\w-]+(?:\.[\w-]+)+(?::\d+)?$/.test(text) ? bareHostOf(text) : null);
}

/** The same for hosts that are one and the same: with and without `www`, and this machine under any of its names. */
function hostKey(host: string): string {
  return isThisMachine(host) ? "localhost" : host.replace(/^www\./, "");
}

const MOST_ITEMS = 64;

/** Whether the items of a list show that they lie on several hosts: one is written beside another, or names say that one is kept for the others. */
export function listsOtherHosts(facts: ModuleFacts, list: ValueId, items: readonly ValueId[]): boolean {
  const hosts = new Set<string>();
  for (const item of items.slice(0, MOST_ITEMS)) {
    const host = writtenHostOf(facts, item);
    if (host !== null) hosts.add(hostKey(host));
  }
  if (hosts.size > 1) return true;
  // `[os.environ["API_BASE"], "https://api.second.example"]`.
  if (hosts.size === 1 && items.some((item) => writtenHostOf(facts, item) === null && isSetting(facts, headAt(facts, item)))) return true;
  const names = items.slice(0, MOST_ITEMS).map((item) => lastName(facts, headAt(facts, item))).filter((name) => name !== "");
  return items.length > 1 && names.some(namesSpare) || namesSpare(lastName(facts, list));
}

const DEEPEST = 6;

/** Whether an expression shows that it is a model: by a text, by its name, or as a call that is given such. */
export function showsModel(facts: ModuleFacts, id: ValueId, depth = 0): boolean {
  const value = facts.values[bare(facts, id)];
  if (value === undefined || depth > DEEPEST) return false;
  if (value.kind === "string") return value.value !== "";
  const name = lastName(facts, id);
  if (targetKind(name) === "model" || namesClient(name) || namesSpare(name)) return true;
  const of = (inner: ValueId): boolean => showsModel(facts, inner, depth + 1);
  switch (value.kind) {
    case "name":
      return constantsOf(facts, id)?.every((constant) => typeof constant.value === "string") === true;
    case "member":
      return value.property === null && of(value.object);
    case "call": {
      const call = facts.calls[value.call]!;
      return namesSpare(lastName(facts, call.callee)) || call.arguments.some((argument) => of(argument.value));
    }
    case "logical":
      return of(value.left) || of(value.right);
    case "conditional":
      return of(value.then) || of(value.else);
    default:
      return false;
  }
}

const SETTING = /^(?:globalThis\.)?(?:process\.env|os\.environ|os\.getenv|import\.meta\.env)\b/;

/** What a setting holds. */
function isSetting(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[id];
  const read = value?.kind === "call" ? facts.calls[value.call]!.callee : id;
  return referencesOf(facts, read).some((reference) => SETTING.test(apiName(reference)));
}

/** What a client was made with that tells it from another: the class, and the models and hosts that are written. */
interface Making {
  readonly api: string;
  readonly targets: ReadonlySet<string>;
}

/** Whether two clients are made visibly differently: by other classes of providers, or for other models or hosts. */
export function areMadeDifferently(facts: ModuleFacts, context: RuleContext, one: ValueId, other: ValueId): boolean {
  const [first, second] = [makingOf(facts, context, one), makingOf(facts, context, other)];
  if (first === null || second === null) return false;
  if (first.api !== second.api) return true;
  return second.targets.size > 0 && [...second.targets].every((target) => !first.targets.has(target));
}

/** How a client is made, where all that it can be is made in one way. */
export function makingOf(facts: ModuleFacts, context: RuleContext, id: ValueId): Making | null {
  let current = id;
  for (let step = 0; step < DEEPEST; step++) {
    const { values } = originsOf(facts, current);
    const value = values.length === 1 ? facts.values[values[0]!] : undefined;
    if (value?.kind !== "call") return null;
    const call = facts.calls[value.call]!;
    // `llm.bindTools(tools)` is still the client that it was.
    const callee = facts.values[bare(facts, call.callee)];
    const object = callee?.kind === "member" ? originsOf(facts, callee.object).values : [];
    if (callee?.kind === "member" && object.some((origin) => facts.values[origin]?.kind === "call")) {
      current = callee.object;
      continue;
    }
    const reference = call.references.find((each) => {
      const answer = classify(facts.language, each, context.capabilities);
      return answer.kind === "capability" && answer.capabilities.some((capability) => capability === "model" || capability === "net");
    });
    return reference === undefined ? null : { api: [reference.module, ...reference.path].join("."), targets: targetsOf(facts, call) };
  }
  return null;
}

/** The models and addresses that a call is given, by name or as a text by place. */
function targetsOf(facts: ModuleFacts, call: Call): ReadonlySet<string> {
  const named = optionsOf(facts, call).filter(({ name }) => targetKind(name) !== null).map(({ value }) => value);
  const placed = call.arguments.filter(({ name, value }) => name === undefined && facts.values[bare(facts, value)]?.kind === "string").map(({ value }) => value);
  return new Set([...named, ...placed].map((id) => likeness(facts, id)));
}
