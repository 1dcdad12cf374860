import type { Finding } from "../report.ts";
import { manifestFindings } from "./manifests/detector.ts";
import { driftFindings } from "./drift/detector.ts";
import type { OpenChange } from "./open.ts";
import type { Places } from "./places.ts";
import { secretFindings } from "./secrets/detector.ts";

/**
 * Finds what a change makes outside of code modules: in manifests, in configuration. It gives only what no merge base
 * had, at the severity of the rule itself; the policy's severity and the baseline are applied afterwards. It reads
 * through the sides of `change.comparisons[…].difference`, which give the texts of both.
 */
export type ChangeDetector = (change: OpenChange, places: Places) => Promise<readonly Finding[]>;

export const CHANGE_DETECTORS: readonly ChangeDetector[] = [manifestFindings, secretFindings, driftFindings];
