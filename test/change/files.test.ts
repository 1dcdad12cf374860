import { changeTester, git } from "@agentgate/engine/testing";
import { beforeAll, describe, expect, it } from "vitest";
import type { Report } from "@agentgate/engine";
import { write } from "../laundering/attempts.ts";
import type { Contents } from "../laundering/attempts.ts";
import { expectReport, net, proc, pure, repositoryOf } from "./repositories.ts";
import type { Expected } from "./repositories.ts";

const { check } = changeTester("change-files");

/** A change to one folder: paths are below it, and so are those of what is expected. */
interface FolderCase extends Expected {
  readonly name: string;
  readonly base: Contents;
  readonly patch: Contents;
}

const LFS = (size: number): string => `version https://git-lfs.github.com/spec/v1\noid sha256:${"4d7a".repeat(16)}\nsize ${size}\n`;
const SCRIPT = "#!/usr/bin/env python3\n";
/** Text of a rename that was edited: most lines are kept. */
const LONG = (name: string): string => Array.from({ length: 12 }, (_, index) => `def ${name}_${index}(x):\n    return x + ${index}\n`).join("\n\n");
const TOO_LARGE = (name: string): string => `# ${name} ${"x".repeat(1_048_576)}\n`;

const IO = "no-invented-io";

const CASES: readonly FolderCase[] = [
  // Renames
  { name: "a rename", base: { "a.py": net("rename") }, patch: { "a.py": null, "b.py": net("rename") } },
  { name: "a rename with an edit that brings nothing", base: { "a.py": `${net("edited")}${LONG("edited")}` }, patch: { "a.py": null, "b.py": `# said anew\n${net("edited")}${LONG("edited")}` } },
  { name: "a rename with an edit that brings something", base: { "a.py": `${net("more")}${LONG("more")}` }, patch: { "a.py": null, "b.py": `${net("more")}${LONG("more")}${proc("more")}` }, found: [`${IO} b.py:52`] },
  { name: "a rename with most of it written anew", base: { "a.py": net("anew") }, patch: { "a.py": null, "b.py": `${LONG("anew")}${net("other")}` }, found: [`${IO} b.py:47`] },
  { name: "two names that changed places", base: { "a.py": net("swap"), "b.py": pure("swap") }, patch: { "a.py": pure("swap"), "b.py": net("swap") }, found: [`${IO} b.py:1`] },
  { name: "a folder renamed", base: { "old/__init__.py": "", "old/a.py": `from .b import total_folder\n\n${net("folder")}`, "old/b.py": pure("folder") }, patch: { old: null, "new/__init__.py": "", "new/a.py": `from .b import total_folder\n\n${net("folder")}`, "new/b.py": pure("folder") } },
  { name: "a rename in case only", base: { "Module.py": net("case") }, patch: { "Module.py": null, "module.py": net("case") } },
  { name: "a folder renamed in case only", base: { "Folder/a.py": net("cases") }, patch: { Folder: null, "folder/a.py": net("cases") } },
  { name: "a rename to another ending", base: { "a.ts": 'import got from "got";\n\ngot("ending");\n' }, patch: { "a.ts": null, "a.mts": 'import got from "got";\n\ngot("ending");\n' } },
  { name: "a rename out of a folder that is not judged", base: { "tests/a.py": proc("out") }, patch: { "tests/a.py": null, "a.py": proc("out") }, found: [`${IO} a.py:1`] },
  { name: "a rename into a folder that is not judged", base: { "a.py": proc("into") }, patch: { "a.py": null, "tests/a.py": proc("into") }, found: ["gate-weakened tests/a.py:1"], unscanned: ["tests/a.py excluded"] },
  { name: "a module that became a package", base: { "pack.py": net("pack") }, patch: { "pack.py": null, "pack/__init__.py": net("pack") } },
  { name: "a package that became a module", base: { "pack/__init__.py": net("unpack") }, patch: { pack: null, "pack.py": net("unpack") } },
  { name: "an empty file renamed to one that is not", base: { "a.py": "" }, patch: { "a.py": null, "b.py": net("empty") }, found: [`${IO} b.py:1`] },
  { name: "one of two equal files renamed", base: { "a.py": net("equal"), "b.py": net("equal") }, patch: { "a.py": null, "c.py": net("equal") } },
  { name: "one file deleted, two equal ones added", base: { "a.py": net("split") }, patch: { "a.py": null, "b.py": net("split"), "c.py": net("split") }, found: [`${IO} c.py:1`] },
  // Copies, deletions, modes
  { name: "a copy", base: { "a.py": net("copy") }, patch: { "b.py": net("copy") }, found: [`${IO} b.py:1`] },
  { name: "a copy with an edit", base: { "a.py": `${net("copied")}${LONG("copied")}` }, patch: { "b.py": `${net("copied")}${LONG("copied")}x = 1\n` }, found: [`${IO} b.py:1`] },
  { name: "a copy, the original changed", base: { "a.py": net("grown") }, patch: { "a.py": pure("grown"), "b.py": net("grown") }, found: [`${IO} b.py:1`] },
  { name: "a deletion", base: { "a.py": net("gone"), "b.py": "x = 1\n" }, patch: { "a.py": null } },
  { name: "a file made executable", base: { "a.py": net("mode") }, patch: { "a.py": { executable: net("mode") } } },
  { name: "a script made executable", base: { run: `${SCRIPT}${net("run")}` }, patch: { run: { executable: `${SCRIPT}${net("run")}` } } },
  { name: "a file that became a script", base: { run: proc("script") }, patch: { run: { executable: `${SCRIPT}${proc("script")}` } }, found: [`${IO} run:1`] },
  { name: "a script of another language", base: { run: "text\n" }, patch: { run: { executable: "#!/bin/sh\ncurl example.com\n" } }, unscanned: ["run unsupported"] },
  // Links
  { name: "a link to a judged file", base: { "a.py": net("shown") }, patch: { "b.py": { to: "a.py" } } },
  { name: "a link to a file that is not judged", base: { "tests/a.py": proc("excluded") }, patch: { "b.py": { to: "tests/a.py" } }, found: [`${IO} b.py:1`] },
  { name: "a link to text", base: { "notes.txt": proc("notes") }, patch: { "b.py": { to: "notes.txt" } }, found: [`${IO} b.py:1`] },
  { name: "a link that leads elsewhere", base: { "tests/a.py": pure("here"), "tests/b.py": proc("elsewhere"), "c.py": { to: "tests/a.py" } }, patch: { "c.py": { to: "tests/b.py" } }, found: [`${IO} c.py:1`] },
  { name: "a link to a link that leads elsewhere", base: { "tests/a.py": pure("first"), "tests/b.py": proc("second"), "tests/on.py": { to: "a.py" }, "c.py": { to: "tests/on.py" } }, patch: { "tests/on.py": { to: "b.py" } }, found: [`${IO} c.py:1`] },
  { name: "a link out of the tree", base: {}, patch: { "a.py": { to: "../../../../../etc/passwd" } }, found: ["not-judged a.py:1"] },
  { name: "an absolute link", base: {}, patch: { "a.py": { to: "/etc/passwd" } }, found: ["not-judged a.py:1"] },
  { name: "a link to nothing", base: {}, patch: { "a.py": { to: "nowhere.py" } }, found: ["not-judged a.py:1"] },
  { name: "a link to itself", base: {}, patch: { "a.py": { to: "a.py" } }, found: ["not-judged a.py:1"] },
  { name: "links in a circle", base: {}, patch: { "a.py": { to: "b.py" }, "b.py": { to: "a.py" } }, found: ["not-judged a.py:1", "not-judged b.py:1"] },
  { name: "a link to a folder outside", base: {}, patch: { lib: { to: "/usr/lib" } }, found: ["not-judged lib:1"] },
  { name: "data of elsewhere", base: {}, patch: { "a.json": { to: "/etc/a.json" } } },
  { name: "a link to a folder of the tree", base: { "real/a.py": net("folders") }, patch: { lib: { to: "real" } } },
  { name: "a link to a folder that is not judged, and an import through it", base: { "tests/real/mod.py": proc("through"), "a.py": "x = 1\n" }, patch: { pack: { to: "tests/real" }, "a.py": "from pack.mod import start_through\n" }, found: [`${IO} a.py:1`] },
  { name: "a link to a folder that leads elsewhere", base: { "tests/good/mod.py": pure("good"), "tests/evil/mod.py": proc("good").replace("start", "total"), pack: { to: "tests/good" }, "a.py": "from pack.mod import total_good\n\n\nx = total_good([])\n" }, patch: { pack: { to: "tests/evil" } }, found: [`${IO} tests/evil/mod.py:1`] },
  { name: "a folder that became a link", base: { "pack/mod.py": pure("mod"), "tests/evil/mod.py": proc("mod").replace("start", "total"), "a.py": "from pack.mod import total_mod\n\n\nx = total_mod([])\n" }, patch: { pack: { to: "tests/evil" } }, found: [`${IO} tests/evil/mod.py:1`] },
  { name: "a file that became a link", base: { "a.py": pure("filed"), "tests/b.py": proc("filed") }, patch: { "a.py": { to: "tests/b.py" } }, found: [`${IO} a.py:1`] },
  { name: "a link that became a file", base: { "a.py": { to: "tests/b.py" }, "tests/b.py": pure("linked") }, patch: { "a.py": proc("linked") }, found: [`${IO} a.py:1`] },
  { name: "a link that became what it showed", base: { "a.py": { to: "tests/b.py" }, "tests/b.py": proc("same") }, patch: { "a.py": proc("same") } },
  { name: "a link renamed", base: { "a.py": { to: "tests/b.py" }, "tests/b.py": pure("named") }, patch: { "a.py": null, "c.py": { to: "tests/b.py" } } },
  { name: "a file that became a folder", base: { "a.py": pure("file") }, patch: { "a.py": null, "a.py/b.py": proc("file") }, found: [`${IO} a.py/b.py:1`] },
  { name: "a folder that became a file", base: { "a.py/b.py": pure("dir") }, patch: { "./a.py": null, "a.py": proc("dir") }, found: [`${IO} a.py:1`] },
  // What is no text
  { name: "a pointer of LFS", base: {}, patch: { "a.py": LFS(1) }, found: ["not-judged a.py:1"] },
  { name: "a file that became a pointer of LFS", base: { "a.py": net("pointer") }, patch: { "a.py": LFS(2) }, found: ["not-judged a.py:1"] },
  { name: "a pointer of LFS that became a file", base: { "a.py": LFS(3) }, patch: { "a.py": net("fetched") }, found: [`${IO} a.py:1`] },
  { name: "a pointer of LFS to something else", base: { "a.js": LFS(4) }, patch: { "a.js": LFS(5) }, found: ["not-judged a.js:1"] },
  { name: "a pointer of LFS that nobody touched", base: { "a.py": LFS(6), "b.py": "x = 1\n" }, patch: { "b.py": "x = 2\n" } },
  { name: "a pointer of LFS that is no source", base: {}, patch: { "a.bin": LFS(7) } },
  { name: "a file too large to judge", base: {}, patch: { "a.py": TOO_LARGE("new") }, found: ["not-judged a.py:1"] },
  { name: "a file too large to judge that was changed", base: { "a.py": TOO_LARGE("before") }, patch: { "a.py": TOO_LARGE("after") }, found: ["not-judged a.py:1"] },
  { name: "a file too large to judge that nobody touched", base: { "a.py": TOO_LARGE("still"), "b.py": "x = 1\n" }, patch: { "b.py": "x = 2\n" } },
  { name: "line ends only", base: { "a.py": net("ends") }, patch: { "a.py": net("ends").replaceAll("\n", "\r\n") } },
  { name: "a byte order mark", base: { "a.ts": 'import got from "got";\ngot("mark");\n' }, patch: { "a.ts": '\ufeffimport got from "got";\ngot("mark");\n' } },
  { name: "a notebook", base: {}, patch: { "a.ipynb": "{}\n" }, unscanned: ["a.ipynb unsupported"] },
];

