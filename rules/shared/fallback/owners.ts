import type { CallId, FunctionId, ModuleFacts, ValueId } from "@agentgate/parsers";
import listed from "../../data/deny-hosts.json" with { type: "json" };
import { wordsOf } from "../keys/names.ts";
import { ownerNames } from "./hosts.ts";

/** The class and functions around a call, by name. */
export function ownersOf(facts: ModuleFacts, id: FunctionId): readonly string[] {
  const names: string[] = [];
  for (let current = id, step = 0; current > 0 && step < 32; step++) {
    const subject = facts.functions[current]!;
    names.push(subject.name, facts.classes[subject.class]?.name ?? "");
    current = subject.parent;
  }
  return names;
}

/** The names that are given an expression, or something that is made of it in place. */
export function holdersOf(facts: ModuleFacts, id: ValueId): readonly string[] {
  const [start, end] = facts.values[id]!.span;
  const holds = (given: ValueId): boolean => {
    const value = facts.values[given];
    return value !== undefined && value.kind !== "function" && value.kind !== "class" && value.span[0] <= start && end <= value.span[1];
  };
  return facts.bindings.filter(({ values }) => values.some(holds)).map(({ name }) => name);
}

const letters = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/** What frameworks put before the name of a setting that a browser may see. */
const EXPOSED = /^(?:NEXT_PUBLIC|REACT_APP|VITE|NUXT_PUBLIC|EXPO_PUBLIC|PUBLIC)_/;

/** `ACME_BASE_URL` that falls back to `api.acme.com`: the setting moves a service of its own, which is where it says. */
export function isOwnSetting(setting: string, host: string): boolean {
  const owners = ownersOfHost(host);
  const names = ownerNames(host);
  const words = settingWords(setting).map(letters).filter((word) => word !== "");
  // `OAUTH_ACME_URL` names it behind other words, and `HUGGING_FACE_URL` by several together.
  return words.some((word, start) => {
    let joined = "";
    return !GENERIC.has(word) && words.slice(start).some((next) => {
      joined += next;
      return names.includes(joined) || owners.some((owner) => joined === owner || shortens(joined, owner));
    });
  });
}

/** `literal` of `getliteral`, `ydc` of `ydcindex`, `panw` of `paloaltonetworks`: a part of a name, or letters of it in their order. */
function shortens(word: string, owner: string): boolean {
  if (word.length < 3 || GENERIC.has(word)) return false;
  if (owner.startsWith(word) || (word.length > 4 && owner.includes(word))) return true;
  let at = 0;
  for (const letter of owner) if (letter === word[at]) at++;
  return word.length < 6 && owner.length > 8 && owner.startsWith(word.slice(0, 1)) && at === word.length;
}

function settingWords(setting: string): readonly string[] {
  return setting.replace(EXPOSED, "").split(/[_.-]|(?<=[a-z0-9])(?=[A-Z])/);
}

/** `api.acme-desk.com` in the package `@tools/acme-desk-mcp`: the package's own service. */
export function isServiceOfPackage(name: string, host: string): boolean {
  const own = letters(name.replace(/^@[^/]*\//, "").replace(/[-_.]mcp$/i, ""));
  return own.length > 2 && ownersOfHost(host).includes(own);
}

/** `NGC_API` that falls back to `api.ngc.example` in a module ngc: both the module and the host are of the service that the setting names. */
export function isSettingOfModule(setting: string, path: string, host: string): boolean {
  const parts = path.split(/[/.]/).map(letters);
  const labels = host.split(/[.-]/).map(letters);
  return settingWords(setting).map(letters).some((word) => word.length > 2 && !GENERIC.has(word) && parts.includes(word) && labels.includes(word));
}

/** Whether a host is of the owner whose service the module is for: its package, file, class, function or client has the name. */
export function isServiceOf(facts: ModuleFacts, path: string, call: CallId, host: string): boolean {
  return isNamedAround(facts, path, call, [...ownersOfHost(host), ...ownerNames(host)]);
}

/** `DEEPSEEK_URL = "https://api.deepseek.com"`: whoever takes it by this name chose that service. */
export function isHeldByItsName(facts: ModuleFacts, address: ValueId, host: string): boolean {
  const owners = [...ownersOfHost(host), ...ownerNames(host)];
  return holdersOf(facts, address).some((name) => owners.some((owner) => letters(name).includes(owner)));
}

/** Whether a package, file, class, function or client around a call has one of the names, or begins one of them. */
export function isNamedAround(facts: ModuleFacts, path: string, call: CallId, labels: readonly string[]): boolean {
  const entry = facts.calls[call];
  const names = [path, ...(entry === undefined ? [] : [...entry.references.flatMap((reference) => [reference.module, ...reference.path]), ...ownersOf(facts, entry.function)])];
  const around = names.join(" ").toLowerCase().replaceAll(/[^a-z0-9 /]/g, "");
  const words = names.flatMap(wordsOf).filter((word) => word.length > 3 && !GENERIC.has(word));
  return labels.some((label) => around.includes(label) || words.some((word) => label.startsWith(word) || shortens(word, label)));
}

/** Words of settings that say what kind of thing they are, and not whose. */
const GENERIC = new Set(listed.settings.words);

const SECOND_LEVEL = new Set(["co", "com", "org", "net", "ac", "gov"]);

/** What a host was registered under: `acme` of `api.acme.com` and `api.acme.co.uk`; of `x.ai` the whole name, as people write it. */
function ownersOfHost(host: string): readonly string[] {
  const labels = host.split(".");
  const ending = labels.length > 2 && labels.at(-1)!.length === 2 && SECOND_LEVEL.has(labels.at(-2)!) ? 2 : 1;
  const label = letters(labels.at(-1 - ending) ?? "");
  return [label, letters(label + labels.slice(-ending).join(""))].filter((name) => name.length > 2);
}
