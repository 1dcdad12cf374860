import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeProject, makeRepository, removeProjects, write } from "./projects.ts";
import { EditorServer } from "./server.ts";
import type { Diagnostic } from "./server.ts";

const CONFIG = 'import agentgate from "eslint-plugin-agentgate";\nexport default [...agentgate.configs.recommended];\n';
const PYTHON = "import importlib\n\n\ndef load(name):\n    return importlib.import_module(name)\n";
const TYPESCRIPT = "export async function load(name: string): Promise<unknown> {\n  return import(name);\n}\n";

const told = (diagnostics: readonly Diagnostic[]): string[] => diagnostics.map(({ code, range: { start, end } }) => `${start.line}:${start.character}-${end.line}:${end.character} ${code}`);

describe("VS Code's ESLint server", () => {
  let server: EditorServer;
  let folder: string;

  beforeAll(async () => {
    folder = makeProject({ "eslint.config.js": CONFIG, "a.py": PYTHON, "b.ts": TYPESCRIPT, "helper.py": "def send(): pass\n" });
    server = await EditorServer.start(folder);
  });

  afterAll(async () => {
    await server.stop();
    removeProjects();
  });

  it("underlines the smallest telling token of a Python file, and links the rule's page", async () => {
    const found = await server.open("a.py", "python", PYTHON);
    expect(told(found)).toEqual(["4:21-4:34 agentgate/no-dynamic-import"]);
    expect(found[0]).toMatchObject({ source: "eslint", severity: 1, codeDescription: { href: expect.stringMatching(/^https:\/\/.*no-dynamic-import/) as string } });
    expect(found[0]?.message).toContain("importlib.import_module loads the module");
  });

  it("does the same for TypeScript", async () => {
    expect(told(await server.open("b.ts", "typescript", TYPESCRIPT))).toEqual(["1:9-1:15 agentgate/no-dynamic-import"]);
  });

  it("follows what is typed", async () => {
    const fixed = PYTHON.replace("importlib.import_module(name)", "name");
    expect(await server.edit("a.py", fixed)).toEqual([]);
    expect(told(await server.edit("a.py", `${PYTHON}\n\n${PYTHON}`))).toHaveLength(2);
    expect(told(await server.edit("a.py", "def (:\n"))).toEqual([expect.stringMatching(/agentgate\/parse-error$/)]);
    expect(told(await server.edit("a.py", PYTHON))).toHaveLength(1);
  });

  it("offers the page of the rule as a code action", async () => {
    const [diagnostic] = await server.diagnostics("a.py");
    const actions = await server.codeActions("a.py", diagnostic!);
    expect(actions?.map(({ title }) => title)).toContain("Show documentation for agentgate/no-dynamic-import");
  });

  it("sees another file as it was saved last", async () => {
    const run = "from helper import send\n\n\ndef run():\n    while True:\n        try:\n            send()\n        except Exception:\n            continue\n";
    expect(await server.open("run.py", "python", run)).toEqual([]);
    write(folder, { "helper.py": "import httpx\n\n\ndef send():\n    httpx.post('https://a.example', timeout=5)\n" });
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(told(await server.edit("run.py", `${run}\n`))).toEqual(["4:4-4:9 agentgate/no-unbounded-loop"]);
  });

  it.each([
    ["brackets", "python", `x = ${"(".repeat(50_000)}\n`],
    ["a long line", "python", `x = "${"a".repeat(3_000_000)}"\n`],
    ["a line of 20 MB", "python", `x = ${"a + ".repeat(5_000_000)}1\n`],
    ["arrows", "typescript", `const f = ${"() => ".repeat(20_000)}1;\n`],
    ["NUL bytes", "python", "\0".repeat(1000)],
    ["half a surrogate", "python", "x = '\ud800'\n"],
  ])("outlives a file of %s", async (_name, language, text) => {
    const file = language === "python" ? "hostile.py" : "hostile.ts";
    await server.open(file, language, text);
    expect(server.isAlive).toBe(true);
    expect(told(await server.edit("b.ts", TYPESCRIPT))).toHaveLength(1);
    expect(told(await server.edit("a.py", PYTHON))).toHaveLength(1);
  });
});

describe("VS Code's ESLint server in a repository", () => {
  it.each([["with a commit", true], ["without one", false]])("outlives its git, %s", async (_name, hasCommit) => {
    const folder = makeProject({ "eslint.config.js": CONFIG, "a.py": PYTHON, "b.ts": TYPESCRIPT });
    makeRepository(folder, { files: hasCommit });
    const server = await EditorServer.start(folder);
    try {
      expect(told(await server.open("a.py", "python", PYTHON))).toEqual(["4:21-4:34 agentgate/no-dynamic-import"]);
      expect(told(await server.open("b.ts", "typescript", TYPESCRIPT))).toEqual(["1:9-1:15 agentgate/no-dynamic-import"]);
      write(folder, { "c.py": "import a\n" });
      expect(told(await server.edit("a.py", `${PYTHON}\n`))).toHaveLength(1);
      expect(server.isAlive).toBe(true);
    } finally {
      await server.stop();
    }
  });
});
