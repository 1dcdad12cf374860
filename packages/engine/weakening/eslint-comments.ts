import type { Directive, ModuleFacts } from "@agentgate/parsers";
import { RULE_METAS } from "@agentgate/rules";
import { LATER_RULES } from "../policy/schema.ts";

/** What one comment says to ESLint about our rules. */
export interface EslintComment {
  /** `disable` and `enable` speak for a range, `disable-line` and `disable-next-line` for a line, `configure` for the file. */
  readonly form: "disable" | "enable" | "disable-line" | "disable-next-line" | "configure";
  /** The rule's name without its prefix; `*` for all rules. */
  readonly rule: string;
  readonly line: number;
}

const FORMS = new Set(["disable", "enable", "disable-line", "disable-next-line"]);
const OUR_RULES: ReadonlySet<string> = new Set([...RULE_METAS.map((meta) => meta.id), ...LATER_RULES]);

/**
 * What the comments of a module say to ESLint about our rules. `text` is the module's source: outside of Python a
 * range and a configuration are heard in block comments only; in Python no configuration is. A configuration that raises a rule to an error is left out.
 */
export function eslintComments(facts: ModuleFacts, text: string | null): EslintComment[] {
  const isPython = facts.language === "python";
  const comments = facts.directives.flatMap((directive) => commentOf(directive, isPython || text === null || text.startsWith("/*", directive.span[0])));
  return isPython ? comments.filter(({ form }) => form !== "configure") : comments;
}

function commentOf({ text, line }: Directive, isBlock: boolean): EslintComment[] {
  const body = text.replace(/\*\/$/, "").replace(/^[\s*]+/, "").replace(/\s-{2,}\s[^]*$/, "").trim();
  const head = /^eslint(?:-([a-z-]+))?(?=\s|$)/.exec(body);
  if (head === null) return [];
  const rest = body.slice(head[0].length).trim();
  if (head[1] === undefined) return isBlock ? configured(rest).map((rule) => ({ form: "configure", rule, line })) : [];
  if (!FORMS.has(head[1])) return [];
  const form = head[1] as EslintComment["form"];
  if (!isBlock && (form === "disable" || form === "enable")) return [];
  return rulesIn(rest).map((rule) => ({ form, rule, line }));
}

/** The rules of ours in a list; a list that is empty means every rule. */
function rulesIn(list: string): string[] {
  const names = list.split(",").map((name) => unquoted(name.trim())).filter((name) => name !== "");
  if (names.length === 0) return ["*"];
  return [...new Set(names.map(ourRule).filter((name) => name !== null))];
}

/** ESLint hears a name in quotes as it hears it without. */
function unquoted(name: string): string {
  return name.replace(/^(["'])(.*)\1$/s, "$2");
}

/** The plugin may be registered under any prefix; contracts have a second part. */
function ourRule(name: string): string | null {
  const slash = name.indexOf("/");
  if (slash === -1) return null;
  const rule = name.slice(slash + 1);
  return name.startsWith("agentgate/") || OUR_RULES.has(rule) ? rule : null;
}

/** The rules of ours that an inline configuration does not set to an error: `"agentgate/x": "off", agentgate/y: [1]`. */
function configured(text: string): string[] {
  return text.split(",").flatMap((setting) => {
    const colon = setting.lastIndexOf(":");
    const rule = colon === -1 ? null : ourRule(bare(setting.slice(0, colon)));
    const severity = bare(setting.slice(colon + 1));
    return rule === null || severity === "error" || severity === "2" ? [] : [rule];
  });
}

function bare(text: string): string {
  return text.replaceAll(/["'[\]{}\s]/g, "");
}
