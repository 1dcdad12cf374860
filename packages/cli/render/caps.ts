import type { CapsReport } from "@agentgate/engine";
import type { Look } from "../terminal.ts";
import { escapeHtml, htmlPage } from "./html.ts";
import { counted } from "./message.ts";
import { printable } from "./printable.ts";
import { padTo, widthOf, wrap } from "./width.ts";

type Use = CapsReport["modules"][number]["capabilities"][number];

const PLACES = 10;

/** What modules can do: a table for each module on a terminal, one line a capability and API elsewhere. */
export function renderCaps(report: CapsReport, look: Look, all: boolean): string {
  const { columns } = look;
  const lines = report.modules.flatMap(({ capabilities, path }) =>
    columns === null ? capabilities.map((use) => lineOfUse(path, use, all)) : [look.paint.path(printable(path)), ...table(capabilities, columns, all), ""],
  );
  return `${[...lines, summaryOfCaps(report)].join("\n")}\n`;
}

/** The same as one page by itself, with every place. */
export function renderCapsHtml(report: CapsReport): string {
  const row = (path: string, use: Use): string =>
    `<tr><td><code>${escapeHtml(path)}</code></td><td>${escapeHtml(use.capability)}</td><td><code>${escapeHtml(use.api)}</code></td><td>${placesOf(use, true).join(", ")}</td></tr>`;
  const rows = report.modules.flatMap(({ capabilities, path }) => capabilities.map((use) => row(path, use)));
  const table = ["<table>", "<thead><tr><th>module</th><th>capability</th><th>API</th><th>where</th></tr></thead>", "<tbody>", ...rows, "</tbody>", "</table>"];
  const failed = report.error === null ? [] : [`<p><strong>Not everything could be judged:</strong> <code>${escapeHtml(report.error.message)}</code></p>`];
  return htmlPage("agentgate caps", [...failed, ...(rows.length === 0 ? [] : table), `<footer>${escapeHtml(summaryOfCaps(report))}</footer>`].join("\n"));
}

/** The last line of the table. */
export function summaryOfCaps({ modules }: CapsReport): string {
  if (modules.length === 0) return "no module with a capability";
  const capabilities = new Set(modules.flatMap((module) => module.capabilities.map((use) => use.capability)));
  return `${counted(modules.length, "module")} with a capability · ${[...capabilities].sort().map(printable).join(", ")}`;
}

function placesOf({ sites }: Use, all: boolean): string[] {
  const shown = (all ? sites : sites.slice(0, PLACES)).map((site) => `${site.line}:${site.column}`);
  return sites.length > shown.length ? [...shown, `and ${sites.length - shown.length} more`] : shown;
}

function lineOfUse(path: string, use: Use, all: boolean): string {
  const [first = "1:1", ...others] = placesOf(use, all);
  const also = others.length === 0 ? "" : ` (also ${others.join(", ")})`;
  return `${printable(path)}:${first}: ${use.capability} ${printable(use.api)}${also}`;
}

function table(uses: readonly Use[], columns: number, all: boolean): string[] {
  const names = uses.map((use) => printable(use.api));
  const first = Math.max(...uses.map((use) => use.capability.length)) + 2;
  const second = Math.min(Math.max(...names.map(widthOf)) + 2, Math.floor(columns / 2));
  return uses.flatMap((use, index) => {
    const room = Math.max(12, columns - 2 - first - second);
    const [places = "", ...more] = wrap(placesOf(use, all).join(", "), room);
    const indent = " ".repeat(2 + first + second);
    return [`  ${padTo(use.capability, first)}${padTo(`${names[index]!} `, second)}${places}`, ...more.map((line) => indent + line)];
  });
}