const folderOf = (index: number): string => `c${String(index).padStart(2, "0")}`;

describe.each([["the working tree", {}], ["the index", { staged: true }], ["a revision", { head: "topic" }]])("what became of files, in %s", (_, options) => {
  let report: Report;
  beforeAll(async () => {
    report = await check(everything(), options);
  });

  it.each(CASES.map((one, index) => [one.name, index, one] as const))("%s", (__, index, one) => {
    expectReport(partOf(report, `${folderOf(index)}/`), one);
  });
});

let made: string | undefined;

/** One repository with a folder for each case: they share nothing that a rename could be found by. */
function everything(): string {
  const all = (side: "base" | "patch"): Contents => Object.fromEntries(CASES.flatMap((one, index) => Object.entries(one[side]).map(([name, content]) => [`${folderOf(index)}/${name}`, content])));
  return made ??= repositoryOf(all("base"), all("patch"));
}

/** What a report says of a folder, paths relative to it. */
function partOf(report: Report, folder: string): Report {
  const below = <Entry extends { readonly path: string }>(entries: readonly Entry[]): Entry[] => entries.filter(({ path }) => path.startsWith(folder)).map((entry) => ({ ...entry, path: entry.path.slice(folder.length) }));
  const findings = below(report.findings);
  const count = (severity: string): number => findings.filter((finding) => finding.severity === severity).length;
  return { ...report, findings, unscanned: below(report.unscanned), permitted: below(report.permitted), summary: { ...report.summary, errors: count("error"), warnings: count("warning") } };
}

