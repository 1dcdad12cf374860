import { overall, share, type Share, type Verdict } from "./score.ts";

/** One tool's row. */
export interface Row {
  readonly name: string;
  readonly verdicts: readonly Verdict[];
  readonly seconds: number;
}

/** A rule a line, a tool a column: recall and silence, `–` where the tool has no check. */
export function markdownTable(rows: readonly Row[]): string[] {
  const rules = [...new Set(rows.flatMap(({ verdicts }) => verdicts.map(({ task }) => task.rule)))].sort();
  const line = (title: string, cell: (row: Row) => string): string => `| ${[title, ...rows.map(cell)].join(" | ")} |`;
  return [
    line("recall · silence", ({ name }) => name),
    line("---", () => "---"),
    ...rules.map((rule) => line(rule, ({ verdicts }) => both(share(verdicts, "true", rule), share(verdicts, "look-alike", rule)))),
    line("of what it has a check for", ({ verdicts }) => both(share(verdicts, "true"), share(verdicts, "look-alike"))),
    line("of all", ({ verdicts }) => both(overall(verdicts, "true"), overall(verdicts, "look-alike"))),
    line("of all, in per cent", ({ verdicts }) => `${percent(overall(verdicts, "true"))}/${percent(overall(verdicts, "look-alike"))}`),
    line("seconds", ({ seconds }) => seconds.toFixed(1)),
  ];
}

function both(recall: Share | null, silence: Share | null): string {
  return recall === null && silence === null ? "–" : `${fraction(recall)} · ${fraction(silence)}`;
}

function fraction(share: Share | null): string {
  return share === null ? "–" : `${share.good}/${share.all}`;
}

function percent({ good, all }: Share): string {
  return Math.round((100 * good) / Math.max(1, all)).toString();
}

/**
 * What other tools do better than the first: techniques that they find and it misses, look-alikes on which it speaks and
 * they do not. A tool that finds nothing of a rule is silent in its look-alikes for no merit.
 */
export function ahead([ours, ...others]: readonly Row[]): string[] {
  return (ours?.verdicts ?? []).filter(({ good }) => good !== true).flatMap(({ task }) => {
    const able = others.filter(({ verdicts }) => (share(verdicts, "true", task.rule)?.good ?? 0) > 0);
    const better = able.filter(({ verdicts }) => verdicts.some((verdict) => verdict.task.technique === task.technique && verdict.good === true));
    const did = task.kind === "true" ? "found by" : "silent in";
    return better.length === 0 ? [] : [`- ${task.technique} (${task.rule}): ${did} ${better.map(({ name }) => name).join(", ")}`];
  });
}

const TABLES = /(<!-- tables -->\n)[^]*?(<!-- end of tables -->)/;

/** The page with these tables in the place of the last run's. */
export function withTables(page: string, tables: readonly string[]): string {
  if (!TABLES.test(page)) throw new Error("the page has no place for the tables");
  return page.replace(TABLES, (_, before: string, after: string) => `${before}\n${tables.join("\n\n")}\n\n${after}`);
}
