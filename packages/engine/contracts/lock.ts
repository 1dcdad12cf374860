import type { EvidenceFile, EvidenceTree, Pin } from "@agentgate/rules/contracts";
import path from "node:path";
import { findRoot } from "../discovery/root.ts";
import { GateError } from "../errors.ts";
import { comparePaths } from "../paths.ts";
import { loadPolicy } from "../policy/load.ts";
import { replaceFile } from "../policy/replace-file.ts";
import { REPORT_VERSION, type ReportError } from "../report.ts";
import { type Active, activate } from "./activation.ts";
import { DiskTree } from "./disk-tree.ts";
import { isWritable, withPins } from "./lock-edit.ts";
import { incomparable, pinContext } from "./lock-gaps.ts";
import type { VerifyOptions } from "./options.ts";
import { unknownSystem } from "./systems.ts";

/** What `lockContracts` is told. */
export interface LockOptions extends Pick<VerifyOptions, "version" | "cwd" | "config" | "systems"> {
  /** Only compare. */
  readonly check: boolean;
}

/** A text that differs, or differed, from what belongs there. */
export interface LockedPin {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly key: string;
  readonly was: string;
  readonly now: string;
  /** What it is made of. */
  readonly of: string;
}

/** The JSON document of `lock`. */
export interface LockReport {
  readonly version: typeof REPORT_VERSION;
  readonly tool: { readonly name: "agentgate"; readonly version: string };
  readonly error: ReportError | null;
  /** Whether the pins were written. */
  readonly written: boolean;
  /** How many digests were looked at. */
  readonly looked: number;
  readonly pins: readonly LockedPin[];
}

/** A lock of a lock of a lock: more is a circle. */
const MOST_ROUNDS = 8;

/**
 * Writes the digests that contracts pin, or only says which differ. Writing one changes a file that another may be over,
 * so it goes on until nothing changes.
 */
export function lockContracts(options: LockOptions): LockReport {
  const report = (error: GateError | null, rest: Pick<LockReport, "pins" | "looked" | "written">): LockReport => ({
    version: REPORT_VERSION, tool: { name: "agentgate", version: options.version }, error: error?.toReport() ?? null, ...rest,
  });
  const root = findRoot(options.cwd).folder;
  const loaded = loadPolicy(root, options.config === undefined ? null : path.resolve(options.cwd, options.config));
  const problem = unknownSystem(options.systems) ?? loaded.error;
  if (problem !== null) return report(problem, { pins: [], looked: 0, written: false });
  const disk = new DiskTree(root);
  const { active, missing } = activate(disk, loaded.policy.contracts, options.systems);
  if (missing[0] !== undefined) return report(new GateError(missing[0].message, "Write the contract first; lock fills in its digests."), { pins: [], looked: 0, written: false });
  const tree = new EditedTree(disk);
  const gap = incomparable(active, disk);
  if (gap !== null) return report(gap, { pins: [], looked: 0, written: false });
  try {
    const first = differing(pinsOf(active, tree));
    const pins = options.check ? first : lockAll(active, tree);
    if (!options.check) tree.write(root);
    return report(null, { pins: pins.map(lockedPin), looked: pinsOf(active, tree).length, written: !options.check && pins.length > 0 });
  } catch (error) {
    if (error instanceof GateError) return report(error, { pins: [], looked: 0, written: false });
    throw error;
  }
}

/** Edits the texts until every pin holds; gives each pin that changed, with what it was first. */
function lockAll(active: readonly Active[], tree: EditedTree): Pin[] {
  const changed = new Map<string, Pin>();
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const pins = differing(pinsOf(active, tree));
    if (pins.length === 0) return [...changed.values()];
    for (const pin of pins) {
      const place = JSON.stringify([pin.path, pin.at.line, pin.at.column]);
      changed.set(place, { ...pin, value: changed.get(place)?.value ?? pin.value });
    }
    tree.edit(pins);
  }
  throw new GateError("The digests of these contracts are over each other, so that none can be written.", "Take one of them out of what the other is over.");
}

function pinsOf(active: readonly Active[], tree: EvidenceTree): Pin[] {
  return active.flatMap(({ path: at, system }) => system.pins?.(pinContext(at, tree)) ?? []).sort((left, right) => comparePaths(left.path, right.path) || left.at.line - right.at.line || left.at.column - right.at.column);
}

function placeOf({ at }: Pin): string {
  return `${at.line}:${at.column}`;
}

/** The first pin of each place. */
function oncePerPlace(pins: readonly Pin[]): ReadonlyMap<string, Pin> {
  return new Map(pins.toReversed().map((pin) => [placeOf(pin), pin]));
}

function differing(pins: readonly Pin[]): Pin[] {
  return pins.filter((pin) => pin.value !== pin.text);
}

function lockedPin({ at, key, of, path: file, text, value }: Pin): LockedPin {
  return { path: file, line: at.line, column: at.column, key, was: value, now: text, of };
}

/** The tree with texts that are about to be written. */
class EditedTree implements EvidenceTree {
  readonly #disk: DiskTree;
  readonly #texts = new Map<string, { readonly before: string; readonly after: string }>();

  constructor(disk: DiskTree) {
    this.#disk = disk;
  }

  read(file: string): EvidenceFile {
    const edited = this.#texts.get(file);
    return edited === undefined ? this.#disk.read(file) : { kind: "file", bytes: Buffer.from(edited.after) };
  }

  list(folder: string): readonly string[] {
    return this.#disk.list(folder);
  }

  /** @throws GateError for a pin that does not stand in its file as one word. */
  edit(pins: readonly Pin[]): void {
    for (const file of new Set(pins.map((pin) => pin.path))) {
      const read = this.read(file);
      if (read.kind !== "file") continue;
      const text = Buffer.from(read.bytes).toString("utf8");
      const own = pins.filter((pin) => pin.path === file);
      const odd = own.find((pin) => !isWritable(text, pin));
      if (odd !== undefined) throw new GateError(`${file}:${odd.at.line}: \`${odd.key}\` cannot be written: it does not stand beside its key as one value.`, `Write ${odd.key}: "" there and run the command again.`);
      const first = oncePerPlace(own);
      const other = own.find((pin) => first.get(placeOf(pin))!.text !== pin.text);
      const shared = other === undefined ? undefined : first.get(placeOf(other));
      if (shared !== undefined) throw new GateError(`${file}:${shared.at.line}: \`${shared.key}\` stands for several digests, through an alias or a merge.`, "Write each digest beside its own key and run the command again.");
      this.#texts.set(file, { before: this.#texts.get(file)?.before ?? text, after: withPins(text, [...first.values()]) });
    }
  }

  /** @throws GateError where a file cannot be written. */
  write(root: string): void {
    for (const [file, { after, before }] of this.#texts) replaceFile(path.join(root, file), before, after, file);
  }
}
