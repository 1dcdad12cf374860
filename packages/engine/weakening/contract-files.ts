import type { ChangedFile, Side } from "../change/change.ts";
import { globMatcher } from "../discovery/exclude.ts";
import { kindOfName } from "../discovery/kind.ts";
import type { TreePath } from "../paths.ts";
import { readYaml } from "../policy/located.ts";
import type { Located } from "../policy/located.ts";
import { mappingAt, textAt } from "./policy-document.ts";
import type { Keys } from "./policy-document.ts";
import { baseText, basePathOf, headText } from "./input.ts";
import type { WeakeningInput } from "./input.ts";
import places from "./contract-places.json" with { type: "json" };
import { FIRST_LINE, fileWeakening } from "./record.ts";
import type { Weakening } from "./weakening.ts";

type Matcher = (path: TreePath) => boolean;

interface Contract {
  readonly name: string;
  readonly isContract: Matcher;
  readonly isEvidence: Matcher;
  /** Where its files lie, globs among them. */
  readonly files: readonly string[];
  readonly hasGlobs: boolean;
}

/** The contracts that are in the tree of the base, where its policy and the defaults put them. */
function contractsOf(base: Side, policy: Keys): Contract[] {
  const configured = mappingAt(policy, "contracts");
  const known = Object.entries(places).map(([name, { files, evidence }]): Contract => {
    const setting = configured.get(name)?.value;
    const path = setting instanceof Map ? textAt(setting as Keys, "path") ?? null : null;
    const matchers = [...files, ...(path === null ? [] : [path])].map(globMatcher);
    return { name, files: path === null ? files : [...files, path], hasGlobs: files.some((file) => file.includes("*")), isContract: anyOf(matchers), isEvidence: anyOf(evidence.map(globMatcher)) };
  });
  return known.filter((contract) => contract.files.some((file) => base.paths.has(file)) || (contract.hasGlobs && [...base.paths].some(contract.isContract)));
}

function anyOf(matchers: readonly Matcher[]): Matcher {
  return (path) => matchers.some((matches) => matches(path));
}

/** Whether a side has a file in which a contract lies by default. */
export function hasDefaultContract(side: Side, name: string): boolean {
  if (!Object.hasOwn(places, name)) return false;
  const matches = anyOf(places[name as keyof typeof places].files.map(globMatcher));
  return [...side.paths].some(matches);
}

/** What became of a file in which something stood. */
interface Gone {
  readonly file: ChangedFile;
  readonly what: string;
}

/** Contract files and their evidence that the change deletes, moves away, empties or puts something else for. */
export async function contractFileWeakenings({ difference, policyPath }: Pick<WeakeningInput, "difference" | "policyPath">, policy: Keys): Promise<Weakening[]> {
  const { base, head, files } = difference;
  const gone: Gone[] = [];
  for (const file of files) {
    const what = file.basePath === null || file.basePath === policyPath ? null : await becameOf(base, head, file);
    if (what !== null) gone.push({ file, what });
  }
  if (gone.length === 0) return [];
  const contracts = contractsOf(base, policy);
  const named = await namedIn(base, contracts);
  return gone.flatMap((file) => goneWeakening(file, contracts, named));
}

/** What happened to a file of which nothing is left that can be read, though something stood in it; else null. */
async function becameOf(base: Side, head: Side, file: ChangedFile): Promise<string | null> {
  if (!head.paths.has(basePathOf(file))) return file.status === "renamed" ? `moved to ${file.path}` : "deleted";
  // Code is no evidence, and most of what a change modifies is code.
  if (file.status !== "modified" || kindOfName(file.path).kind === "judged") return null;
  const now = (await headText(head, file))?.trim() ?? null;
  if (now !== null && now !== "") return null;
  const before = (await baseText(base, file))?.trim() ?? null;
  if (now === "") return before === "" ? null : "emptied";
  return before === null || before === "" ? null : "replaced by what cannot be read as text";
}

function goneWeakening({ file, what }: Gone, contracts: readonly Contract[], named: ReadonlyMap<TreePath, string>): Weakening[] {
  const path = basePathOf(file);
  const contract = contracts.find((one) => one.isContract(path));
  if (contract !== undefined) {
    const message = `The ${contract.name} contract ${path} is ${what}: what it held the code to is no longer checked. Put it back, or have its owner accept it.`;
    return [fileWeakening(file, { kind: "contract-deleted", at: FIRST_LINE, message, subject: path })];
  }
  const user = contracts.find((one) => one.isEvidence(path))?.name ?? named.get(path);
  if (user === undefined) return [];
  const message = `${path} is ${what}, and the ${user} contract rests on it: what it proved is no longer there. Put it back, or have the contract's owner accept it.`;
  return [fileWeakening(file, { kind: "evidence-deleted", at: FIRST_LINE, message, subject: path })];
}

/** Every text inside the contracts of the base, with the contract that names it: one that is a path is evidence. */
async function namedIn(base: Side, contracts: readonly Contract[]): Promise<ReadonlyMap<TreePath, string>> {
  const named = new Map<TreePath, string>();
  for (const contract of contracts) {
    const found = contract.hasGlobs ? [...base.paths].filter(contract.isContract) : contract.files.filter((path) => base.paths.has(path));
    for (const path of found) {
      const text = await base.text(path);
      for (const value of text === null ? [] : textsIn(text)) if (!named.has(value)) named.set(value, contract.name);
    }
  }
  return named;
}

function textsIn(text: string): string[] {
  const found: string[] = [];
  const open: Located[] = [];
  try {
    open.push(readYaml(text));
  } catch {
    return [];
  }
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (one.kind === "list") open.push(...one.items);
    else if (one.kind === "mapping") open.push(...one.entries.map((entry) => entry.value));
    else if (typeof one.value === "string") found.push(one.value.replace(/^\.\//, ""));
  }
  return found;
}
