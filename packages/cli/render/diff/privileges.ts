import type { CapabilitySites, DiffReport, DiffRun, ModuleDifference } from "@agentgate/engine";
import { ableTo, CAPABILITIES, isStrictOnly, type Capability } from "@agentgate/rules";
import { fewOf, joined, listed, name, type Piece } from "./pieces.ts";

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

const APIS = 3;
const LINES = 3;
const KINDS = 4;

/** The three facts of a module that gained a capability; none for one that did not. */
export function factsOf(module: ModuleDifference, run: DiffRun): Fact[] {
  const privileges = privilegesOf(module, run);
  if (privileges.length === 0) return [];
  return [
    { label: "New privilege:", text: [name(module.path), " can now ", ...listed(shownOf(privileges)), ". It could not before.", ...movedFrom(privileges)] },
    ...(module.contract === null ? [] : [{ label: "What must change with it:", text: [name(module.contract), ", the contract that covers this module."] }]),
    ...placeFor(module, privileges, run),
  ];
}

/** Modules with a new privilege; those with none but what `strict` alone judges come last. */
export function privilegedModules({ modules }: DiffReport, run: DiffRun): ModuleDifference[] {
  const weight = (module: ModuleDifference): number => {
    const privileges = privilegesOf(module, run);
    if (privileges.length === 0) return 0;
    return privileges.some(({ capability }) => !isStrictOnly(capability)) ? 2 : 1;
  };
  const weighed = modules.map((module) => ({ module, weight: weight(module) })).filter(({ weight: least }) => least > 0);
  return weighed.sort((left, right) => right.weight - left.weight).map(({ module }) => module);
}

function privilegesOf(module: ModuleDifference, run: DiffRun): Privilege[] {
  const privileges = newIn(module, run).filter(({ capability }) => run.strict || !isStrictOnly(capability));
  return privileges.sort((left, right) => Number(isStrictOnly(left.capability)) - Number(isStrictOnly(right.capability)));
}

/** What modules newly do that nobody judges here. */
export function unjudgedCapabilities({ modules }: DiffReport, run: DiffRun): Capability[] {
  const found = new Set(run.strict ? [] : modules.flatMap((module) => newIn(module, run).map(({ capability }) => capability)));
  return CAPABILITIES.filter((capability) => isStrictOnly(capability) && found.has(capability));
}

function newIn({ path, gained, lost, moved }: ModuleDifference, { hadAtBase }: DiffRun): Privilege[] {
  const kinds = new Map<string, Gain[]>();
  for (const gain of [...gained, ...moved]) kinds.set(gain.capability, [...(kinds.get(gain.capability) ?? []), gain]);
  const known = hadAtBase(path) ?? new Set(lost.map(({ capability }) => capability));
  return [...kinds].filter(([capability]) => !known.has(capability)).map(([capability, gains]) => ({ capability, gains }));
}

function isCapability(text: string): text is Capability {
  return CAPABILITIES.some((capability) => capability === text);
}

function shownOf(privileges: readonly Privilege[]): Piece[][] {
  const rest = privileges.length - KINDS;
  return [...privileges.slice(0, KINDS).map(toldOf), ...(rest > 0 ? [[`${rest} more`]] : [])];
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

/** The ports that should own the calls, and how an owner licenses what no port has. */
function placeFor({ path }: ModuleDifference, privileges: readonly Privilege[], { portFor }: DiffRun): Fact[] {
  const ports = new Map<string, { readonly owner: string; readonly held: Privilege[] }>();
  for (const privilege of privileges) {
    const port = portFor(path, privilege.capability);
    if (port !== null) ports.set(port.path, { owner: port.owner, held: [...(ports.get(port.path)?.held ?? []), privilege] });
  }
  const without = privileges.filter(({ capability }) => portFor(path, capability) === null);
  const owned = [...ports].map(([port, { held, owner }]) => [...(port === path ? ["this module is itself"] : [name(port), " is"]), " the port with ", ...namesOf(held), " (owner ", name(owner), ")"]);
  const open = without.length === 0 ? [] : [["no port has ", ...namesOf(without, " or "), ". Take it out, or have its owner license it here: ", name(permitCommand(path, without))]];
  return [{ label: "Where it belongs:", text: [...joined([...owned, ...open], "; "), "."] }];
}

function namesOf(privileges: readonly Privilege[], last = " and "): Piece[] {
  return listed(privileges.map(({ capability }) => [name(capability)]), last);
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
