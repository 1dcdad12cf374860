import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { addFiles, git, makeRepository, makeTree } from "../testing/tree.ts";
import { discover } from "./discover.ts";
import type { Discovery } from "./discover.ts";
import { DEFAULT_EXCLUDE } from "./exclude.ts";
import { listTree } from "./list.ts";
import { findRoot } from "./root.ts";

async function found(folder: string, exclude: readonly string[] = DEFAULT_EXCLUDE, named: readonly string[] = []): Promise<Discovery> {
  const root = findRoot(folder);
  return discover(root.folder, await listTree(root, named), exclude, named);
}

function judged(discovery: Discovery): string[] {
  return discovery.sources.filter((file) => file.excludedBy === null && file.named).map((file) => file.path);
}

describe("what is judged", () => {
  it("takes source by its ending, and files without one by their first line", async () => {
    const root = makeTree({
      "a.py": "", "b.ts": "", "c.tsx": "", "d.mts": "", "e.cts": "", "f.js": "", "g.jsx": "", "h.mjs": "", "i.cjs": "", "w.pyw": "",
      "j.pyi": "", "k.d.ts": "", "l.d.mts": "", "m.txt": "#!/usr/bin/env python3\n", "run-py": "#!/usr/bin/env python3\nx = 1\n",
      "run-node": "#!/usr/bin/node\n", "run-uv": "#!/usr/bin/env -S uv run --script\n", "run-tsx": "#!/usr/bin/env -S npx tsx\n", "run-sh": "#!/bin/sh\n", plain: "python\n", "empty-name": "", "n.ipynb": "{}", "o.sh": "", "p.go": "", "q.png": "x",
    });
    const discovery = await found(root);
    expect(judged(discovery)).toEqual(["a.py", "b.ts", "c.tsx", "d.mts", "e.cts", "f.js", "g.jsx", "h.mjs", "i.cjs", "run-node", "run-py", "run-tsx", "run-uv", "w.pyw"]);
    expect(discovery.sources.find((file) => file.path === "w.pyw")?.dialectPath).toBe("w.pyw.py");
    expect(discovery.sources.find((file) => file.path === "run-py")?.dialectPath).toBe("run-py.py");
    expect(discovery.unscanned.map((file) => `${file.path} ${file.reason} ${file.detail}`)).toEqual([
      "j.pyi unsupported declarations", "k.d.ts unsupported declarations", "l.d.mts unsupported declarations",
      "n.ipynb unsupported notebook", "o.sh unsupported shell", "p.go unsupported Go", "run-sh unsupported shell",
    ]);
  });

  it("leaves out the default globs, wherever they match, and says which", async () => {
    const left = ["test/a.py", "src/tests/a.py", "__tests__/a.ts", "fixtures/a.py", "scripts/a.py", "a.test.ts", "x/a.spec.js", "a_test.py", "test_a.py", "conftest.py", "a.min.js", "vendor/a.py", "dist/a.js", "build/a.js", "generated/a.ts"];
    const kept = ["latest/a.py", "attest_a.py", "testing/a.py", "a_test.ts", "Test/a.py", "scripts.py"];
    const root = makeTree(Object.fromEntries([...left, ...kept].map((name) => [name, ""])));
    const discovery = await found(root);
    expect(judged(discovery)).toEqual([...kept].sort());
    expect(discovery.sources.filter((file) => file.excludedBy !== null).map((file) => file.path)).toEqual([...left].sort());
    expect(discovery.sources.find((file) => file.path === "src/tests/a.py")?.excludedBy).toBe("**/tests/**");
  });

  it("matches globs with dot files and by case", async () => {
    const root = makeRepository({ ".hidden/a.py": "", "Legacy/a.py": "", "legacy/a.py": "" });
    expect(judged(await found(root, ["legacy/**"]))).toEqual([".hidden/a.py", "Legacy/a.py"]);
    expect(judged(await found(root, ["**/a.py"]))).toEqual([]);
  });

  it("narrows to named files and folders, never to names that only begin alike", async () => {
    const root = makeTree({ "src/a.py": "", "src/b/c.py": "", "srcx/d.py": "", "e.py": "" });
    expect(judged(await found(root, [], ["src"]))).toEqual(["src/a.py", "src/b/c.py"]);
    expect(judged(await found(root, [], ["e.py", "src/b"]))).toEqual(["e.py", "src/b/c.py"]);
    expect(judged(await found(root, [], [""]))).toHaveLength(4);
  });
});

