import { SPREAD } from "./entities.ts";
import type { Entity, ReachClass, ReachImport, ReachSummary } from "./record.ts";

/** A summary made ready for looking names up. */
export class ReachModule {
  readonly path: string;
  readonly summary: ReachSummary;
  private readonly exports: ReadonlyMap<string, readonly Entity[]>;
  private readonly members: (Map<string, readonly Entity[]> | undefined)[] = [];
  private imports: ReadonlyMap<number, readonly ReachImport[]> | undefined;
  private readonly keys: (ReadonlyMap<string, readonly Entity[]> | undefined)[] = [];

  constructor(path: string, summary: ReachSummary) {
    this.path = path;
    this.summary = summary;
    this.exports = new Map(summary.exports);
  }

  exported(name: string): readonly Entity[] | undefined {
    return this.exports.get(name);
  }

  get exportsAnything(): boolean {
    return this.exports.size > 0;
  }

  /** The imports that a function runs; those of the body are number 0's. */
  importsOf(id: number): readonly ReachImport[] {
    if (this.imports === undefined) {
      const byFunction = new Map<number, ReachImport[]>();
      for (const entry of this.summary.imports) {
        const list = byFunction.get(entry.function);
        if (list === undefined) byFunction.set(entry.function, [entry]);
        else list.push(entry);
      }
      this.imports = byFunction;
    }
    return this.imports.get(id) ?? [];
  }

  /** What a class of the module has itself under a name; empty where its bases are to be asked. */
  member(id: number, name: string): readonly Entity[] {
    let members = this.members[id];
    if (members === undefined) this.members[id] = members = membersOf(this.summary.classes[id]);
    return members.get(name) ?? NONE;
  }

  /** What a table of the module has under a key, and what is spread into it. */
  entry(id: number, name: string): { readonly values: readonly Entity[]; readonly spread: readonly Entity[] } {
    let keys = this.keys[id];
    if (keys === undefined) this.keys[id] = keys = grouped(this.summary.tables[id] ?? []);
    return { values: keys.get(name) ?? NONE, spread: keys.get(SPREAD) ?? NONE };
  }
}

const NONE: readonly Entity[] = [];

function membersOf(subject: ReachClass | undefined): Map<string, readonly Entity[]> {
  if (subject === undefined) return new Map();
  const methods = subject.methods.map(([name, ids]) => [name, ids.map((id): Entity => ["function", id])] as const);
  return grouped([...methods, ...subject.attributes]);
}

function grouped(entries: readonly (readonly [string, readonly Entity[]])[]): Map<string, readonly Entity[]> {
  const groups = new Map<string, Entity[]>();
  for (const [name, values] of entries) {
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [...values]);
    else group.push(...values);
  }
  return groups;
}
