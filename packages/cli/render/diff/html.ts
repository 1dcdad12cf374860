import type { Comment, Row } from "./comment.ts";
import type { Piece } from "./pieces.ts";
import { escapeHtml, htmlPage } from "../html.ts";

function inline(pieces: readonly Piece[]): string {
  return pieces.map((piece) => {
    if (typeof piece === "string") return escapeHtml(piece);
    return "strong" in piece ? `<strong>${escapeHtml(piece.strong)}</strong>` : `<code>${escapeHtml(piece.name)}</code>`;
  }).join("");
}

/** The comment as one page by itself, with every row of the table. */
export function renderDiffHtml(comment: Comment): string {
  const blocks = comment.blocks.map((facts) => `<p>${facts.map(({ label, text }) => `<strong>${escapeHtml(label)}</strong> ${inline(text)}`).join("<br>\n")}</p>`);
  const more = comment.more.length === 0 ? [] : [`<p>${inline(comment.more)}</p>`];
  return htmlPage("agentgate diff", [...blocks, ...more, ...table(comment.rows), `<footer>${inline(comment.foot)}</footer>`].join("\n"));
}

function table(rows: readonly Row[]): string[] {
  if (rows.length === 0) return [];
  const lines = rows.map(({ gained, lost, path }) => `<tr>${[path, gained, lost].map((cell) => `<td>${inline(cell)}</td>`).join("")}</tr>`);
  return ["<table>", "<thead><tr><th>module</th><th>gained</th><th>lost</th></tr></thead>", "<tbody>", ...lines, "</tbody>", "</table>"];
}
