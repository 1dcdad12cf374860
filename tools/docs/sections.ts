/** A generated part of a page that is otherwise written by hand: it stands between two comment lines. */
export interface Section {
  readonly name: string;
  readonly body: string;
  /** Where it goes in a page that does not have it yet. */
  readonly place: "top" | "end";
}

function markers(name: string): { begin: string; end: string } {
  return { begin: `<!-- generated: ${name} -->`, end: `<!-- end of ${name} -->` };
}

/** The page with each section's text brought up to date; a section that is not there yet is put in its place. */
export function withSections(page: string, sections: readonly Section[]): string {
  return sections.reduce(withSection, page);
}

function withSection(page: string, section: Section): string {
  const { begin, end } = markers(section.name);
  const block = `${begin}\n\n${section.body.trim()}\n\n${end}`;
  const from = page.indexOf(begin);
  const to = page.indexOf(end, from);
  if (from !== -1 && to !== -1) return `${page.slice(0, from)}${block}${page.slice(to + end.length)}`;
  const body = page.trim();
  return section.place === "top" ? `${block}\n\n${body}\n` : `${body}\n\n${block}\n`;
}

/** A Markdown table; `|` inside a cell is escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
