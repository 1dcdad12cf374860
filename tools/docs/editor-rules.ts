import { CODE_RULES, ENGINE_RULES, type RuleMeta } from "@agentgate/rules";

/** What an editor cannot tell: they speak of a change, or of a policy as a whole. */
const NEEDS_MORE = new Set(["gate-weakened", "secret-in-change", "contract-drift", "unused-port", "expired-permit"]);

/** The rules of the ESLint plugin, in the order in which a linter asks them: what the others could not say comes last. */
export function editorMetas(): readonly RuleMeta[] {
  return [...CODE_RULES.map(({ meta }) => meta), ...ENGINE_RULES].filter(({ id }) => !NEEDS_MORE.has(id)).sort((one, other) => Number(one.id === "not-judged") - Number(other.id === "not-judged"));
}

/** What the plugin knows of its rules without loading them. */
export function editorRulesDocument(): { readonly path: string; readonly text: string } {
  const rules = editorMetas().map(({ id, severity, summary, category, options }) => ({ id, severity, summary, category, ...(options === undefined ? {} : { options }) }));
  return { path: "packages/eslint-plugin/rules.json", text: `${JSON.stringify(rules, null, 2)}\n` };
}
