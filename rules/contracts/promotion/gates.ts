import type { Place } from "@agentgate/parsers/contract";
import { type ContractContext, type Diagnostic, diagnostic, other } from "../contract.ts";
import { type EvidenceRule, evidence } from "../evidence.ts";
import type { Spot } from "../fields.ts";
import { tidy } from "../shared/paths.ts";
import { repeats } from "../shared/repeats.ts";
import { plainText } from "../shared/search.ts";
import { shown } from "../shared/values.ts";
import { type Statement, readStatements } from "./evidence-lines.ts";
import type { Gate, Promotion } from "./index.ts";

const GATE_IDS: readonly string[] = ["HOST_SPLIT", "SECRET_MATERIAL", "MODEL_PIN", "DATA_CLASS", "OBSERVABILITY", "BLAST_RADIUS"];

/** The evidence of one gate. */
export interface GateEvidence {
  /** Null where the gate's name was reported. */
  readonly id: string | null;
  readonly path: string;
  readonly text: string;
  readonly statements: readonly Statement[];
}

function gatesOf({ gates }: Promotion): readonly Gate[] {
  return gates?.value ?? [];
}

/** Gates with the name or the file of an earlier one, by what is repeated. */
function repeated(manifest: Promotion, key: "id" | "evidence"): Map<Gate, Gate> {
  return new Map(repeats(gatesOf(manifest), ({ value }) => (key === "evidence" && value.evidence !== undefined ? tidy(value.evidence.value) : value[key]?.value)));
}

/** The six gates, each once. `isIncomplete`: a gate was reported, and may be the one that is missing. */
export function checkGateSet(manifest: Promotion, isIncomplete: boolean): Diagnostic<"gate-set">[] {
  const names = new Set(gatesOf(manifest).map(({ value }) => value.id?.value));
  const absent = isIncomplete || manifest.gates === undefined ? [] : GATE_IDS.filter((id) => !names.has(id));
  const twice = [...repeated(manifest, "id")].flatMap(([{ value: { id } }, before]) =>
    (id === undefined ? [] : [diagnostic("gate-set", id, `The gate ${shown(id.value)} stands here a second time, so that nobody can say which answer counts. Keep one.`, [other(before.value.id!, "the first one")])]));
  if (manifest.gates === undefined || absent.length === 0) return twice;
  return [diagnostic("gate-set", manifest.gates, `Nobody answers ${absent.join(", ")} here, and a promotion rests on all six. Add the gate with its evidence.`), ...twice];
}

/** The evidence of all gates that have any of their own, and what is wrong with the others. */
export function readGates(manifest: Promotion, context: ContractContext): { readonly evidence: readonly GateEvidence[]; readonly found: readonly Diagnostic<"evidence-shared" | EvidenceRule>[] } {
  const twice = repeated(manifest, "id");
  const shared = repeated(manifest, "evidence");
  const found: Diagnostic<"evidence-shared" | EvidenceRule>[] = [];
  const read = gatesOf(manifest).flatMap((gate): GateEvidence[] => {
    const { evidence: named, id } = gate.value;
    const before = shared.get(gate)?.value.evidence;
    if (named !== undefined && before !== undefined) {
      found.push(diagnostic("evidence-shared", named, `${shown(named.value)} answers another gate already, and one answer to two questions is none. Give each gate a file of its own.`, [other(before, "the other gate")]));
      return [];
    }
    const file = evidence(context, named);
    found.push(...file.found);
    if (file.value === null) return [];
    const text = plainText(file.value.bytes);
    return [{ id: twice.has(gate) ? null : id?.value ?? null, path: file.value.path, text, statements: readStatements(text) }];
  });
  return { evidence: read, found };
}

/** A key of a gate's evidence, in its file. One that stands there several times counts each time. */
export interface Said extends Statement {
  readonly spot: Spot;
  /** A spot on something that the statement says. */
  spotOf(what: { readonly text: string; readonly at: Place }): Spot;
}

/** What the evidence of a gate says under a key. */
export function said(all: readonly GateEvidence[], gate: string, key: string): Said[] {
  return all.filter(({ id }) => id === gate).flatMap(({ path, statements }) => statements.filter((one) => one.key === key).map((one) => ({
    ...one, spot: { path, at: one.at, key, value: one.value }, spotOf: ({ at, text }) => ({ path, at, key, value: text }),
  })));
}
