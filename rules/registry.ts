import { config } from "./config.ts";
import { contractDrift } from "./contract-drift.ts";
import { expiredPermit } from "./expired-permit.ts";
import { gateWeakened } from "./gate-weakened.ts";
import { noDynamicImport } from "./no-dynamic-import.ts";
import { noInventedIo } from "./no-invented-io.ts";
import { notJudged } from "./not-judged.ts";
import { parseError } from "./parse-error.ts";
import type { Rule, RuleMeta } from "./rule.ts";
import { unusedPort } from "./unused-port.ts";
import { unusedSuppression } from "./unused-suppression.ts";
import { noUnboundedLoop } from "./no-unbounded-loop.ts";
import { noUngatedWrite } from "./no-ungated-write.ts";
import { noUnpinnedModel } from "./no-unpinned-model.ts";
import { noFreshIdempotencyKey } from "./no-fresh-idempotency-key.ts";
import { noFallbackEndpoint } from "./no-fallback-endpoint.ts";
import { requireTimeout } from "./require-timeout.ts";
import { secretInChange } from "./secret-in-change.ts";
import { noRuntimeInstall } from "./no-runtime-install.ts";

/** The rules that judge facts, in the order of their pages. */
export const CODE_RULES: readonly Rule[] = [noInventedIo, noDynamicImport, noUnboundedLoop, noUngatedWrite, noUnpinnedModel, noFreshIdempotencyKey, noFallbackEndpoint, requireTimeout, noRuntimeInstall];

/** What the engine itself reports: about the gate's input and its policy. */
export const ENGINE_RULES: readonly RuleMeta[] = [parseError, notJudged, config, unusedSuppression, unusedPort, expiredPermit, gateWeakened, secretInChange, contractDrift];

/** Everything that this version can report; the source of the pages, the tables and the policy's schema. */
export const RULE_METAS: readonly RuleMeta[] = [...CODE_RULES.map((rule) => rule.meta), ...ENGINE_RULES];
