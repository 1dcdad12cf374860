import { CONTRACT_SYSTEMS, type ContractFinding, type ContractSystem, missingContract } from "@agentgate/rules/contracts";
import type { ContractSetting } from "../policy/policy.ts";
import type { DiskTree } from "./disk-tree.ts";

/** One contract that is to be judged. */
export interface Active {
  readonly system: ContractSystem;
  readonly path: string;
}

export interface Activation {
  readonly active: readonly Active[];
  /** Contracts that are required and absent. */
  readonly missing: readonly ContractFinding[];
}

/**
 * Which contracts are judged: those whose file (or folder) lies where the policy or the default puts it. One that is
 * named or required and absent is a finding.
 */
export function activate(tree: DiskTree, settings: ReadonlyMap<string, ContractSetting>, named: readonly string[]): Activation {
  const active: Active[] = [];
  const missing: ContractFinding[] = [];
  for (const system of CONTRACT_SYSTEMS.filter(({ id }) => named.length === 0 || named.includes(id))) {
    const setting = settings.get(system.id);
    const path = placeOf(tree, system, setting);
    const place = setting?.path ?? bare(system.place);
    const why = named.length > 0 ? "it was asked for by name" : setting?.required === true ? "agentgate.yml requires it" : null;
    const isBegun = path === null && (system.alsoActive ?? []).some((file) => tree.read(file).kind !== "absent");
    // One that is made of several files says itself what each of them lacks.
    if (path !== null || isBegun || (why !== null && system.alsoActive !== undefined)) active.push({ system, path: path ?? place });
    if (path === null && !isBegun && why !== null) missing.push(missingContract(system, place, why));
  }
  return { active, missing };
}

/**
 * Where a contract lies: where the policy says, else in its default place; null where it does neither. What stands there and
 * cannot be read, a link out of the repository for one, is for the contract to report.
 */
function placeOf(tree: DiskTree, system: ContractSystem, setting: ContractSetting | undefined): string | null {
  const places = [...(setting?.path == null ? [] : [setting.path]), system.place];
  const found = places.find((place) => tree.read(bare(place)).kind !== "absent");
  return found === undefined ? null : bare(found);
}

function bare(place: string): string {
  return place.replace(/\/$/, "");
}
