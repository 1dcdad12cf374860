import type { Severity } from "../rule.ts";
import type { ContractSystem, GenericRule, RuleText } from "./contract.ts";
import type { Field, Shape } from "./fields.ts";

const GENERIC: Readonly<Record<GenericRule, RuleText>> = {
  syntax: { summary: "The file cannot be parsed, has the wrong root, repeats a key, or holds a second document." },
  field: { summary: "A required key is absent, null, blank or a placeholder." },
  type: { summary: "A value has the wrong type, or lies outside of its range or set." },
  "unsafe-path": { summary: "A path is absolute, climbs out of the repository, or leads out of it through a link." },
  evidence: { summary: "A file that the contract names is absent, no regular file, or blank." },
  owner: { summary: "An owner is no person or team." },
  "unknown-key": { summary: "A key that the contract does not have." },
  missing: { summary: "The contract is required and absent." },
  "no-base": { summary: "Without `--base`, the rules that compare with the merge base are not judged.", severity: "warning" },
};

/** One rule of a contract, complete. */
export interface ContractRule {
  /** `eval-gate/digest`. */
  readonly id: string;
  readonly name: string;
  readonly summary: string;
  readonly severity: Severity;
  readonly needs: NonNullable<RuleText["needs"]> | null;
  readonly generic: boolean;
}

/** Every rule of a contract: the generic ones first, those left out that it cannot breach. */
export function rulesOf(system: ContractSystem): ContractRule[] {
  const generic = (Object.keys(GENERIC) as GenericRule[]).filter((name) => applies(name, system)).map((name) => ({ name, rule: genericOf(name, system) }));
  return [...generic.map(({ name, rule }) => ruleOf(system.id, name, rule, true)), ...ownRulesOf(system)];
}

/** The rules that a contract lists itself. */
export function ownRulesOf({ id, rules }: Pick<ContractSystem, "id" | "rules">): ContractRule[] {
  return Object.entries(rules).map(([name, rule]) => ruleOf(id, name, rule, false));
}

function ruleOf(system: string, name: string, { needs, severity, summary }: RuleText, generic: boolean): ContractRule {
  return { id: `${system}/${name}`, name, summary, severity: severity ?? "error", needs: needs ?? null, generic };
}

function genericOf(name: GenericRule, { documents }: ContractSystem): RuleText {
  const isClosed = documents.some(({ unknown }) => unknown === "error");
  return name === "unknown-key" && !isClosed ? { ...GENERIC[name], severity: "warning" } : GENERIC[name];
}

function applies(name: GenericRule, { documents, generic, rules }: ContractSystem): boolean {
  if (name === "no-base") return hasBaseRules({ rules });
  if (generic !== undefined) return generic.includes(name);
  if (name === "owner") return documents.some(({ fields }) => Object.values(fields).some((field) => hasOwner(field)));
  return true;
}

/** Whether any rule compares with the merge base. */
export function hasBaseRules({ rules }: Pick<ContractSystem, "rules">): boolean {
  return Object.values(rules).some(({ needs }) => needs === "base");
}

/** Recursive in the table's nesting, which is ours. */
function hasOwner({ shape }: Field): boolean {
  return (shape.kind === "text" && shape.form === "owner") || innerFields(shape).some(hasOwner);
}

export function innerFields(shape: Shape): readonly Field[] {
  switch (shape.kind) {
    case "list":
    case "map":
      return [shape.of];
    case "record":
      return Object.values(shape.fields);
    case "either":
      return shape.of;
    default:
      return [];
  }
}
