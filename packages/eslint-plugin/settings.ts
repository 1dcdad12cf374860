import type { EditorSettings } from "@agentgate/engine/editor";

/** Keys of `settings.agentgate` that replace no policy file. `policyHash` is there for ESLint's cache alone. */
const OWN = new Set(["base", "policyHash", "strict"]);

/** What `settings.agentgate` says: the keys of a policy file, `base` and `strict`. */
export function readSettings(settings: unknown): EditorSettings {
  const given = isRecord(settings) ? settings["agentgate"] : undefined;
  if (!isRecord(given)) return { policy: null, base: null, strict: false };
  const policy = Object.entries(given).filter(([key]) => !OWN.has(key));
  const { base } = given;
  return { policy: policy.length === 0 ? null : Object.fromEntries(policy), base: typeof base === "string" ? base : null, strict: given["strict"] === true };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
