import { dialectOf, moduleKindOf, parseEcmascript, parsePython } from "@agentgate/parsers";
import type { ModuleFacts } from "@agentgate/parsers";
import type { Source } from "./edits.ts";
import { addComments, reformat } from "./layout.ts";
import { reorderIndependent } from "./order.ts";
import { renameLocals } from "./rename.ts";
import { wrapInFunction } from "./wrap.ts";

/** A change of a source that means the same; null where it cannot be made. */
export interface Transform {
  readonly name: string;
  readonly of: (source: Source) => string | null;
}

export function transformsOf(conventional: ReadonlySet<string>): readonly Transform[] {
  return [
    { name: "renaming locals", of: (source) => renameLocals(source, conventional) },
    { name: "adding comments", of: addComments },
    { name: "reformatting", of: reformat },
    { name: "reordering independent statements", of: reorderIndependent },
    { name: "wrapping in a function", of: wrapInFunction },
  ];
}

export function isSource(path: string): boolean {
  return /\.(?:py|[cm]?[jt]s|[jt]sx)$/.test(path);
}

export function factsOf(path: string, text: string): ModuleFacts {
  if (path.endsWith(".py")) return parsePython(text);
  const moduleKind = moduleKindOf(path);
  return parseEcmascript(text, { dialect: dialectOf(path), ...(moduleKind !== undefined && { moduleKind }) });
}

/** The source in its other shape, or null where there is none that parses as well as it does itself. */
export function transformed(transform: Transform, path: string, text: string): string | null {
  const facts = factsOf(path, text);
  const other = transform.of({ path, text, facts });
  if (other === null) return null;
  return factsOf(path, other).problems.length > facts.problems.length ? null : other;
}