describe("a submodule", () => {
  function withSubmodule(): { readonly root: string; readonly first: string; readonly second: string } {
    const root = repositoryOf({ "a.py": pure("a") });
    const inner = repositoryOf({ "inner.py": net("inner") }, { "inner.py": proc("inner") });
    git(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "lib");
    return { root, first: git(inner, "rev-parse", "main").trim(), second: git(inner, "rev-parse", "topic").trim() };
  }

  it("is listed as not judged where it was added or moved on, and silent where it is gone", async () => {
    const { root, first, second } = withSubmodule();
    const unscanned = ["lib unsupported"];
    expectReport(await check(root), { unscanned });
    git(root, "-C", "lib", "checkout", "--quiet", first);
    git(root, "add", "--all");
    git(root, "commit", "--quiet", "--message", "added");
    for (const options of [{}, { staged: true }, { head: "topic" }]) expectReport(await check(root, options), { unscanned });
    git(root, "branch", "--force", "main", "topic");
    expectReport(await check(root), {});
    git(root, "-C", "lib", "checkout", "--quiet", second);
    expectReport(await check(root), { unscanned });
    expectReport(await check(root, { staged: true }), {});
    git(root, "add", "lib");
    expectReport(await check(root, { staged: true }), { unscanned });
    git(root, "rm", "--quiet", "--force", "lib");
    for (const options of [{}, { staged: true }]) expectReport(await check(root, options), {});
  });

  it("whose files differ is none of this repository's change", async () => {
    const { root } = withSubmodule();
    git(root, "commit", "--quiet", "--message", "added");
    git(root, "branch", "--force", "main", "topic");
    write(root, { "lib/inner.py": net("other"), "lib/new.py": proc("new"), "a.py": net("a") });
    expectReport(await check(root), { found: ["no-invented-io a.py:1"] });
  });

  it("that became a folder of this repository is judged", async () => {
    const { root } = withSubmodule();
    git(root, "commit", "--quiet", "--message", "added");
    git(root, "branch", "--force", "main", "topic");
    git(root, "rm", "--quiet", "--force", "lib");
    write(root, { "lib/inner.py": net("inner") });
    git(root, "add", "--all");
    for (const options of [{}, { staged: true }]) expectReport(await check(root, options), { found: ["no-invented-io lib/inner.py:1"] });
    expect(git(root, "ls-files", "lib").trim()).toBe("lib/inner.py");
  });

  it("that took the place of a folder of this repository is listed as not judged", async () => {
    const root = repositoryOf({ "a.py": pure("a"), "lib/inner.py": net("inner") });
    const inner = repositoryOf({ "inner.py": net("inner") });
    git(root, "rm", "-r", "--quiet", "lib");
    git(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "lib");
    for (const options of [{}, { staged: true }]) expectReport(await check(root, options), { unscanned: ["lib unsupported"] });
  });
});
