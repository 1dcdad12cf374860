import { LINE_ONE } from "@agentgate/parsers/contract";
import type { ContractContext } from "../contract.ts";
import type { Spot } from "../fields.ts";

/** Where the policy is reported for a key that is not there. */
export function policySpot({ path }: Pick<ContractContext, "path">, key: string): Spot {
  return { path, at: LINE_ONE, key };
}
