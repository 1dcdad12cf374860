import manifest from "./package.json" with { type: "json" };
import { configOf } from "./configs.ts";
import type { ConfigObject } from "./configs.ts";
import { python } from "./python/language.ts";
import { lintRule } from "./rule.ts";
import type { LintRule, RuleEntry } from "./rule.ts";
import entries from "./rules.json" with { type: "json" };
import { policyHash } from "./policy-hash.ts";

const RULES: readonly RuleEntry[] = entries;

const page = (id: string): string => `https://www.npmjs.com/package/eslint-plugin-agentgate#${id}`;

/** The plugin, as ESLint takes it. */
export interface Plugin {
  readonly meta: { readonly name: string; readonly version: string; readonly namespace: string };
  readonly languages: { readonly python: typeof python };
  readonly rules: Readonly<Record<string, LintRule>>;
  readonly configs: {
    /** All rules; what a module can do is reported where the policy speaks of ports. */
    readonly recommended: ConfigObject[];
    /** All rules; what a module can do is always reported, with all that a strict policy reports. */
    readonly strict: ConfigObject[];
    /** All rules; what a module can do is reported where it could not at HEAD. */
    readonly editor: ConfigObject[];
  };
}

const plugin: Plugin = {
  meta: { name: manifest.name, version: manifest.version, namespace: "agentgate" },
  languages: { python },
  rules: Object.fromEntries(RULES.map((entry) => [entry.id, lintRule(entry, page)])),
  // Made when somebody asks: they look for a parser and read the policy.
  configs: {
    get recommended() {
      return configOf({ plugin, rules: RULES }, { name: "recommended", settings: policyHash() });
    },
    get strict() {
      return configOf({ plugin, rules: RULES }, { name: "strict", settings: { ...policyHash(), strict: true } });
    },
    get editor() {
      return configOf({ plugin, rules: RULES }, { name: "editor", settings: { ...policyHash(), base: "HEAD" } });
    },
  },
};

// ESLint's --plugin and `import agentgate from` take the default; `require` then gives the plugin itself.
export default plugin;
export { plugin as "module.exports" };
