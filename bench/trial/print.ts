import { readFileSync } from "node:fs";
import path from "node:path";
import type { Judged } from "./judged.ts";
import type { Drawn } from "./sample.ts";

/** Lines of source before and after a drawn finding. */
const AROUND = 6;
/** A generated line is no reading. */
const LONGEST = 200;

/** One line a package and rule: findings, lines, findings per 1,000 lines; the sums last. */
export function table(judged: readonly Judged[], rules: readonly string[]): string[] {
  const rows = judged.flatMap((one) => rules.map((rule) => row(one.name, rule, countOf(one, rule), one.lines)));
  const lines = judged.reduce((sum, one) => sum + one.lines, 0);
  const sums = rules.map((rule) => row("all", rule, judged.reduce((sum, one) => sum + countOf(one, rule), 0), lines));
  return [row("package", "rule", "findings", "lines"), ...rows, ...sums];
}

function countOf(judged: Judged, rule: string): number {
  return judged.findings.filter((finding) => finding.rule === rule).length;
}

function row(name: string, rule: string, findings: number | string, lines: number | string): string {
  const rate = typeof findings === "number" && typeof lines === "number" ? ((findings * 1000) / Math.max(lines, 1)).toFixed(3) : "per 1,000";
  return [plain(name).padEnd(36), rule.padEnd(26), String(findings).padStart(8), String(lines).padStart(9), rate.padStart(10)].join(" ");
}

/** A drawn finding with the source around it, for reading. */
export function shown({ judged, finding }: Drawn, number: number): string[] {
  const { line, column } = finding.start;
  const head = `${number}. ${judged.name} ${finding.path}:${line}:${column} ${finding.severity} ${finding.rule}`;
  const source = readFileSync(path.join(judged.folder, finding.path), "utf8").split(/\r\n|\r|\n/);
  const first = Math.max(1, line - AROUND);
  const around = source.slice(first - 1, line + AROUND).map((text, index) => {
    const mark = first + index === line ? ">" : " ";
    return `${mark} ${String(first + index).padStart(6)} | ${text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}`;
  });
  return ["", head, `   ${finding.message}`, ...around].map(plain);
}

/** What is judged is hostile: none of its control characters reaches a terminal, tabs aside. */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, (character) => (character === "\t" ? character : "\uFFFD"));
}
