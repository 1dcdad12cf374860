/** The files that a page shows under one heading, as a tree that can be judged. */
export interface Example {
  readonly heading: "Wrong" | "Right";
  readonly files: readonly { readonly path: string; readonly text: string }[];
}

const FENCE = /^```([a-z]+)\n([\s\S]*?)^```$/gm;
const ENDINGS: Readonly<Record<string, string>> = { python: "py", ts: "ts", tsx: "tsx", js: "js", typescript: "ts", javascript: "js" };
/** A first line that says where the file lies: `# src/adapters/ledger.py`. */
const PLACE = /^(?:#|\/\/) ([\w./-]+\.[a-z]+)\s*$/m;

/**
 * The examples of a page: each code block is a file, named by its first line or else `wrong-1.py`; a YAML block is the
 * tree's policy. Blocks in other languages are prose.
 */
export function examplesOf(page: string): Example[] {
  return (["Wrong", "Right"] as const).map((heading) => {
    const blocks = [...sectionOf(page, heading).matchAll(FENCE)];
    const files = blocks.flatMap(([, language, text], index) => {
      const path = pathOf(language!, text!, `${heading.toLowerCase()}-${index + 1}`);
      return path === null ? [] : [{ path, text: text! }];
    });
    return { heading, files };
  });
}

function sectionOf(page: string, heading: string): string {
  const start = new RegExp(`^## ${heading}.*$`, "m").exec(page);
  if (start === null) return "";
  const rest = page.slice(start.index + start[0].length);
  const end = /^## /m.exec(rest);
  return end === null ? rest : rest.slice(0, end.index);
}

function pathOf(language: string, text: string, name: string): string | null {
  if (language === "yaml") return "agentgate.yml";
  const ending = ENDINGS[language];
  if (ending === undefined) return null;
  const place = PLACE.exec(text.slice(0, text.indexOf("\n") + 1));
  return place?.[1] ?? `${name}.${ending}`;
}
