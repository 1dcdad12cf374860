import { CONTRACT_SYSTEMS } from "@agentgate/rules/contracts";
import { GateError } from "../errors.ts";
import { CONTRACTS } from "../policy/schema.ts";

/** What is wrong with the contracts that a command line names: one that nobody knows, or that this version does not judge. */
export function unknownSystem(systems: readonly string[], further: readonly string[] = []): GateError | null {
  const built = [...CONTRACT_SYSTEMS.map(({ id }) => id), ...further];
  const bad = systems.find((id) => !built.includes(id));
  if (bad === undefined) return null;
  const hint = `The contracts of this version are: ${built.join(", ")}.`;
  return CONTRACTS.includes(bad) ? new GateError(`The contract ${bad} is not judged by this version.`, hint) : new GateError(`No contract is called ${JSON.stringify(bad)}.`, hint);
}
