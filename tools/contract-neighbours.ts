import { type ContractSystem, WIRING } from "@agentgate/rules/contracts";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";

/**
 * What a contract lacks of its neighbours, in words. A contract is a module, fixtures, a page and a schema for each kind of
 * file, all with its name. The reverse holds too: a module, a page or a fixtures folder belongs to a registered contract.
 */
export function missingContractNeighbours(root: string, systems: readonly ContractSystem[]): string[] {
  return [...systems.flatMap((system) => missingOf(root, system)), ...strays(root, systems)];
}

function missingOf(root: string, { documents, id }: ContractSystem): string[] {
  const schemas = documents.map(({ name }) => `packages/cli/schema/${name === "" ? id : `${id}-${name}`}.schema.json`);
  const wanted = [`docs/contracts/${id}.md`, `fixtures/contracts/${id}`, ...schemas];
  const module = [`rules/contracts/${id}.ts`, `rules/contracts/${id}/index.ts`];
  const missing = wanted.filter((file) => !existsSync(path.join(root, file)));
  return [...missing, ...(module.some((file) => existsSync(path.join(root, file))) ? [] : [module[1]!])].map((file) => `${id}: ${file} is missing`);
}

function strays(root: string, systems: readonly ContractSystem[]): string[] {
  const known = new Set([...systems.map(({ id }) => id), "shared", "README", WIRING.id]);
  const folders = ["rules/contracts", "fixtures/contracts", "docs/contracts"].flatMap((folder) => entries(path.join(root, folder)));
  return [...new Set(folders)].filter((name) => !known.has(name)).map((name) => `${name}: has a module, a page or fixtures, and rules/contracts/registry.ts does not list it`);
}

/** Folders, and pages without their ending; what lies beside the contracts' folders is the machine's. */
function entries(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return [entry.name];
    return entry.name.endsWith(".md") ? [entry.name.slice(0, -3)] : [];
  });
}
