import type { Formats } from "./outputs.ts";

/** `baseline`, `permit` and `lock` say what they wrote. */
export const BASELINE_FORMATS = { built: ["stylish", "json"], later: [], usual: "stylish" } as const satisfies Formats<string>;
export const PERMIT_FORMATS = BASELINE_FORMATS;
export const LOCK_FORMATS = BASELINE_FORMATS;
