import { Lines } from "@agentgate/parsers/contract";
import { type ContractContext, type Diagnostic, diagnostic, other } from "../contract.ts";
import { type Evidence, type EvidenceRule, type Found, evidence } from "../evidence.ts";
import type { Given, Spot } from "../fields.ts";
import { tidy } from "../shared/paths.ts";
import { shown } from "../shared/values.ts";
import { changesOf, coveredBy } from "./losses.ts";
import type { Manifest, Migration } from "./manifest.ts";
import { type Script, type Target, readSql } from "./sql.ts";

/** The two ways of a migration: two files, and a reverse that does something and keeps what it did not make. */
export function checkMigration({ migration }: Manifest, context: ContractContext): Diagnostic[] {
  if (migration === undefined || typeof migration.value === "string") return [];
  const { forward, reverse } = migration.value;
  const there = readable(forward, context);
  const back = readable(reverse, context);
  return [...there.found, ...back.found, ...same(migration.value), ...(isSame(migration.value) || back.value === null ? [] : checkReverse(back.value, there.value))];
}

/** Nobody reviews a longer one. */
const MOST_BYTES = 4 * 1_048_576;

function readable(named: Given<string> | undefined, context: ContractContext): Found<Evidence, EvidenceRule> {
  const read = evidence(context, named);
  if (named === undefined || read.value === null || read.value.bytes.length <= MOST_BYTES) return read;
  const message = `${shown(named.value)} has more than ${MOST_BYTES} bytes, which nobody reviews. Move its data into files of their own.`;
  return { value: null, found: [...read.found, diagnostic("evidence", named, message)] };
}

function isSame({ forward, reverse }: Migration): boolean {
  return forward !== undefined && reverse !== undefined && tidy(forward.value) === tidy(reverse.value);
}

function same(migration: Migration): Diagnostic<"migration-same">[] {
  const { forward, reverse } = migration;
  if (forward === undefined || reverse === undefined || !isSame(migration)) return [];
  return [diagnostic("migration-same", reverse, "The reverse is the migration itself, which takes nothing back. Write the way back into a file of its own.", [other(forward, "the same file")])];
}

function checkReverse(reverse: Evidence, forward: Evidence | null): Diagnostic<"reverse-empty" | "reverse-loses-data">[] {
  const script = scriptOf(reverse);
  if (script.statements.length === 0) return [diagnostic("reverse-empty", reverse, "The reverse has no statement: what a comment asks for, nobody runs at night. Write the statements that take the migration back.")];
  if (script.comments.some((comment) => comment.toLowerCase().includes("expand/contract"))) return [];
  if (forward === null) return [];
  const isMade = coveredBy(changesOf(scriptOf(forward).statements).created);
  const lines = new Lines(textOf(reverse));
  return changesOf(script.statements).lost.filter((lost) => !isMade(lost)).map((lost) => {
    const spot: Spot = { path: reverse.path, at: lines.place(lost.offset, lost.offset + 1), key: "lost", value: nameOf(lost) };
    const message = `This loses ${shown(nameOf(lost))}, which the migration did not make: its data is gone after a rollback. Keep it, or say expand/contract in a comment where it was emptied before.`;
    return diagnostic("reverse-loses-data", spot, message, [other(forward, "the migration")]);
  });
}

function nameOf({ column, table }: Target): string {
  return column === null ? table : `${table}.${column}`;
}

function textOf({ bytes, text }: Evidence): string {
  return text ?? Buffer.from(bytes).toString("latin1");
}

/** Of a program, the SQL in its strings counts; quotes and remarks give way to blanks, so that offsets stay. */
function scriptOf(file: Evidence): Script {
  const text = textOf(file);
  if (!/\.(?:py|[cm]?[jt]s|rb)$/.test(file.path)) return readSql(text);
  const comments: string[] = [];
  const code = text.replaceAll(/^[ \t]*(?:#|\/\/)[^\n]*/gm, (comment) => {
    comments.push(comment);
    return " ".repeat(comment.length);
  });
  const { comments: further, statements } = readSql(code.replaceAll(/["'`]/g, " "));
  return { statements, comments: [...comments, ...further] };
}
