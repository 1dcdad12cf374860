import type { CapabilitySites, DiffReport, ModuleDifference } from "@agentgate/engine";
import { ableTo, CAPABILITIES, type Capability } from "@agentgate/rules";
import { fewOf, joined, name, type Piece } from "./pieces.ts";

/** Capabilities that a module had at the merge base; null where that is not known. */
export type HadAtBase = (path: string) => ReadonlySet<string> | null;

/** A fact under its name: `New privilege:` and what it is. */
export interface Fact {
  readonly label: string;
  readonly text: readonly Piece[];
}

type Gain = CapabilitySites & { readonly from?: string };

/** A capability that a module did not have in any way before, with all that gives it. */
interface Privilege {
  readonly capability: string;
  readonly gains: readonly Gain[];
}

/** Reported under `strict` only, and therefore told after the others. */
const QUIET: ReadonlySet<string> = new Set(["fs.read", "env.read", "tool"]);
const APIS = 3;
const LINES = 3;
const KINDS = 4;

/** The three facts of a module that gained a capability; none for one that did not. */
export function factsOf(module: ModuleDifference, hadAtBase: HadAtBase): Fact[] {
  const privileges = privilegesOf(module, hadAtBase(module.path));
  const [first] = privileges;
  if (first === undefined) return [];
  return [
    { label: "New privilege:", text: [name(module.path), " can now ", ...fewOf(privileges, KINDS, toldOf, " and "), ". It could not before.", ...movedFrom(privileges)] },
    ...(module.contract === null ? [] : [{ label: "What must change with it:", text: [name(module.contract), ", the contract that covers this module."] }]),
    { label: "Where it belongs:", text: placeFor(module, first, privileges) },
  ];
}

/** Modules with a new privilege; those that are told under `strict` only come last. */
export function privilegedModules({ modules }: DiffReport, hadAtBase: HadAtBase): ModuleDifference[] {
  const weight = (module: ModuleDifference): number => {
    const privileges = privilegesOf(module, hadAtBase(module.path));
    if (privileges.length === 0) return 0;
    return privileges.some(({ capability }) => !QUIET.has(capability)) ? 2 : 1;
  };
  const weighed = modules.map((module) => ({ module, weight: weight(module) })).filter(({ weight: least }) => least > 0);
  return weighed.sort((left, right) => right.weight - left.weight).map(({ module }) => module);
}

function privilegesOf({ gained, lost, moved }: ModuleDifference, had: ReadonlySet<string> | null): Privilege[] {
  const kinds = new Map<string, Gain[]>();
  for (const gain of [...gained, ...moved]) kinds.set(gain.capability, [...(kinds.get(gain.capability) ?? []), gain]);
  const known = had ?? new Set(lost.map(({ capability }) => capability));
  const privileges = [...kinds].filter(([capability]) => !known.has(capability)).map(([capability, gains]) => ({ capability, gains }));
  return privileges.sort((left, right) => Number(QUIET.has(left.capability)) - Number(QUIET.has(right.capability)));
}

function isCapability(text: string): text is Capability {
  return CAPABILITIES.some((capability) => capability === text);
}

/** `reach the network (httpx.post, line 41)`. */
function toldOf({ capability, gains }: Privilege): Piece[] {
  const can = isCapability(capability) ? [ableTo(capability)] : ["do ", name(capability)];
  return [...can, " (", ...fewOf(gains, APIS, ({ api, sites }) => [name(api), linesOf(sites)], "; "), ")"];
}

function linesOf(sites: CapabilitySites["sites"]): string {
  const lines = [...new Set(sites.map(({ line }) => line))];
  if (lines.length === 0) return "";
  const shown = lines.slice(0, LINES).join(", ");
  return `, line${lines.length === 1 ? "" : "s"} ${shown}${lines.length > LINES ? ` and ${lines.length - LINES} more` : ""}`;
}

function movedFrom(privileges: readonly Privilege[]): Piece[] {
  const sources = [...new Set(privileges.flatMap(({ gains }) => gains.flatMap(({ from }) => (from === undefined ? [] : [from]))))];
  return sources.length === 0 ? [] : [" It moved here from ", ...fewOf(sources, APIS, (path) => [name(path)]), "."];
}

/** The port that should own the call, or how its owner licenses it here. */
function placeFor({ path, port }: ModuleDifference, { capability }: Privilege, privileges: readonly Privilege[]): Piece[] {
  if (port === path) return ["this module is itself the port with ", name(capability), "."];
  if (port !== null) return [name(port), " is the port with ", name(capability), "."];
  return ["no port has ", name(capability), ". Move the call behind one, or have its owner license it: ", name(permitCommand(path, privileges)), "."];
}

const PLAIN = /^[A-Za-z0-9][A-Za-z0-9_./-]*$/;

/** A command to copy. A name that a shell would read otherwise is left to be filled in. */
function permitCommand(path: string, privileges: readonly Privilege[]): string {
  const capabilities = privileges.map(({ capability }) => capability).filter(isCapability);
  return `agentgate permit ${PLAIN.test(path) ? path : "PATH"} ${capabilities.join(" ")} --owner … --note "…"`;
}

/** `net (httpx)`, for a table. */
export function useOf({ api, capability, from }: Gain): Piece[] {
  const kind = isCapability(capability) ? [capability] : [name(capability)];
  return [...kind, " (", ...joined([[name(api)], ...(from === undefined ? [] : [["moved from ", name(from)]])], ", "), ")"];
}
