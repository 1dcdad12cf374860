import { type ContractSystem, type Diagnostic, diagnostic, other } from "../contract.ts";
import { repeats } from "../shared/repeats.ts";
import { isBlank, isOwner, isPlaceholder, shown } from "../shared/values.ts";
import { type Column, COLUMNS, type Entry, type Surface, readInventory } from "./inventory.ts";
import { type Mention, hasWord, mentioned } from "./words.ts";

export const sidefx: ContractSystem = {
  id: "sidefx",
  purpose: "Every write that a change can perform is named, with owner, dry run, stable key and abort.",
  place: "SIDEFX.md",
  alsoRead: [],
  generic: ["syntax", "type", "owner", "missing"],
  documents: [],
  rules: {
    table: { summary: "The file has no table with the inventory's header, or a second one." },
    cell: { summary: "A cell is blank or a placeholder, or the row has too few or too many." },
    duplicate: { summary: "A surface is named twice." },
    "no-dry-run": { summary: "The cell says that there is no dry run." },
    "unstable-key": { summary: "The idempotency key is made of chance, of the clock or of the attempt." },
    "soft-abort": { summary: "The abort goes on, hides the failure or tries again." },
    empty: { summary: "The table has no row, although there are writes.", needs: "code" },
    "unowned-write": { summary: "A write that no row owns.", needs: "code" },
    "gate-surface": { summary: "A gate names a surface that no row has.", needs: "code" },
    "gate-owner": { summary: "A gate's owner is blank or not the row's.", needs: "code" },
    "gate-key": { summary: "A gate's key is blank, or made of chance or the clock.", needs: "code" },
    "raw-beside-wrapper": { summary: "A file that uses the wrapper calls the raw client beside it.", needs: "code" },
    "prod-default": { summary: "A production address is the default of a client that writes.", needs: "code" },
    "stale-row": { summary: "A row that no write uses.", severity: "warning", needs: "code" },
    "no-audit": { summary: "The wrapper writes no line with actor, surface, key and outcome.", severity: "warning", needs: "code" },
  },
  check: (context) => {
    const { found, value: rows } = readInventory(context);
    return [...found, ...(rows ?? []).flatMap(checkRow), ...duplicates(rows ?? [])];
  },
};

function checkRow(row: Surface): Diagnostic[] {
  return COLUMNS.flatMap((column) => {
    const entry = row.cells.get(column);
    if (entry === undefined) return [];
    if (isBlank(entry.value) || isPlaceholder(entry.value)) {
      return [diagnostic("cell", entry, `${column} ${isBlank(entry.value) ? "is blank" : `only holds the place of a value (${entry.value})`}, and each write owes all six. Fill the cell in.`)];
    }
    return CHECKS[column](entry, row);
  });
}

const CHECKS: Readonly<Record<Column, (entry: Entry, row: Surface) => Diagnostic[]>> = {
  Surface: (entry, { isNamed }) => (isNamed && NAME.test(entry.value) ? [] : [diagnostic("type", entry, `The surface is ${shown(entry.value)}, which no call can be compared with. Write one name in backticks, as \`orders.capture\`.`)]),
  Direction: () => [],
  Owner: (entry) => (isOwner(entry.value) ? [] : [diagnostic("owner", entry, `${shown(entry.value)} is no person or team, so nobody answers for the write. Name who does.`)]),
  "Dry-run": dryRun,
  Idempotency: stableKey,
  Abort: abort,
};

/** A dotted name, its arguments behind it: `orders.capture`, `jobs.enqueue(invoice)`. */
const NAME = /^[\p{L}_$][\p{L}\p{N}_$-]*(?:\.[\p{L}_$][\p{L}\p{N}_$-]*)*(?:\([^()`]*\))?$/u;

const REFUSAL = /^[*_"'\s]*(?:no|none|never|manual|manually)(?![\p{L}\p{N}_-])/iu;
const NO_DRY_RUN: readonly Mention[] = [["not", "possible"], ["impossible"]];

function dryRun(entry: Entry): Diagnostic[] {
  const refused = REFUSAL.test(entry.value) || mentioned(entry.value, NO_DRY_RUN) !== null || /\bno dry[ -]?run/i.test(entry.value);
  if (!refused) return [];
  return [diagnostic("no-dry-run", entry, `The cell says ${shown(entry.value)}: the first time that this write is tried is in earnest. Build a dry run and say how it is called.`)];
}

/** In no other word. */
const UNSTABLE = /uuid|random|nano[-_ ]?id|timestamp|attempt/i;
const CLOCK = ["now", "utcnow"];

function stableKey(entry: Entry): Diagnostic[] {
  const hit = UNSTABLE.exec(entry.value)?.[0].toLowerCase() ?? CLOCK.find((word) => hasWord(entry.value, word)) ?? null;
  if (hit === null) return [];
  return [diagnostic("unstable-key", entry, `The key mentions ${hit}: each try has another key, and the write happens twice. Make the key from what is written, an order's id for example.`)];
}

const SOFT: readonly Mention[] = [
  ["continu"], ["ignor"], ["swallow"], ["best", "effort"], ["log", "only"], ["logs", "only"], ["only", "log"], ["retry"], ["retries"], ["retried"], ["re", "try"], ["fallback"], ["fall", "back"], ["falls", "back"],
];

function abort(entry: Entry): Diagnostic[] {
  const hit = mentioned(entry.value, SOFT);
  if (hit === null) return [];
  return [diagnostic("soft-abort", entry, `The abort mentions ${hit}: a write that fails half-way goes on instead of stopping. Say what stops it and who is told.`)];
}

function duplicates(rows: readonly Surface[]): Diagnostic[] {
  const named = rows.flatMap(({ cells, isNamed }) => {
    const entry = cells.get("Surface");
    return entry === undefined || !isNamed || isPlaceholder(entry.value) ? [] : [entry];
  });
  return repeats(named, ({ value }) => value).map(([entry, before]) =>
    diagnostic("duplicate", entry, `${shown(entry.value)} is named twice, so that two owners and two aborts hold for one write. Keep one row.`, [other(before, "named first here")]));
}
