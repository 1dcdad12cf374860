import type { PolicyProblem, Valid } from "./validate.ts";
import { JUDGED_CONTRACTS, JUDGED_RULES } from "./schema.ts";

/**
 * What a policy asks of rules that this version does not judge by. Their names are known, so that one policy serves
 * this version and the next; but silence would look like the verdict that was asked for. `off` asks for nothing.
 */
export function laterRuleProblems(rules: ReadonlyMap<string, Valid>): PolicyProblem[] {
  return [...rules].flatMap(([id, setting]): PolicyProblem[] => {
    if (JUDGED_RULES.has(id)) return [];
    if (JUDGED_CONTRACTS.includes(id.slice(0, id.indexOf("/")))) return [unknownRule(id, setting)];
    if (severityOf(setting) === "off") return [];
    const message = `\`rules.${id}\` has no effect in this version, which does not judge by that rule. Delete the line, or set it to off until the rule is there.`;
    return [{ message, line: setting.line, column: setting.column, length: id.length }];
  });
}

/** A name that a contract of this version does not list. */
function unknownRule(id: string, { column, line }: Valid): PolicyProblem {
  const message = `\`rules.${id}\` has no effect: the contract has no rule of that name. Correct the name, as its page under docs/contracts has it, or delete the line.`;
  return { message, line, column, length: id.length };
}

function severityOf({ value }: Valid): unknown {
  return Array.isArray(value) ? (value as readonly Valid[])[0]?.value : value;
}
