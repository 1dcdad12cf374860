import { definitionsOf, referencesOf } from "@agentgate/parsers";
import type { ModuleFacts, Reference, ValueId } from "@agentgate/parsers";
import type { Entity, ReachReference, ReachSummary } from "./record.ts";

/** Tables of one file that are told; a hostile file may nest more. */
const MOST_TABLES = 2000;
const MOST_ENTRIES = 500;

/** Numbers what a file's values can be, each reference and table once. */
export class Entities {
  readonly references: ReachReference[] = [];
  private readonly facts: ModuleFacts;
  private readonly known = new Map<string, number>();
  private readonly tableIds = new Map<ValueId, number>();
  private readonly waiting: ValueId[] = [];

  constructor(facts: ModuleFacts) {
    this.facts = facts;
  }

  /** Everything that an expression can be. */
  of(value: ValueId): Entity[] {
    const entities: Entity[] = [];
    for (const { kind, id } of definitionsOf(this.facts, value)) {
      const number = kind === "table" ? this.table(id) : id;
      if (number >= 0) entities.push([kind, number]);
    }
    for (const reference of referencesOf(this.facts, value)) entities.push(["reference", this.reference(reference)]);
    return entities;
  }

  reference({ module, path, instance, computed, through }: Reference): number {
    const key = JSON.stringify([module, path, instance === true, computed === true, through ?? ""]);
    let number = this.known.get(key);
    if (number === undefined) {
      number = this.references.push({
        module, path, ...(instance === true ? { instance } : {}), ...(computed === true ? { computed } : {}), ...(through === undefined ? {} : { through }),
      }) - 1;
      this.known.set(key, number);
    }
    return number;
  }

  /** The tables that were met, with those inside them. */
  tables(): ReachSummary["tables"] {
    const tables: (readonly (readonly [string, readonly Entity[]])[])[] = [];
    // What is in a table may be a table again: the list grows while it is worked off.
    for (const id of this.waiting) tables.push(this.entries(id));
    return tables;
  }

  private table(id: ValueId): number {
    const known = this.tableIds.get(id);
    if (known !== undefined) return known;
    if (this.waiting.length >= MOST_TABLES) return -1;
    const number = this.waiting.push(id) - 1;
    this.tableIds.set(id, number);
    return number;
  }

  private entries(id: ValueId): (readonly [string, readonly Entity[]])[] {
    const table = this.facts.values[id];
    if (table?.kind !== "table") return [];
    const entries: (readonly [string, readonly Entity[]])[] = [];
    for (const { key, value } of table.entries.slice(0, MOST_ENTRIES)) {
      const written = key === null ? undefined : this.facts.values[key];
      const name = key === null ? SPREAD : written?.kind === "string" ? written.value : null;
      const values = name === null ? [] : this.of(value);
      if (name !== null && values.length > 0) entries.push([name, values]);
    }
    return entries;
  }
}

/** Key of what is spread into a table: its own members are the table's. No written key has a NUL alone. */
export const SPREAD = "\0";
