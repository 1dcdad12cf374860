import type { RuleMeta } from "@agentgate/rules";
import { describe, expect, it } from "vitest";
import { examplesOf } from "./examples.ts";
import { editorReadme } from "./editor-readme.ts";
import { editorMetas } from "./editor-rules.ts";
import { gapsOf, ruleIndex, rulePage } from "./rule-page.ts";
import { keyRows, typeOf, unexplainedKeys } from "./schema.ts";
import { table, withSections } from "./sections.ts";

const meta: RuleMeta = {
  id: "some-rule", severity: "error", summary: "Something happens.", category: "code", suppressible: true, configurable: true,
  options: { type: "object", properties: { ceiling: { type: "number", default: 100, description: "The largest cap." } } },
  techniques: [{ name: "plain", summary: "Plainly.", kind: "true" }, { name: "shadowed", summary: "By a local.", kind: "look-alike" }],
};

const body = ["What is reported", "Why it matters to a reviewer", "Wrong", "Right", "What it cannot see"]
  .map((heading) => `## ${heading}\n\ntext`).join("\n\n") + "\n\n```python\nx\n```\n\n```ts\nx\n```\n";

describe("sections", () => {
  const section = { name: "header", body: "new", place: "top" } as const;

  it("puts a section in and replaces it in place, leaving the rest alone", () => {
    const first = withSections("hand-written\n", [section]);
    expect(first).toBe("<!-- generated: header -->\n\nnew\n\n<!-- end of header -->\n\nhand-written\n");
    expect(withSections(`intro\n${first}`, [{ ...section, body: "newer" }])).toBe(`intro\n${first.replace("new\n", "newer\n")}`);
  });

  it("escapes what would break a table", () => {
    expect(table(["a"], [["x|y\nz"]])).toBe("| a |\n| --- |\n| x\\|y z |");
  });
});

describe("rulePage", () => {
  it("is stable, and says severity, options and techniques", () => {
    const page = rulePage(meta, body);
    expect(rulePage(meta, page)).toBe(page);
    expect(page).toMatch(/^<!-- generated: header -->\n\n# some-rule/);
    expect(page).toContain("| `ceiling` | number | `100` | The largest cap. |");
    expect(page).toContain("| shadowed | By a local. |");
  });

  it("drops a title that would stand there twice", () => {
    expect(rulePage(meta, `# some-rule\n\n${body}`).match(/# some-rule/g)).toHaveLength(1);
  });

  it("changes when an option does, so that a stale page is seen", () => {
    const more = { ...meta, options: { type: "object", properties: { limit: { type: "string" } } } };
    expect(rulePage(more, rulePage(meta, body))).not.toBe(rulePage(meta, body));
  });
});

describe("gapsOf", () => {
  it("is empty for a complete page and names each missing part", () => {
    expect(gapsOf(meta, rulePage(meta, body))).toEqual([]);
    expect(gapsOf(meta, rulePage(meta, "## Wrong\n"))).toEqual([
      'docs/rules/some-rule.md: no section "What is reported"', 'docs/rules/some-rule.md: no section "Why it matters"',
      'docs/rules/some-rule.md: no section "Right"', 'docs/rules/some-rule.md: no section "What it cannot see"',
      "docs/rules/some-rule.md: no example in Python", "docs/rules/some-rule.md: no example in TypeScript or JavaScript",
    ]);
  });
});

describe("ruleIndex", () => {
  it("lists a rule under its category", () => {
    expect(ruleIndex([meta])).toContain("## Rules that judge code\n\n| rule | severity | suppressible | reports |");
  });
});

describe("schema", () => {
  it("lists nested keys under their parent with type and default", () => {
    const rows = keyRows({ required: ["version"], properties: {
      version: { const: 1, description: "The version." },
      ports: { type: "array", items: { type: "object", properties: { path: { type: "string" } } } },
      rules: { type: "object", additionalProperties: { type: "object", properties: { off: { type: "boolean", default: false } } } },
    } });
    expect(rows.map((row) => [row.key, row.type, row.default])).toEqual([
      ["version", "`1`", "required"], ["ports", "list of object", ""], ["ports[].path", "string", ""],
      ["rules", "object", ""], ["rules.<name>.off", "boolean", "`false`"],
    ]);
  });

  it("gives many keys of one form one row, and a pattern a row of its own", () => {
    const contract = { type: "object", properties: { path: { type: "string" } } };
    const rows = keyRows({ properties: { a: contract, b: contract, c: contract, d: contract }, patternProperties: { "^x/": { type: "string" } } });
    expect(rows.map((row) => [row.key, row.description])).toEqual([
      ["<name>", "Each of `a`, `b`, `c`, `d`."], ["<name>.path", ""], ["<pattern>", "Keys of the form `^x/`."],
    ]);
  });

  it("lists many values with the meaning, and names the keys without any", () => {
    const many = { properties: { one: { enum: [1, 2, 3, 4, 5, 6, 7] }, two: { type: "string" } } };
    expect(keyRows(many)[0]).toMatchObject({ type: "one of those listed", description: "One of `1`, `2`, `3`, `4`, `5`, `6`, `7`." });
    expect(unexplainedKeys(many)).toEqual(["two"]);
  });

  it("puts choices into words", () => {
    expect(typeOf({ anyOf: [{ enum: ["off", "error"] }, { type: "array", prefixItems: [{ type: "string" }, { type: "object" }] }] })).toBe("`off`, `error` or [string; object]");
  });
});

describe("examplesOf", () => {
  const page = "## Wrong\n\n```python\nimport httpx\n```\n\n```sh\nrm x\n```\n\n## Right, with a port\n\n```ts\n// src/port.ts\nfetch(x);\n```\n\n```yaml\nversion: 1\n```\n\n## Options\n";

  it("makes a tree of each heading's code, with the policy where one is shown", () => {
    expect(examplesOf(page)).toEqual([
      { heading: "Wrong", files: [{ path: "wrong-1.py", text: "import httpx\n" }] },
      { heading: "Right", files: [{ path: "src/port.ts", text: "// src/port.ts\nfetch(x);\n" }, { path: "agentgate.yml", text: "version: 1\n" }] },
    ]);
  });
});

describe("the plugin's README", () => {
  const page = "# a\n\n## What is reported\n\nAs [others](no-dynamic-import.md) do, see [the table](../capabilities.md) and [ESLint](https://eslint.org).\n\n## Right\n\n```python\n## no heading\n```\n\n## Techniques\n\nx\n";
  const { text } = editorReadme("# plugin\n", () => page);

  it("has a heading for each rule, which findings link to", () => {
    for (const { id } of editorMetas()) expect(text.split("\n")).toContain(`### ${id}`);
  });

  it("takes what a reader of a finding wants, with links that lead somewhere from there", () => {
    expect(text).toContain("As [others](#no-dynamic-import) do, see the table and [ESLint](https://eslint.org).");
    expect(text).toContain("## no heading");
    expect(text).not.toContain("Techniques");
  });
});
