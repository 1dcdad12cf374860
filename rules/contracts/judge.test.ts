import { describe, expect, it } from "vitest";
import { evalGate } from "./eval-gate/index.ts";
import { judgeContract } from "./judge.ts";
import { sha256 } from "./shared/digests.ts";
import { contextOver, memoryTree } from "./testing.ts";

const MANIFEST = "eval_id: a\ndataset_path: a.jsonl\nmax_age_days: 30\ngenerated_at: 2026-11-20\nowner: payments\nmin_pass_rate: 1\nblocking: true\nfeature_flag: a\n";

describe("judging a contract", () => {
  it("counts what nobody would read one by one", () => {
    const rows = "no\n".repeat(5000);
    const tree = memoryTree({ "eval_gate.yaml": `${MANIFEST}dataset_sha256: ${sha256(rows)}\n`, "a.jsonl": rows, "a.README.md": "x" });
    const found = judgeContract(evalGate, contextOver(tree, { path: "eval_gate.yaml" })).filter(({ rule }) => rule === "eval-gate/dataset-row");
    expect(found).toHaveLength(101);
    expect(found.at(-1)).toMatchObject({ at: { line: 101 }, message: "4900 further findings of this rule in a.jsonl, from this one on. Correct those above first." });
  });

  it("refuses a rule that the contract does not list", () => {
    const odd = { ...evalGate, check: () => [{ rule: "unheard-of", message: "", path: "a", at: { line: 1, column: 1, length: 0 }, key: "", related: [] }] };
    expect(() => judgeContract(odd, contextOver(memoryTree({})))).toThrow("eval-gate reports unheard-of, which it does not list");
  });
});
