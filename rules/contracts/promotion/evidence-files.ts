import { LINE_ONE, textLines } from "@agentgate/parsers/contract";
import { type Diagnostic, diagnostic } from "../contract.ts";
import { isPlaceholder, shown } from "../shared/values.ts";
import type { Statement } from "./evidence-lines.ts";
import type { GateEvidence } from "./gates.ts";

const PASS = "STATUS: pass";

const REQUIRED: ReadonlyMap<string, readonly string[]> = new Map([
  ["HOST_SPLIT", ["lab_host", "prod_runtime", "checked_trees", "command"]],
  ["SECRET_MATERIAL", ["scanner", "patterns"]],
  ["MODEL_PIN", ["caller", "required_env", "forbidden_env", "unset_means"]],
  ["DATA_CLASS", ["prod_datastores", "lab_may_read", "lab_may_not_read", "egress_check"]],
  ["OBSERVABILITY", ["prod_name", "lab_name_absent"]],
  ["BLAST_RADIUS", ["rollback", "does_not_use", "owner_alert"]],
]);

/** Keys to which "none" is an answer. */
const MAY_BE_NONE = new Set(["prod_datastores", "lab_may_read", "does_not_use"]);

/** Each evidence file says that it passed, once and in so many words, and answers what its gate asks. */
export function checkEvidence(evidence: readonly GateEvidence[]): Diagnostic<"status" | "evidence-key">[] {
  return evidence.flatMap((one) => [...checkStatus(one), ...checkKeys(one)]);
}

function checkStatus({ path, text }: GateEvidence): Diagnostic<"status">[] {
  const lines = textLines(text);
  const [first, ...more] = lines.filter((line) => line.text === PASS);
  const others = lines.filter((line) => line.text !== PASS && /^\s*(?:[-*]\s+)?STATUS\s*:/.test(line.text));
  const further = [...more, ...others].map(({ at, text: line }) => {
    const why = first === undefined ? "which does not say that the gate passed" : "beside another status, so that nobody can say whether the gate passed";
    return diagnostic("status", { path, at, key: "STATUS", value: line }, `The evidence says ${shown(line.trim())}, ${why}. One line, exactly \`${PASS}\`, is to stand there.`);
  });
  if (first !== undefined || further.length > 0) return further;
  return [diagnostic("status", { path, at: LINE_ONE, key: "STATUS" }, `The evidence has no line that is exactly \`${PASS}\`, so the gate did not pass. Answer its question, then write the line.`)];
}

function checkKeys({ id, path, statements }: GateEvidence): Diagnostic<"evidence-key">[] {
  const required = id === null ? [] : REQUIRED.get(id) ?? [];
  const absent = required.filter((key) => !statements.some((one) => one.key === key));
  const blank = statements.filter((one) => required.includes(one.key) && saysNothing(one)).map((one) =>
    diagnostic("evidence-key", { path, at: one.at, key: one.key, value: one.value }, `\`${one.key}\` says nothing, and ${id} asks for it. Write the answer down.`));
  if (absent.length === 0) return blank;
  return [diagnostic("evidence-key", { path, at: LINE_ONE, key: absent.join(" ") }, `The evidence of ${id} lacks ${absent.map((key) => `\`${key}\``).join(", ")} at line start, so the question is not answered. Add the lines.`), ...blank];
}

/** Whether a statement is blank or only holds the place of one. */
export function saysNothing({ entries, key, value }: Statement): boolean {
  const texts = value === "" ? entries.map(({ text }) => text) : [value];
  return texts.every((text) => isPlaceholder(text) && !(MAY_BE_NONE.has(key) && /^(?:none|n\/a|na)$/i.test(text)));
}
