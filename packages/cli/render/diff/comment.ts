import type { DiffReport, DiffRun, ModuleDifference } from "@agentgate/engine";
import { ableTo } from "@agentgate/rules";
import { shownRef } from "../message.ts";
import { factsOf, privilegedModules, unjudgedCapabilities, useOf, type Fact } from "./privileges.ts";
import { fewOf, listed, name, type Piece } from "./pieces.ts";

/** A module in the table of gains and losses. */
export interface Row {
  readonly path: readonly Piece[];
  readonly gained: readonly Piece[];
  readonly lost: readonly Piece[];
}

/** The review comment, before it is written as Markdown or HTML. */
export interface Comment {
  /** One list of facts for each module with a new privilege, or the one fact that there is none. */
  readonly blocks: readonly (readonly Fact[])[];
  /** Said after the blocks where there are more of them. */
  readonly more: readonly Piece[];
  readonly rows: readonly Row[];
  /** What was compared, by what. */
  readonly foot: readonly Piece[];
}

const BLOCKS = 5;
const FILES = 8;
const USES = 8;

/** What a reviewer reads first: what the change newly can do, module by module, then everything as a table. */
export function commentOf(report: DiffReport, run: DiffRun): Comment {
  const privileged = privilegedModules(report, run);
  const blocks = privileged.slice(0, BLOCKS).map((module) => factsOf(module, run));
  const rest = privileged.length - blocks.length;
  return {
    blocks: [...failureOf(report), ...unjudgedOf(run), ...(blocks.length > 0 ? blocks : nothingGained(report, run))],
    more: rest === 0 ? [] : [`And ${rest} more ${rest === 1 ? "module with a new privilege" : "modules with new privileges"}, in the table.`],
    rows: report.modules.map(rowOf),
    foot: footOf(report),
  };
}

function failureOf({ base, error }: DiffReport): Fact[][] {
  if (error === null) return [];
  return [[{ label: base === null ? "Could not compare:" : "Not everything could be compared:", text: [name(error.message)] }, { label: "What to do:", text: [name(error.hint)] }]];
}

/** Files of which nothing can be told: `check` says of each why. */
function unjudgedOf({ unjudged }: DiffRun): Fact[][] {
  const paths = [...new Set(unjudged.map(({ path }) => path))];
  if (paths.length === 0) return [];
  return [[{ label: "Not judged:", text: [...fewOf(paths, FILES, (path) => [name(path)]), ". What cannot be read here can do anything; agentgate check says why and what to do."] }]];
}

function nothingGained(report: DiffReport, run: DiffRun): Fact[][] {
  const { error, modules } = report;
  const { unjudged } = run;
  if (error !== null && modules.length === 0) return [];
  const quiet = unjudgedCapabilities(report, run);
  if (quiet.length > 0) return [[{ label: "No new privilege.", text: ["Modules newly ", ...listed(quiet.map((capability) => [ableTo(capability)])), ", which is judged under strict only."] }]];
  const further = modules.some(({ gained, moved }) => gained.length + moved.length > 0);
  const text = further ? "Modules have further ways to what they could do before; no module can do anything new." : unjudged.length > 0 ? "No module that could be read can do anything that it could not do before." : "No module can do anything that it could not do before.";
  return [[{ label: "No new privilege.", text: [text] }]];
}

function rowOf({ gained, lost, moved, path }: ModuleDifference): Row {
  return { path: [name(path)], gained: fewOf([...gained, ...moved], USES, useOf), lost: fewOf(lost, USES, useOf) };
}

function footOf({ base, tool }: DiffReport): Piece[] {
  const against = base === null ? [] : [" against ", name(shownRef(base.ref)), " (merge base ", name(shownRef(base.mergeBase)), ")"];
  return ["Compared", ...against, ` by ${tool.name} ${tool.version}.`];
}
