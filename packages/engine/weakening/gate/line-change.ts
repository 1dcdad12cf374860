import type { ChangedFile } from "../../change/change.ts";
import { baseText, basePathOf, headText } from "../input.ts";
import type { WeakeningInput } from "../input.ts";
import { placeOfLine, valueOf } from "../place.ts";
import { FIRST_LINE, fileWeakening } from "../record.ts";
import type { Place } from "../record.ts";
import type { Weakening } from "../weakening.ts";
import { Pipelines } from "./context.ts";
import { NAMES_GATE, formOf, readData } from "./files.ts";
import type { Form } from "./files.ts";
import { foreignSource, isForeign, manifestUnits } from "./manifest.ts";
import { dataUnits, lineUnits, scriptUnits } from "./units.ts";
import type { Unit } from "./units.ts";

/** What may be added without a word where the base named the gate already. */
type Added = "silent" | "reported" | "foreign" | "tampering";

interface Reading {
  readonly units: readonly Unit[];
  readonly added: Added;
}

/** Edits of what names the gate in configuration: lines that are gone or differ, and in some files lines that are new. */
export async function lineWeakenings({ difference }: Pick<WeakeningInput, "difference">): Promise<Weakening[]> {
  const found: Weakening[] = [];
  for (const file of difference.files) {
    const form = formOf(basePathOf(file)) ?? formOf(file.path);
    if (form === null) continue;
    const old = await baseText(difference.base, file);
    const now = formOf(file.path) === null ? null : await headText(difference.head, file);
    if (!NAMES_GATE.test(old ?? "") && !NAMES_GATE.test(now ?? "")) continue;
    if (await isToldAsWhole(difference, file, form, now)) continue;
    const asData = form === "lines" || form === "eslint" || (readData(old ?? "") !== null && readData(now ?? "") !== null);
    const read = async (side: "base" | "head", text: string | null): Promise<Reading> => unitsOf(asData ? form : "lines", text ?? "", await coveredBy(difference, file, form, side));
    found.push(...fileChanges(file, await read("base", old), await read("head", now), now ?? ""));
  }
  return found;
}

/** A workflow that ran the gate and is gone or unreadable is one finding. */
async function isToldAsWhole({ base }: WeakeningInput["difference"], file: ChangedFile, form: Form, now: string | null): Promise<boolean> {
  if (!isWorkflow(form) || file.basePath === null || readData(now) !== null) return false;
  return (await new Pipelines(base).read(file.basePath))?.jobs.some((job) => job.runs.length > 0) === true;
}

function isWorkflow(form: Form): boolean {
  return form === "github" || form === "action" || form === "gitlab";
}

async function coveredBy(difference: WeakeningInput["difference"], file: ChangedFile, form: Form, side: "base" | "head"): Promise<(text: string) => ReadonlySet<string>> {
  if (!isWorkflow(form)) return () => new Set();
  const path = side === "base" ? file.basePath : file.status === "deleted" ? null : file.path;
  const pipeline = path === null ? null : await new Pipelines(difference[side]).read(path);
  return () => new Set([...pipeline?.covered ?? []].map((value) => `${value.line}:${value.column}`));
}

function unitsOf(form: Form, text: string, coveredIn: (text: string) => ReadonlySet<string>): Reading {
  if (form === "lines") return { units: lineUnits(text), added: "silent" };
  if (form === "eslint") return { units: scriptUnits(text), added: "reported" };
  const root = readData(text);
  if (root === null) return { units: lineUnits(text), added: "silent" };
  if (form === "package") return { units: manifestUnits(root), added: "foreign" };
  if (form === "eslint-data") return { units: dataUnits(root, () => false), added: "reported" };
  const covered = coveredIn(text);
  // The names of jobs are what checks are called, not lines about the gate.
  const isJob = (path: string): boolean => (form === "github" && /^\.jobs\.[^.]+$/.test(path)) || (form === "gitlab" && /^\.[^.]+$/.test(path)) || /\.env\.[^.]+$/.test(path) || /\.variables\.[^.]+$/.test(path);
  const units = dataUnits(root, ({ line, column }) => covered.has(`${line}:${column}`), isJob);
  return { units: form === "data" ? [...units, ...hookUnits(root, units)] : units, added: form === "data" ? "silent" : "tampering" };
}

