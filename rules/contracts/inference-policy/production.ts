import type { Place } from "@agentgate/parsers/contract";
import { type ContractContext, type Diagnostic, diagnostic, other } from "../contract.ts";
import type { EvidenceRule } from "../evidence.ts";
import { hasWord, tidy } from "../shared/paths.ts";
import { type Searched, hostsIn, searched } from "../shared/search.ts";
import { shown } from "../shared/values.ts";
import { isFallbackKey, keysIn } from "./config-keys.ts";
import type { Policy } from "./index.ts";
import { ALWAYS_DENIED } from "./origins.ts";
import { policySpot } from "./spot.ts";

const SUFFIXES: readonly string[] = [".yml", ".yaml", ".json", ".tf", ".tfvars", ".hcl", ".toml", ".env", ".ini", ".conf", ".properties"];
const FOLDERS = new Set(["deploy", "k8s", "infra", "helm", "charts", "terraform"]);
const PRODUCTION_WORDS = new Set(["prod", "production"]);
const EXEMPT_WORDS = new Set(["staging", "stage", "dev", "test", "lab", "local", "sandbox", "draft", "example", "sample"]);

/** Whether a file configures production: its kind, where it lies, and what its path says. */
export function isProductionFile(path: string): boolean {
  const [first = "", ...below] = path.split("/");
  const name = (below.at(-1) ?? first).toLowerCase();
  const isConfig = SUFFIXES.some((suffix) => name.endsWith(suffix)) || name.startsWith(".env") || name.startsWith("dockerfile");
  if (!isConfig) return false;
  const isPlaced = (below.length > 0 && FOLDERS.has(first.toLowerCase())) || hasWord(first, PRODUCTION_WORDS);
  return isPlaced && (!hasWord(path, EXEMPT_WORDS) || hasWord(path, PRODUCTION_WORDS));
}

type ProductionRule = "deny-hit" | "fallback-config" | EvidenceRule;

/** No production file names a denied host or a second destination, whatever a comment beside it says. */
export function checkProduction(policy: Policy, context: ContractContext): Diagnostic<ProductionRule>[] {
  const own = tidy(context.path);
  const paths = context.tree.list("").filter((path) => path !== own && isProductionFile(path));
  return paths.flatMap((path): Diagnostic<ProductionRule>[] => {
    const { found, value: file } = searched(context, path);
    return file === null ? [...found] : [...deniedHosts(policy, file), ...fallbackKeys(file)];
  });
}

function deniedHosts({ deny_host_substrings: denied }: Policy, { path, text }: Searched): Diagnostic<"deny-hit">[] {
  const entries = new Map((denied?.value ?? []).map((entry) => [entry.value, entry]));
  return hostsIn(text, [...new Set([...entries.keys(), ...ALWAYS_DENIED])]).map(({ at, literal }) => {
    const entry = entries.get(literal);
    const why = entry === undefined ? "which production config may never name" : "which the policy denies";
    const message = `This production file names ${shown(literal)}, ${why}; a remark beside it changes nothing. Name the production host here, and put what is for staging into an overlay of its own.`;
    return diagnostic("deny-hit", { path, at, key: "host", value: literal }, message, entry === undefined ? [] : [other(entry, "denied here")]);
  });
}

function fallbackKeys({ path, text }: Searched): Diagnostic<"fallback-config">[] {
  // Reading the keys of a large generated file takes seconds, and hardly any holds one of these words.
  if (!/fallback|backup|secondary/i.test(text)) return [];
  return keysIn(text, path).filter(isFallbackKey).map(({ at, key, parent }) => {
    const name = parent === null ? key : `${parent}.${key}`;
    return fallback({ path, at, key: "fallback", value: name }, `This production file sets ${shown(name)}`);
  });
}

/** The environment sets no second destination either. */
export function checkFallbackEnvironment({ forbid_fallback_base_url: forbidden }: Policy, context: ContractContext): Diagnostic<"fallback-config">[] {
  const names = [...context.environment].filter(([name, value]) => value.trim() !== "" && isFallbackKey({ key: name, parent: null })).map(([name]) => name).sort();
  if (names.length === 0) return [];
  return [fallback(forbidden ?? policySpot(context, "forbid_fallback_base_url"), `The environment sets ${names.join(", ")}`)];
}

function fallback(spot: { readonly path: string; readonly at: Place; readonly key: string; readonly value?: unknown }, what: string): Diagnostic<"fallback-config"> {
  return diagnostic("fallback-config", spot, `${what}: a second destination that answers when the first does not, under no contract. Take it away; an outage is to be seen.`);
}
