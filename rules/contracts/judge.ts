import { LINE_ONE } from "@agentgate/parsers/contract";
import type { Severity } from "../rule.ts";
import type { ContractContext, ContractSystem, Diagnostic } from "./contract.ts";
import { hasBaseRules, rulesOf } from "./generic.ts";

/** A diagnostic under its full id, with the severity of its rule. */
export interface ContractFinding extends Diagnostic {
  readonly severity: Severity;
}

/**
 * Judges one contract. A place has one diagnostic a rule, but for those that say `each`; order is by file, line, column and rule.
 *
 * @throws Error where the contract reports a rule that it does not list
 */
export function judgeContract(system: ContractSystem, context: ContractContext): ContractFinding[] {
  const rules = new Map(rulesOf(system).map((rule) => [rule.name, rule]));
  const found = new Map<string, ContractFinding>();
  for (const one of [...(hasBaseRules(system) ? [noBase(system, context.path)] : []), ...system.check(context)]) {
    const rule = rules.get(one.rule);
    if (rule === undefined) throw new Error(`${system.id} reports ${one.rule}, which it does not list`);
    const place = JSON.stringify([one.path, one.at.line, one.at.column, one.rule, one.each ?? null]);
    if (!found.has(place)) found.set(place, { ...one, rule: rule.id, severity: one.severity ?? rule.severity });
  }
  return bounded([...found.values()].sort(compare));
}

/** More of one rule in one file than anybody reads one by one. */
const MOST_OF_A_KIND = 100;

/** Counts what is beyond the bound in the first one that is: a dataset of a million bad rows is one defect. */
function bounded(found: readonly ContractFinding[]): ContractFinding[] {
  const counts = new Map<string, number>();
  for (const { path, rule } of found) counts.set(`${rule}\0${path}`, (counts.get(`${rule}\0${path}`) ?? 0) + 1);
  const seen = new Map<string, number>();
  return found.flatMap((one) => {
    const kind = `${one.rule}\0${one.path}`;
    const count = (seen.get(kind) ?? 0) + 1;
    seen.set(kind, count);
    if (count <= MOST_OF_A_KIND) return [one];
    if (count > MOST_OF_A_KIND + 1) return [];
    return [{ ...one, key: "further", message: `${counts.get(kind)! - MOST_OF_A_KIND} further findings of this rule in ${one.path}, from this one on. Correct those above first.` }];
  });
}

function noBase({ id }: ContractSystem, path: string): Diagnostic {
  const message = `The rules of ${id} that compare with the merge base are not judged. Give --base REF to have them judged.`;
  return { rule: "no-base", message, path, at: LINE_ONE, key: "", related: [] };
}

/** The diagnostic of a contract that is required and absent. */
export function missingContract({ id }: ContractSystem, path: string, why: string): ContractFinding {
  const message = `There is no ${id} contract at ${path}, and ${why}. Add the file, or say in agentgate.yml under contracts where it lies.`;
  return { rule: `${id}/missing`, severity: "error", message, path, at: LINE_ONE, key: "", related: [] };
}

function compare(left: ContractFinding, right: ContractFinding): number {
  return order(left.path, right.path) || left.at.line - right.at.line || left.at.column - right.at.column || order(left.rule, right.rule) || order(left.message, right.message);
}

function order(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