describe("a repository", () => {
  it("lists tracked and untracked files, not ignored ones, unless named", async () => {
    const root = makeRepository({ "a.py": "", ".gitignore": "ignored/\n*.log.py\n", "node_modules/x/index.js": "" });
    addFiles(root, { "new.py": "", "ignored/b.py": "", "c.log.py": "" });
    expect(judged(await found(root))).toEqual(["a.py", "new.py", "node_modules/x/index.js"]);
    expect(judged(await found(root, [], ["ignored/b.py"]))).toEqual(["ignored/b.py"]);
  });

  it("does not count what was deleted from the working tree", async () => {
    const root = makeRepository({ "a.py": "", "b.py": "" });
    unlinkSync(path.join(root, "b.py"));
    const discovery = await found(root);
    expect(judged(discovery)).toEqual(["a.py"]);
    expect(discovery.unreadable).toEqual([]);
  });

  it("keeps names with blanks, quotes, newlines and escapes", async () => {
    const names = ["with blank.py", 'quote".py', "new\nline.py", "tab\there.py", "ümlaut.py", "back\\slash.py", "esc\u001b[31m.py", "-option.py"];
    const root = makeRepository(Object.fromEntries(names.map((name) => [name, ""])));
    expect(judged(await found(root))).toEqual([...names].sort());
  });

  it("keeps names that are no UTF-8 apart and readable", async () => {
    const root = makeTree({ "a.py": "" });
    writeFileSync(Buffer.concat([Buffer.from(`${root}/b`), Buffer.from([0xff]), Buffer.from(".py")]), "");
    writeFileSync(Buffer.concat([Buffer.from(`${root}/b`), Buffer.from([0xfe]), Buffer.from(".py")]), "");
    git(root, "init", "--quiet");
    for (const discovery of [await found(root)]) {
      expect(judged(discovery)).toEqual(["a.py", "b\\xfe.py", "b\\xff.py"]);
      expect(discovery.sources[1]?.target).toMatchObject({ kind: "disk", fs: expect.any(Buffer) as Buffer });
    }
  });

  it("says that a nested repository is not judged", async () => {
    const root = makeRepository({ "a.py": "" });
    addFiles(root, { "sub/b.py": "" });
    git(path.join(root, "sub"), "init", "--quiet");
    const discovery = await found(root);
    expect(judged(discovery)).toEqual(["a.py"]);
    expect(discovery.unscanned).toEqual([{ path: "sub", reason: "unsupported", detail: "nested repository" }]);
  });

  it("runs nothing that the repository configures", async () => {
    const root = makeRepository({ "a.py": "" });
    const witness = path.join(root, "ran");
    writeFileSync(path.join(root, "hook.sh"), `#!/bin/sh\ntouch ${witness}\n`);
    chmodSync(path.join(root, "hook.sh"), 0o755);
    git(root, "config", "core.fsmonitor", path.join(root, "hook.sh"));
    expect((await found(root)).files.has("ran")).toBe(false);
  });

  it("walks where the repository is broken, and does not use the one around it", async () => {
    const outer = makeRepository({ ".gitignore": "inner\n", "inner/a.py": "" });
    mkdirSync(path.join(outer, "inner/.git"));
    const root = findRoot(path.join(outer, "inner"));
    expect(root).toEqual({ folder: path.join(outer, "inner"), git: true });
    const listing = await listTree(root, []);
    expect(listing.entries.map((entry) => entry.path)).toEqual(["a.py"]);
    expect(listing.notes.join()).toContain("walked instead");
  });

  it("is not led elsewhere by the variables of a git hook", async () => {
    const root = makeRepository({ "a.py": "" });
    const other = makeRepository({ "other.py": "" });
    process.env["GIT_DIR"] = path.join(other, ".git");
    try {
      expect(judged(await found(root))).toEqual(["a.py"]);
    } finally {
      delete process.env["GIT_DIR"];
    }
  });
});

