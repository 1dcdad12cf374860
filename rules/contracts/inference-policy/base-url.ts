import { type ContractContext, type Diagnostic, diagnostic } from "../contract.ts";
import { hostOf } from "../shared/hosts.ts";
import { isBlank } from "../shared/values.ts";
import type { Policy } from "./index.ts";
import { type Address, addressOf, allowed, allowedOf, denial, isLoopback } from "./origins.ts";
import { policySpot } from "./spot.ts";

const BASE_URL = "INFERENCE_BASE_URL";

/**
 * Where requests go is an allowed origin. The URL is never repeated in a message: it may carry a password.
 * `isRefused`: an entry of the allow list was reported for its type.
 */
export function checkBaseUrl(policy: Policy, context: ContractContext, isRefused: boolean): Diagnostic<"base-url" | "base-url-denied">[] {
  const value = context.environment.get(BASE_URL) ?? "";
  if (isBlank(value)) return [];
  const address = addressOf(value);
  const denied = address === null ? [] : deniedAddress(policy, address, context);
  if (denied.length > 0) return denied;
  const why = address === null ? "is no absolute URL" : writtenWrong(value, address) ?? (isRefused ? null : elsewhere(policy, address));
  if (why === null) return [];
  return [diagnostic("base-url", policy.allow_base_urls ?? policySpot(context, "allow_base_urls"), `${BASE_URL} ${why}. Set it to an allowed origin, or have this list changed in review.`)];
}

function deniedAddress(policy: Policy, { host }: Address, context: ContractContext): Diagnostic<"base-url-denied">[] {
  const entry = denial(policy, host);
  if (entry !== undefined) return [diagnostic("base-url-denied", entry, `The host of ${BASE_URL} is denied here, so requests would leave production's ground. Set it to an allowed origin.`)];
  if (!isLoopback(host)) return [];
  return [diagnostic("base-url-denied", policy.deny_host_substrings ?? policySpot(context, "deny_host_substrings"), `The host of ${BASE_URL} is this very machine, which is nothing that production can rest on. Set it to an allowed origin.`)];
}

function writtenWrong(value: string, { url }: Address): string | null {
  if (url.username !== "" || url.password !== "" || /^[^/?#]*\/\/[^/?#]*@/.test(value)) return "carries a user or a password, which every log would repeat";
  if (/[\s\\\0-\x1f]|^[^/?#]*\/\/[^/?#]*%/.test(value)) return "holds a character that clients read in different ways, so that they may reach different hosts";
  return url.hostname.includes("*") ? "has a wildcard for a host" : null;
}

function elsewhere(policy: Policy, address: Address): string | null {
  const origins = allowed(policy);
  const refused = (policy.allow_base_urls?.value ?? []).filter(({ value }) => allowedOf(value) === null);
  // What is wrong with the list is reported there: no second report because of it.
  if (origins.length === 0 || refused.some(({ value }) => hostOf(value) === address.host)) return null;
  return origins.some(({ origin }) => origin === address.origin) ? null : "differs from every allowed origin in scheme, host or port";
}
