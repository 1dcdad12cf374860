import type { ContractSystem } from "./contract.ts";

/** What is said of the workflows that run the gate. It is judged by the engine, which reads them; it has no file of its own. */
export const WIRING: Pick<ContractSystem, "id" | "purpose" | "rules"> = {
  id: "wiring",
  purpose: "A workflow that runs the gate fails when the gate does, sees what the gate guards, and cannot be skipped.",
  rules: {
    soft: { summary: "A job or step that runs the gate passes when the gate fails: `continue-on-error: true`, `|| true`, `|| exit 0` and their like." },
    filter: { summary: "The `paths:` filter of a workflow that runs the gate misses a contract or a file that the contract rests on." },
    shallow: { summary: "The gate compares with a base, and the checkout has no history." },
    skippable: { summary: "The `if:` of a job or step that runs the gate tests a label or a commit message." },
  },
};
