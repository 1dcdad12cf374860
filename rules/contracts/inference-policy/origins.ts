import { type Diagnostic, diagnostic, other } from "../contract.ts";
import type { Given } from "../fields.ts";
import { hostHits } from "../shared/hosts.ts";
import { hostsIn } from "../shared/search.ts";
import { shown } from "../shared/values.ts";
import type { Policy } from "./index.ts";

/** Denied in production config even where the policy does not list them: this machine, and tunnels to one. */
export const ALWAYS_DENIED: readonly string[] = ["localhost", "127.0.0.1", "ngrok", "trycloudflare"];

/** Scheme, host and port, and nothing that a reader could take for more. */
const PLAIN_ORIGIN = /^https:\/\/(?:\[[0-9a-f:.]+\]|[^\s/?#@\\*:[\]]+)(?::\d{1,5})?\/?$/i;

/** A URL as a request would go out, its host without the trailing dot. */
export interface Address {
  readonly url: URL;
  readonly host: string;
  /** Scheme, host and port. */
  readonly origin: string;
}

/** The address of an absolute URL; null for anything else. */
export function addressOf(text: string): Address | null {
  try {
    const url = new URL(text);
    const host = url.hostname.toLowerCase().replace(/\.$/, "");
    return host === "" ? null : { url, host, origin: `${url.protocol}//${host}:${url.port === "" && url.protocol === "https:" ? "443" : url.port}` };
  } catch {
    return null;
  }
}

/** What an entry of `allow_base_urls` allows; null where it is no plain HTTPS origin. */
export function allowedOf(entry: string): Address | null {
  const address = PLAIN_ORIGIN.test(entry) ? addressOf(entry) : null;
  // A wildcard may be written as `%2a`.
  return address === null || address.host.includes("*") ? null : address;
}

/** Whether a host is this very machine. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || /^(?:127(?:\.\d{1,3}){3}|0\.0\.0\.0)$/.test(host) || /^\[(?:::1?|::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}|::ffff:0:0)\]$/.test(host);
}

/** The entry of the deny list that a host matches. */
export function denial({ deny_host_substrings: denied }: Policy, host: string): Given<string> | undefined {
  const [hit] = hostsIn(host, denied?.value.map(({ value }) => value) ?? []);
  return denied?.value.find(({ value }) => value === hit?.literal);
}

/** The allowed origins are what they say, and none of them is denied. */
export function checkOrigins(policy: Policy): Diagnostic<"allow-origin">[] {
  return (policy.allow_base_urls?.value ?? []).flatMap((entry) => {
    const address = allowedOf(entry.value);
    if (address === null) return [diagnostic("allow-origin", entry, `${shown(entry.value)} is no plain HTTPS origin, so more than one host may answer to it. Write https, the host and, if need be, the port.`)];
    const denied = denial(policy, address.host);
    const always = isLoopback(address.host) || ALWAYS_DENIED.some((name) => hostHits(address.host, name).length > 0);
    if (denied === undefined && !always) return [];
    const message = `${shown(entry.value)} is allowed here and denied ${denied === undefined ? "everywhere in production" : `as ${shown(denied.value)}`}: one of both is wrong. Name the production origin.`;
    return [diagnostic("allow-origin", entry, message, denied === undefined ? [] : [other(denied, "denied here")])];
  });
}

/** The entries that allow something. */
export function allowed(policy: Policy): Address[] {
  return (policy.allow_base_urls?.value ?? []).flatMap(({ value }) => allowedOf(value) ?? []);
}
