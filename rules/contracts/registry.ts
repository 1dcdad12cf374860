import type { ContractSystem } from "./contract.ts";
import { evalGate } from "./eval-gate/index.ts";
import { inferencePolicy } from "./inference-policy/index.ts";
import { promotion } from "./promotion/index.ts";
import { prodGates } from "./prod-gates/index.ts";
import { sidefx } from "./sidefx/index.ts";
import { receipts } from "./receipts/index.ts";
import { loopBudget } from "./loop-budget/index.ts";
import { toolContracts } from "./tool-contracts/index.ts";

/** The contracts that this version judges, by id. One line each. */
export const CONTRACT_SYSTEMS: readonly ContractSystem[] = [
  evalGate,
  inferencePolicy,
  promotion,
  prodGates,
  sidefx,
  receipts,
  loopBudget,
  toolContracts,
];

/** The contract of that name. */
export function contractSystem(id: string): ContractSystem | undefined {
  return CONTRACT_SYSTEMS.find((system) => system.id === id);
}
