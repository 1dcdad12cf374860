import { describe, expect, it } from "vitest";
import { changeTester } from "../testing/change.ts";

const { changed } = changeTester("equal-statements");

const LICENCE = "agentgate: allow no-dynamic-import -- reads pages, payments";

/** A function whose statement equals that of the others, with the comment above it or without. */
interface Form {
  readonly path: string;
  readonly bare: (name: string) => string;
  readonly licensed: (name: string) => string;
}

const FORMS: readonly Form[] = [
  {
    path: "b.py",
    bare: (name) => `def ${name}(name):\n    return __import__(name)\n\n\n`,
    licensed: (name) => `def ${name}(name):\n    # ${LICENCE}\n    return __import__(name)\n\n\n`,
  },
  {
    path: "b.ts",
    bare: (name) => `export function ${name}(name: string) {\n  return import(name);\n}\n\n`,
    licensed: (name) => `export function ${name}(name: string) {\n  // ${LICENCE}\n  return import(name);\n}\n\n`,
  },
];

async function told({ path }: Form, before: string, after: string): Promise<readonly string[]> {
  const { findings, suppressed } = await changed({ [path]: before }, { [path]: after });
  return [
    ...findings.map(({ rule, api, start }) => `${start.line} ${rule === "gate-weakened" ? api : rule}`),
    ...suppressed.map(({ start, by }) => `${start.line} suppressed by ${by.line}`),
  ];
}

describe.each(FORMS)("equal statements in $path", (form) => {
  const { bare, licensed } = form;

  it("leave a comment with the one that it stood at, where another one gets its like", async () => {
    expect(await told(form, bare("bad") + licensed("good"), licensed("bad") + licensed("good"))).toEqual(["2 suppression-added", "8 suppressed by 7"]);
  });

  it("leave a comment with its own, where a copy comes before it", async () => {
    const old = bare("bad") + licensed("good");
    expect(await told(form, old, licensed("copied") + old)).toEqual(["2 suppression-added", "3 no-dynamic-import", "12 suppressed by 11"]);
  });

  it("name each comment of two lines that follow each other", async () => {
    const lines = form.path === "b.py"
      ? `def load(n):\n    a = __import__(n)  # ${LICENCE}\n    b = __import__(n)  # ${LICENCE}\n    return a, b\n`
      : `export const load = (n: string) => [\n  import(n), // ${LICENCE}\n  import(n), // ${LICENCE}\n];\n`;
    expect(await told(form, "", lines)).toEqual(["2 no-dynamic-import", "2 suppression-added", "3 no-dynamic-import", "3 suppression-added"]);
  });

  it("are told once where one comment covers both", async () => {
    const lines = form.path === "b.py"
      ? `def load(n):\n    a = __import__(n)  # ${LICENCE}\n    b = __import__(n + n)\n    return a, b\n`
      : `export const load = (n: string) => [\n  import(n), // ${LICENCE}\n  import(n + n),\n];\n`;
    expect(await told(form, "", lines)).toEqual(["2 no-dynamic-import", "2 suppression-added", "3 no-dynamic-import"]);
  });
});
