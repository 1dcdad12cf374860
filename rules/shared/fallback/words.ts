import hosts from "../../data/deny-hosts.json" with { type: "json" };
import listed from "../../data/fallbacks.json" with { type: "json" };
import { wordsOf } from "../keys/names.ts";
import { holdsOneOf } from "../names.ts";

/** What a value decides about a call: the model it asks, the address it goes to, or the client it is made on. */
export type TargetKind = "model" | "address" | "client";

const MODEL = new Set(listed.slots.model.words);
const ADDRESS = new Set(listed.slots.address.words);
const CLIENT = new Set(listed.slots.client.words);
const QUALIFIERS = new Set(listed.qualifiers.words);
const NOT_TARGETS = new Set(listed.notTargets.words);
const LOOSE = new Set(listed.slots.model.loose);
const NOT_MODELS = new Set(listed.notModels.words);
const SPARES = new Set(listed.spares.words);
const FIRSTS = new Set(listed.firsts.words);
const FAILURES = new Set(listed.failures.words);
const MODES = new Set(hosts.modes.words);
const DEVELOPMENT = new Set(hosts.development.words);

const holdsTarget = holdsOneOf([...MODEL, ...ADDRESS]);
const holdsSpare = holdsOneOf(SPARES);

/** The last telling word of a name: of `model_id` it is model, of `baseURL` url. */
function telling(name: string): string {
  const words = wordsOf(name.replaceAll("URL", "Url").replaceAll("LLM", "Llm").replaceAll("API", "Api").replaceAll("URI", "Uri"));
  let index = words.length - 1;
  while (index > 0 && (QUALIFIERS.has(words[index]!) || /^\d+$/.test(words[index]!))) index--;
  return words[index] ?? "";
}

/** What a parameter, option or variable of this name decides; null where it decides nothing of that kind. */
export function targetKind(name: string): "model" | "address" | null {
  if (!holdsTarget(name)) return null;
  const word = telling(name);
  if (MODEL.has(word)) return wordsOf(name).some((each) => NOT_MODELS.has(each)) ? null : "model";
  if (!ADDRESS.has(word)) return null;
  return wordsOf(name).some((each) => NOT_TARGETS.has(each)) ? null : "address";
}

const SETTINGS = new Set(listed.settings.words);

/** Whether a setting's name says that it is an address: `LLM_BASE_URL`, `SHOP_API`. */
export function isSettingOfAddress(name: string): boolean {
  const words = wordsOf(name);
  return words.some((word) => ADDRESS.has(word) || SETTINGS.has(word)) || targetKind(name) === "address";
}

/** Words that other services have, too: a deployment of a flow, the engine of a database. */
export function isLooseModelName(name: string): boolean {
  return LOOSE.has(telling(name));
}

export function namesClient(name: string): boolean {
  return CLIENT.has(telling(name));
}

export function namesSpare(name: string): boolean {
  return holdsSpare(name) && wordsOf(name).some((word) => SPARES.has(word));
}

export function namesFirst(name: string): boolean {
  return wordsOf(name).some((word) => FIRSTS.has(word));
}

const PROVIDERS = new Set(listed.providers.words);

/** A name without providers and what says which is kept for which: equal where two calls may do the same work. */
export function nameAlike(name: string): string {
  return wordsOf(name.replaceAll("OpenAI", "Openai")).map((word) => word.replace(/\d+$/, "")).filter((word) => word !== "" && !PROVIDERS.has(word) && !FIRSTS.has(word) && !SPARES.has(word)).join();
}

/** `ask_openai` and `ask_claude`: the same name but for the provider of models that it names. */
export function namesOtherProvider(one: string, other: string): boolean {
  const [first, second] = [one, other].map((name) => wordsOf(name.replaceAll("OpenAI", "Openai")).map((word) => word.replace(/\d+$/, "")).filter((word) => word !== ""));
  const providers = (words: readonly string[]): string => words.filter((word) => PROVIDERS.has(word)).join();
  const rest = (words: readonly string[]): string => words.filter((word) => !PROVIDERS.has(word)).join();
  return providers(first!) !== "" && providers(second!) !== "" && providers(first!) !== providers(second!) && rest(first!) === rest(second!);
}

/** `ask_primary` and `ask_backup`: the same name but for the words that say which is kept for which. */
export function namesItsSpare(one: string, other: string): boolean {
  const rest = (name: string): string => wordsOf(name).filter((word) => !FIRSTS.has(word) && !SPARES.has(word)).join();
  return namesFirst(one) && namesSpare(other) && rest(one) === rest(other);
}

const KEYS = new Set(listed.keys.words);

/** Whether a name is that of a key or token: `api_key`, `accessToken`. */
export function namesKey(name: string): boolean {
  return KEYS.has(wordsOf(name).at(-1) ?? "");
}

/** Whether a name is that of a request's headers: `headers`, `requestHeaders`. */
export function namesHeaders(name: string): boolean {
  return wordsOf(name).at(-1) === "headers";
}

const LABELLED = new Set(listed.labels.words);
const LABELLERS = new Set(listed.labels.roots);

/** Whether a call only labels what is measured, so that an address it is given is told and not asked: `external_trace`. */
export function onlyLabels(module: string, operation: string): boolean {
  return LABELLERS.has(module.startsWith("@") ? module : module.split(/[./]/)[0]!) && LABELLED.has(wordsOf(operation).at(-1) ?? "");
}

/** Whether a member of a response tells if it failed. */
export function tellsFailure(name: string): boolean {
  return FAILURES.has(name.toLowerCase().replaceAll("_", ""));
}

/** Whether a name is a switch between development and use. */
export function namesMode(name: string): boolean {
  return wordsOf(name).some((word) => MODES.has(word));
}

const PRODUCTION = new Set(hosts.production.words);

/** Whether a name is that of the use itself: `PRODUCTION_MODE`, `"prod"`. */
export function namesProduction(name: string): boolean {
  return wordsOf(name).some((word) => PRODUCTION.has(word));
}

/** Whether a module's path shows that it is not in use: tests, examples, scripts of developers. */
export function isForDevelopment(path: string): boolean {
  return path.split("/").some((part) => wordsOf(part.replace(/\.\w+$/, "")).some((word) => DEVELOPMENT.has(word)));
}

const VENDORED = new Set(hosts.vendored.words);

/** Whether a module's path shows that it is a copy of another project's code: `_vendor/transport.py`. */
export function isCopyOfOthers(path: string): boolean {
  return path.split("/").some((part) => VENDORED.has(part.toLowerCase()));
}

const SETUPS = new Set(listed.setups.words);

/** Whether a function of this name makes things ready, so that what it is given is only asked later. */
export function setsUp(operation: string): boolean {
  return SETUPS.has(wordsOf(operation)[0] ?? "");
}

const LOOKUPS = new Set(listed.lookups.words);

/** Whether a function of this name only looks something up or asks a question about what it is given: `get_model_info`. */
export function looksUp(operation: string): boolean {
  return LOOKUPS.has(wordsOf(operation)[0] ?? "");
}

const REQUESTS = new Set(listed.requests.names);

/** Whether a function of this name makes something: `OpenAI`, `create_client`, `client_class`. */
export function makesThings(operation: string): boolean {
  return /^_*[A-Z]/.test(operation) || wordsOf(operation).some((word) => MAKERS.has(word));
}

const MAKERS = new Set(listed.makers.words);

/** Whether a call of this name takes an address as its first argument. */
export function takesAddress(operation: string): boolean {
  return REQUESTS.has(operation);
}
