import type { RuleMeta } from "@agentgate/rules";
import type { Document } from "./documents.ts";
import { editorMetas } from "./editor-rules.ts";
import { withSections } from "./sections.ts";

/** Sections of a rule's page that stand in the README, where findings link to: what is left out is for those who write rules. */
const TAKEN = ["What is reported", "Why it matters", "Wrong", "Right"];

/** The README of the ESLint plugin with a part for each rule, from the rules' own pages. `page` gives the text of one. */
export function editorReadme(readme: string, page: (id: string) => string): Document {
  const parts = editorMetas().map((meta) => part(meta, page(meta.id)));
  const body = ["## Rules", "", ...parts].join("\n");
  return { path: "packages/eslint-plugin/README.md", text: withSections(readme, [{ name: "rules", body, place: "end" }]) };
}

function part({ id, severity, summary, suppressible }: RuleMeta, page: string): string {
  const silenced = suppressible ? `\`agentgate: allow ${id} -- reason, owner\` silences it.` : "Nothing silences it.";
  const sections = sectionsOf(page).filter(({ heading }) => TAKEN.some((taken) => heading.startsWith(taken)));
  return [`### ${id}`, "", `${summary} By default ${severity === "error" ? "an error" : "a warning"}. ${silenced}`, "", ...sections.flatMap(({ heading, body }) => [`**${heading}**`, "", withOwnLinks(body), ""])].join("\n");
}

/** The parts below second-level headings; what looks like one in an example is text. */
function sectionsOf(page: string): { readonly heading: string; readonly body: string }[] {
  const text = page.replaceAll(/<!--[^>]*-->\n?/g, "");
  return text.split(/^## (?=[A-Z])/m).slice(1).map((section) => ({ heading: section.slice(0, section.indexOf("\n")), body: section.slice(section.indexOf("\n")).trim() }));
}

/** Pages of other rules are parts of the README; what lies elsewhere in the repository is not there where it is read. */
function withOwnLinks(text: string): string {
  const rules = new Set(editorMetas().map(({ id }) => id));
  return text.replaceAll(/\[([^\]\n]+)\]\((?!https?:)([^)\s]+)\)/g, (_, shown: string, target: string) => {
    const id = /^(?:\.\/)?([\w-]+)\.md/.exec(target)?.[1] ?? "";
    return rules.has(id) ? `[${shown}](#${id})` : shown;
  });
}
