import type { EditorSettings } from "@agentgate/engine/editor";

/** Keys of `settings.agentgate` that replace no policy file. `policyHash` is there for ESLint's cache alone. */
const OWN = new Set(["base", "policyHash", "strict"]);

const NONE: EditorSettings = { policy: null, base: null, strict: false, problems: [] };

const read = new WeakMap<object, EditorSettings>();

/** What `settings.agentgate` says: the keys of a policy file, `base` and `strict`; with a sentence on each value that is none of them. */
export function readSettings(settings: unknown): EditorSettings {
  if (typeof settings !== "object" || settings === null) return NONE;
  const known = read.get(settings) ?? settingsIn(settings as Readonly<Record<string, unknown>>);
  read.set(settings, known);
  return known;
}

function settingsIn({ agentgate: given }: Readonly<Record<string, unknown>>): EditorSettings {
  if (given === undefined) return NONE;
  if (!isRecord(given)) return { ...NONE, problems: ["settings.agentgate is no object, and has no effect: give it the keys of a policy file."] };
  const { base, strict } = given;
  const policy = Object.entries(given).filter(([key]) => !OWN.has(key));
  const strange = policy.filter(([, value]) => !isData(value, 0)).map(([key]) => key);
  return {
    policy: policy.length === 0 ? null : Object.fromEntries(policy.filter(([key]) => !strange.includes(key))),
    base: typeof base === "string" && base !== "" ? base : null,
    strict: strict === true,
    problems: [
      ...base === undefined || typeof base === "string" && base !== "" ? [] : ["settings.agentgate.base is no revision, and has no effect: write it as text, such as \"origin/main\"."],
      ...strict === undefined || typeof strict === "boolean" ? [] : ["settings.agentgate.strict is neither true nor false, and has no effect: write one of them."],
      ...strange.map((key) => `settings.agentgate.${key.slice(0, MOST_KEY)} holds what a policy file cannot hold, and has no effect: write text, numbers, lists and objects.`),
    ],
  };
}

/** Characters of a key that are shown. */
const MOST_KEY = 60;
/** No policy is nested as deeply; what refers to itself is. */
const MOST_DEPTH = 32;

/** What JSON holds, which another thread can be sent. */
function isData(value: unknown, depth: number): boolean {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || depth > MOST_DEPTH) return false;
  return Object.values(value).every((inner) => isData(inner, depth + 1));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
