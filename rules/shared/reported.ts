/** Reported only under `strict`. */
const STRICT_ONLY: ReadonlySet<string> = new Set(["fs.read", "env.read", "tool"]);
/** What `no-dynamic-import` reports. */
const ELSEWHERE: ReadonlySet<string> = new Set(["code", "opaque"]);

/** Whether a capability is reported under `strict` only. */
export function isStrictOnly(capability: string): boolean {
  return STRICT_ONLY.has(capability);
}

/** Whether a capability is one that `no-invented-io` reports at all. */
export function isInvented(capability: string, strict: boolean): boolean {
  return !ELSEWHERE.has(capability) && (strict || !isStrictOnly(capability));
}
