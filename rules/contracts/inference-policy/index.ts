import { type Diagnostic, diagnostic } from "../contract.ts";
import { contract, documentShape } from "../define.ts";
import { bool, envName, int, list, text, type Valid } from "../fields.ts";
import { checkBaseUrl } from "./base-url.ts";
import { checkBudget, checkFloor, checkRequired, checkModel, checkRetries } from "./environment.ts";
import { checkOrigins } from "./origins.ts";
import { checkFallbackEnvironment, checkProduction } from "./production.ts";

const FIELDS = {
  allow_base_urls: list(text("An HTTPS origin: scheme, host and, if need be, port."), "The origins that inference may reach."),
  deny_host_substrings: list(text("A part of a host's name; `lab.` counts in `gpu-lab.corp.example` and not in `collab.corp.example`."), "Hosts that no production config may name."),
  require_env: list(envName("The name of an environment variable."), "The variables that must be set where the service starts."),
  max_retries: int("The most retries of one request.", { min: 0 }),
  forbid_fallback_base_url: bool("Whether a second destination is forbidden; the contract is met by true alone."),
};

/** The policy with everything wrong gone. */
export type Policy = Valid<typeof FIELDS>;

export const inferencePolicy = contract({
  id: "inference-policy",
  purpose: "Production config can reach only the named inference origin, with a pinned model, bounded retries and no second destination.",
  place: "inference-policy.json",
  alsoRead: ["the environment", "production config"],
  manifest: documentShape({ name: "", title: "What inference may reach", where: "inference-policy.json", format: "json", fields: FIELDS, unknown: "warning" }),
  rules: {
    "allow-origin": { summary: "An entry of `allow_base_urls` is no plain HTTPS origin, or is itself denied." },
    "fallback-allowed": { summary: "`forbid_fallback_base_url` is not true." },
    "env-floor": { summary: "`require_env` leaves out a variable that every service needs." },
    "env-missing": { summary: "A required variable is unset or blank." },
    "base-url": { summary: "The base URL is not of an allowed origin, or has a user or a wildcard in it." },
    "base-url-denied": { summary: "The base URL's host is denied, or this very machine." },
    "model-alias": { summary: "The model id is blank, or names whatever is current." },
    "budget-number": { summary: "A timeout or the token ceiling is no positive whole number, or connecting may take longer than the whole." },
    retries: { summary: "The retries are no whole number, or more than `max_retries`." },
    "deny-hit": { summary: "A production file names a denied host." },
    "fallback-config": { summary: "A production file or the environment sets a second destination." },
    "unnamed-caller": { summary: "Requests carry neither a service header nor a user agent.", severity: "warning", needs: "code" },
    runbook: { summary: "A configured runbook does not name the pinned id.", severity: "warning", needs: "code" },
  },
  check: (policy, context, isReported) => [
    ...checkOrigins(policy),
    ...checkFallback(policy),
    ...(isReported("require_env[]") ? [] : checkFloor(policy)),
    ...checkRequired(policy, context),
    ...checkBaseUrl(policy, context, isReported("allow_base_urls[]")),
    ...checkModel(policy, context),
    ...checkBudget(policy, context),
    ...checkRetries(policy, context),
    ...checkFallbackEnvironment(policy, context),
    ...checkProduction(policy, context),
  ],
});

function checkFallback({ forbid_fallback_base_url: forbidden }: Policy): Diagnostic<"fallback-allowed">[] {
  if (forbidden?.value !== false) return [];
  return [diagnostic("fallback-allowed", forbidden, "`forbid_fallback_base_url` is false, so that a second destination may answer when the first does not. Set it to true.")];
}
