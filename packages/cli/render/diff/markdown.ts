import type { Comment, Row } from "./comment.ts";
import { shortened, type Piece } from "./pieces.ts";
import { printable } from "../printable.ts";

/** GitHub refuses a comment of more than 65,536 characters; some room is left for what posts it. */
const MOST_BYTES = 60_000;
const MOST_ROWS = 300;

/** Joiners and selectors, which make two names look like one. */
const INVISIBLE = /[\u200c\u200d\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0]/g;

function visible(text: string): string {
  return printable(text).replace(INVISIBLE, (character) => `\\u{${character.charCodeAt(0).toString(16).padStart(4, "0")}}`);
}

/**
 * A name as a code span, in which Markdown, mentions, references to issues, addresses and HTML mean nothing: with more
 * backticks around it than it holds in a row, and no bar where a table would end its cell there.
 */
export function codeSpan(text: string, inTable = false): string {
  const shown = visible(shortened(text === "" ? "(no name)" : text)).replaceAll("|", inTable ? "\\x7c" : "|");
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const padded = /^`|`$|^ .*[^ ].* $/.test(shown) ? ` ${shown} ` : shown;
  return fence + padded + fence;
}

function inline(pieces: readonly Piece[], inTable: boolean): string {
  return pieces.map((piece) => {
    if (typeof piece === "string") return piece;
    return "strong" in piece ? `**${piece.strong}**` : codeSpan(piece.name, inTable);
  }).join("");
}

/** The comment in GitHub's Markdown, never longer than a comment may be. */
export function renderMarkdown(comment: Comment): string {
  const blocks = comment.blocks.map((facts) => facts.map(({ label, text }) => `**${label}** ${inline(text, false)}`).join("\n"));
  const more = comment.more.length === 0 ? [] : [inline(comment.more, false)];
  const foot = inline(comment.foot, false);
  const used = Buffer.byteLength([...blocks, ...more, foot].join("\n\n"));
  return `${[...blocks, ...more, ...table(comment.rows, MOST_BYTES - used), foot].join("\n\n")}\n`;
}

function table(rows: readonly Row[], room: number): string[] {
  if (rows.length === 0) return [];
  const lines = ["| module | gained | lost |", "| --- | --- | --- |"];
  let left = room - 200;
  for (const { gained, lost, path } of rows.slice(0, MOST_ROWS)) {
    const line = `| ${[path, gained, lost].map((cell) => inline(cell, true)).join(" | ")} |`;
    left -= Buffer.byteLength(line) + 1;
    if (left < 0) break;
    lines.push(line);
  }
  const rest = rows.length - (lines.length - 2);
  return rest === 0 ? [lines.join("\n")] : [lines.join("\n"), `And ${rest} more ${rest === 1 ? "module" : "modules"}: agentgate diff with --format json lists all.`];
}