describe("a tree without git", () => {
  it("skips dot folders, packages, caches and virtual environments", async () => {
    const root = makeTree({
      "a.py": "", ".venv/b.py": "", ".x/c.py": "", "node_modules/d.js": "", "__pycache__/e.py": "", "env/pyvenv.cfg": "", "env/lib/f.py": "",
      "src/node_modules/g.js": "", "venv/h.py": "",
    });
    expect(judged(await found(root))).toEqual(["a.py", "venv/h.py"]);
  });

  it("is not stopped by a very deep folder", async () => {
    const root = makeTree({ [`${"d/".repeat(300)}a.py`]: "" });
    expect(judged(await found(root))).toHaveLength(1);
  });
});

describe("symbolic links", () => {
  const both = [["a repository", true], ["a plain tree", false]] as const;
  it.each(both)("in %s: judges a linked file once, under its own path", async (_, repository) => {
    const root = makeTree({ "real/a.py": "" });
    symlinkSync("real/a.py", path.join(root, "link.py"));
    if (repository) git(root, "init", "--quiet");
    const discovery = await found(root);
    expect(judged(discovery)).toEqual(["real/a.py"]);
    expect(discovery.links.get("link.py")).toBe("real/a.py");
  });

  it.each(both)("in %s: judges a link to a file that is not judged by its own name", async (_, repository) => {
    const root = makeTree({ "tests/a.py": "", "data.txt": "import socket" });
    symlinkSync("tests/a.py", path.join(root, "x.py"));
    symlinkSync("data.txt", path.join(root, "y.py"));
    symlinkSync("data.txt", path.join(root, "z.py"));
    if (repository) git(root, "init", "--quiet");
    expect(judged(await found(root))).toEqual(["x.py", "y.py"]);
  });

  it.each(both)("in %s: never follows one out of the tree, and says so", async (_, repository) => {
    const outside = makeTree({ "secret.py": "", "folder/b.py": "" });
    const root = makeTree({ "a.py": "" });
    symlinkSync(path.join(outside, "secret.py"), path.join(root, "out.py"));
    symlinkSync(path.join(outside, "folder"), path.join(root, "folder"));
    symlinkSync("../".repeat(20) + "etc/passwd", path.join(root, "passwd.js"));
    if (repository) git(root, "init", "--quiet");
    const discovery = await found(root);
    expect(judged(discovery)).toEqual(["a.py"]);
    expect(discovery.unreadable.map((file) => file.path)).toEqual(["folder", "out.py", "passwd.js"]);
    expect(discovery.unreadable[0]?.reason).toContain("leaves the tree");
  });

  it.each(both)("in %s: is not caught in a loop", async (_, repository) => {
    const root = makeTree({ "a/b.py": "" });
    symlinkSync("..", path.join(root, "a/up"));
    symlinkSync("self.py", path.join(root, "self.py"));
    symlinkSync("two.py", path.join(root, "one.py"));
    symlinkSync("one.py", path.join(root, "two.py"));
    symlinkSync("nowhere.py", path.join(root, "dangling.py"));
    if (repository) git(root, "init", "--quiet");
    const discovery = await found(root);
    expect(judged(discovery)).toEqual(["a/b.py"]);
    expect(discovery.links.get("a/up")).toBe("");
    expect(discovery.unreadable.map((file) => file.path)).toEqual(["dangling.py", "one.py", "self.py", "two.py"]);
  });
});

it("opens no pipe and no socket", async () => {
  const root = makeTree({ "a.py": "" });
  execFileSync("mkfifo", [path.join(root, "pipe.py"), path.join(root, "pipe")]);
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(path.join(root, "socket.ts"), resolve));
  try {
    const discovery = await found(root);
    expect(judged(discovery)).toEqual(["a.py"]);
    expect(discovery.unreadable).toEqual([
      { path: "pipe.py", reason: "it is a pipe, socket or device" }, { path: "socket.ts", reason: "it is a pipe, socket or device" },
    ]);
  } finally {
    server.close();
  }
});