/** What a hooks file says of all its hooks, where one of them is the gate. */
function hookUnits(root: Parameters<typeof valueOf>[0], units: readonly Unit[]): Unit[] {
  if (units.length === 0) return [];
  return ["exclude", "files", "default_stages"].flatMap((key) => {
    const value = valueOf(root, key);
    return value?.kind === "scalar" ? [{ path: `.${key}`, text: String(value.value), at: { line: value.line, column: value.column, length: 1 } }] : [];
  });
}

function fileChanges(file: ChangedFile, base: Reading, head: Reading, text: string): Weakening[] {
  if (base.units.length + head.units.length > MOST_UNITS) return wholeChange(file, base, head);
  const left = [...head.units];
  const gone = base.units.filter((unit) => {
    const index = left.findIndex((other) => other.path === unit.path && other.text === unit.text);
    if (index !== -1) left.splice(index, 1);
    return index === -1;
  });
  const edits = gone.map((unit) => {
    const index = left.findIndex((other) => other.path === unit.path);
    const now = index === -1 ? undefined : left.splice(index, 1)[0];
    return now === undefined ? weakening(file, lost(unit, text), `${shown(unit)} is gone`, unit) : weakening(file, now.at, `${shown(unit)} became ${shown({ ...now, path: "" })}`, now);
  });
  const moved = base.added === "reported" && gone.length === 0 && left.length === 0 ? movedUnit(base.units, head.units) : undefined;
  const more = left.filter((unit) => isReported(unit, head.added, base.units.length > 0)).map((unit) => newUnit(file, unit, head.added));
  return [...edits, ...more, ...(moved === undefined ? [] : [weakening(file, moved.at, `${shown(moved)} moved, and the later setting wins`, moved)])];
}

/** More lines about the gate than any file has: they are compared as one. */
const MOST_UNITS = 2000;

function wholeChange(file: ChangedFile, base: Reading, head: Reading): Weakening[] {
  const shape = ({ units }: Reading): string => JSON.stringify(units.map(({ path, text }) => [path, text]));
  if (shape(base) === shape(head)) return [];
  const first = head.units[0] ?? { path: "", text: "", at: FIRST_LINE };
  return [weakening(file, first.at, `${base.units.length} lines that name it became ${head.units.length}`, { ...first, text: "all" })];
}

/** A command that writes to what it names. */
const TAMPERING = />|\b(?:rm|mv|cp|ln|chmod|sed|tee|unlink|link|uninstall|remove)\b/;

/** In ESLint's configuration the order decides. */
function movedUnit(base: readonly Unit[], head: readonly Unit[]): Unit | undefined {
  return head.find((unit, index) => {
    const before = base[index];
    return unit.text !== before?.text || unit.path !== before.path;
  });
}

function isReported(unit: Unit, added: Added, wasNamed: boolean): boolean {
  if (added === "foreign") return isForeign(unit);
  if (added === "tampering") return TAMPERING.test(unit.text);
  return added === "reported" && (wasNamed || (/\boff\b|\b0\b/.test(unit.text) && `${unit.path}${unit.text}`.includes("/")));
}

function weakening(file: ChangedFile, at: Place, what: string, unit: Unit): Weakening {
  const message = `A line about the gate is edited: ${what}. Take it back, or have an owner of ${file.path} accept it.`;
  return fileWeakening(file, { kind: "gate-line-edited", at, message, subject: `${unit.path} ${unit.text}` });
}

function newUnit(file: ChangedFile, unit: Unit, added: Added): Weakening {
  const found = weakening(file, unit.at, `${shown(unit)} is new`, unit);
  const why = added === "foreign" ? foreignSource(unit) : null;
  if (why === null) return found;
  // What a change brings along can be what the next run starts.
  const message = `${shown(unit)} is new, ${why}, and can stand in the place of the gate. Name a version of the registry, or have an owner of ${file.path} accept it.`;
  return { ...found, message };
}

function lost(unit: Unit, text: string): Place {
  return text === "" ? FIRST_LINE : placeOfLine(text, unit.at.line);
}

function shown({ path, text }: Unit): string {
  const key = path === "" ? "" : `${path.replace(/^\./, "")}: `;
  const whole = `${key}${text}`;
  return whole.length > 120 ? `${whole.slice(0, 117)}...` : whole;
}
