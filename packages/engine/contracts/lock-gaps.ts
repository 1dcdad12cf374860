import { type ContractContext, type ContractFinding, type EvidenceTree, judgeContract } from "@agentgate/rules/contracts";
import { GateError } from "../errors.ts";
import type { Active } from "./activation.ts";

/** What pins are asked with: neither clock nor environment has a part in them. */
export function pinContext(path: string, tree: EvidenceTree): ContractContext {
  return { path, tree, now: new Date(0), head: null, pushedAt: null, environment: new Map() };
}

const UNREAD = new Set(["syntax", "evidence", "unsafe-path"]);
const UNSET = new Set(["field", "type"]);

/** What keeps a digest from being compared: "up to date" must not be said of what nobody looked at. Null where nothing does. */
export function incomparable(active: readonly Active[], tree: EvidenceTree): GateError | null {
  for (const { path, system } of active.filter((one) => one.system.pins !== undefined)) {
    const context = pinContext(path, tree);
    const pinned = new Set((system.pins?.(context) ?? []).map(({ at }) => `${at.line}:${at.column}`));
    const gap = judgeContract(system, context).find((one) => one.path === path && isGap(one, system.id) && !pinned.has(`${one.at.line}:${one.at.column}`));
    if (gap !== undefined) return new GateError(`${path}:${gap.at.line}: ${gap.message}`, "Correct that first: no digest was compared or written.");
  }
  return null;
}

function isGap({ key, rule }: ContractFinding, contract: string): boolean {
  const name = rule.slice(contract.length + 1);
  return UNREAD.has(name) || (UNSET.has(name) && /_(?:sha256|path)"/.test(key));
}
