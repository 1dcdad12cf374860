import type { CallId, FunctionId, ModuleFacts } from "@agentgate/parsers";

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

const letters = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/** What frameworks put before the name of a setting that a browser may see. */
const EXPOSED = /^(?:NEXT_PUBLIC|REACT_APP|VITE|NUXT_PUBLIC|EXPO_PUBLIC|PUBLIC)_/;

/** `ACME_BASE_URL` that falls back to `api.acme.com`: the setting moves a service of its own, which is where it says. */
export function isOwnSetting(setting: string, host: string): boolean {
  const owner = registrableLabel(host);
  if (owner.length < 3) return false;
  let prefix = "";
  // Of `HUGGING_FACE_URL` also the first words together.
  for (const word of setting.replace(EXPOSED, "").split(/[_.-]|(?<=[a-z0-9])(?=[A-Z])/)) {
    prefix += letters(word);
    if (prefix === owner) return true;
  }
  return false;
}

const SECOND_LEVEL = new Set(["co", "com", "org", "net", "ac", "gov"]);

/** The label that a host was registered under: `acme` of `api.acme.com` and `api.acme.co.uk`. */
function registrableLabel(host: string): string {
  const labels = host.split(".");
  const ending = labels.length > 2 && labels.at(-1)!.length === 2 && SECOND_LEVEL.has(labels.at(-2)!) ? 2 : 1;
  return letters(labels.at(-1 - ending) ?? "");
}

const ROOTS = new Set(["src", "lib", "libs", "packages", "package", "python", "app", "apps", "dist", "js"]);

/** A client of the package's own server, by the package's name in the name of the class: the server is started beside it. */
export function isOwnServer(facts: ModuleFacts, path: string, call: CallId): boolean {
  const entry = facts.calls[call];
  const [root] = path.split("/").slice(0, -1).filter((part) => !ROOTS.has(part));
  if (entry === undefined || root === undefined || letters(root).length < 4) return false;
  return ownersOf(facts, entry.function).some((name) => letters(name).startsWith(letters(root)) && /client$/i.test(name));
}
