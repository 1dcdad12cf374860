import { chmodSync, lstatSync, mkdirSync, readFileSync, readdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { NOW, checker } from "../testing/check.ts";
import { makeRepository, makeTree } from "../testing/tree.ts";
import { writePermit } from "./permit-write.ts";
import type { PermitOptions } from "./permit-write.ts";

const permit = (cwd: string, changes: Partial<PermitOptions> = {}) =>
  writePermit({ version: "1.2.3", cwd, path: "src/refund.py", capabilities: ["net"], owner: "payments", note: "talks to the ledger", now: NOW, ...changes });
const policyOf = (root: string): string => readFileSync(path.join(root, "agentgate.yml"), "utf8");

const FILES = { "src/refund.py": "import httpx\n", "src/[id]/page.ts": "fetch('x');\n", "src/i/page.ts": "fetch('x');\n", "a b.py": "import httpx\n" };

describe("writing a port", () => {
  const { check } = checker("test-permit");

  it("licenses what check reported", async () => {
    const root = makeRepository(FILES);
    expect(await permit(root, { expires: "2026-06-15" })).toEqual({
      version: 1, tool: { name: "agentgate", version: "1.2.3" }, base: null, error: null, written: "created", path: "agentgate.yml", notes: [],
      port: { path: "src/refund.py", capabilities: ["net"], owner: "payments", note: "talks to the ledger", expires: "2026-06-15", line: 5 },
    });
    expect(await permit(root, { path: "a b.py" })).toMatchObject({ written: "added", port: { line: 10 } });
    expect(await permit(root, { path: "a b.py", capabilities: ["proc", "net", "proc"] })).toMatchObject({ written: "extended", port: { capabilities: ["net", "proc"] } });
    expect(await permit(root, { path: "a b.py", capabilities: ["proc"] })).toMatchObject({ written: "unchanged" });
    const report = await check(root);
    expect(report.permitted.map((finding) => `${finding.path} ${finding.by.line}`)).toEqual(["a b.py 10", "src/refund.py 5"]);
    expect(readdirSync(root).sort()).toEqual([".git", "a b.py", "agentgate.yml", "src"]);
  });

  it("names a file by its own name, whatever a glob would read in it", async () => {
    const root = makeRepository(FILES);
    expect(await permit(root, { path: "src/[id]/page.ts" })).toMatchObject({ error: null, notes: [], port: { path: "src/\\[id\\]/page.ts" } });
    const report = await check(root);
    expect(report.permitted.map((finding) => finding.path)).toEqual(["src/[id]/page.ts"]);
  });

  it.each([
    ["src", "refund.py", "src/refund.py"], ["src", "src/refund.py", "src/refund.py"], ["src", "../a b.py", "a b.py"], ["src", "**/page.ts", "src/**/page.ts"],
    ["src", "src/**", "src/**"], ["src/i", "../**/refund.py", "src/**/refund.py"], ["src/[id]", "*.ts", "src/\\[id\\]/*.ts"], [".", "./src/refund.py", "src/refund.py"],
  ])("from %s takes %s as %s", async (folder, given, glob) => {
    const root = makeRepository(FILES);
    expect(await permit(path.join(root, folder), { path: given })).toMatchObject({ error: null, path: "agentgate.yml", notes: [], port: { path: glob } });
  });

  it("says that nothing matches yet", async () => {
    const root = makeRepository({ ...FILES, ".gitignore": "ignored\n", "ignored/x.py": "" });
    for (const glob of ["src/later.py", "ignored/*"]) expect(await permit(root, { path: glob })).toMatchObject({ error: null, written: expect.stringMatching(/created|added/) as string, notes: [`No file of the tree matches ${glob} yet.`] });
  });

  it("takes an absolute path, and another policy file", async () => {
    const root = makeRepository({ ...FILES, "gate/policy.yml": "version: 1\n" });
    expect(await permit(root, { path: path.join(root, "src/refund.py"), config: "gate/policy.yml" })).toMatchObject({ error: null, path: "gate/policy.yml", port: { path: "src/refund.py", line: 4 } });
    expect(readdirSync(root)).not.toContain("agentgate.yml");
  });

  it.each<[string, Partial<PermitOptions>, string]>([
    ["a folder", { path: "src" }, "src is a folder"], ["a folder with a slash", { path: "src/" }, "src is a folder"], ["the root", { path: "." }, "The root is a folder"],
    ["a path outside", { path: "../x.py" }, "outside of the tree"], ["an absolute path outside", { path: "/etc/passwd" }, '"/etc/passwd" lies outside of the tree, which begins at /'], ["a step back inside", { path: "src/../lib/*.py" }, "`..`"], ["no path", { path: " " }, "blank"],
    ["backslashes", { path: "src\\later.py" }, "backslash"], ["an open bracket", { path: "src/{a,b" }, "never closes"], ["a negation", { path: "!src/**" }, "begins with"],
    ["no capability", { capabilities: [] }, "No capability"], ["a misspelt one", { capabilities: ["nett"] }, 'no capability "nett"'], ["pure", { capabilities: ["pure"] }, 'no capability "pure"'],
    ["a machine as owner", { owner: "copilot" }, "--owner is a machine"], ["no owner", { owner: "" }, "--owner is blank"], ["a placeholder", { owner: "<team>" }, "only holds the place"], ["the owner of the advice as it stands", { owner: "…" }, "only holds the place"], ["its reason", { note: "…" }, "only holds the place"],
    ["no reason", { note: " " }, "--note is blank"], ["a reason that is none", { note: "TODO" }, "only holds the place"], ["two lines", { note: "a\nb" }, "line break"],
    ["a day that is none", { expires: "2027-02-30" }, "no day"], ["a day that is over", { expires: "2026-06-14" }, "over already"],
  ])("refuses %s, and writes nothing", async (_what, changes, why) => {
    const root = makeRepository(FILES);
    const report = await permit(root, changes);
    expect(report).toMatchObject({ error: { message: expect.stringContaining(why) as string, hint: expect.stringMatching(/\.$/) as string }, written: null, port: null });
    expect(readdirSync(root)).not.toContain("agentgate.yml");
  });

  it.each([["version: [\n", "no YAML"], ["version: 3\n", "version"], ["version: 1\nports: all\n", "no list"], ["version: 1\n---\nversion: 1\n", "more than one"]])("leaves alone a policy that it cannot edit: %j", async (text, why) => {
    const root = makeRepository({ ...FILES, "agentgate.yml": text });
    expect((await permit(root)).error?.message).toContain(why);
    expect(policyOf(root)).toBe(text);
  });

  it("never writes through a symbolic link, nor into what is no file or no text", async () => {
    const elsewhere = makeTree({ "policy.yml": "version: 1\n" });
    const [linked, folder, binary] = [makeRepository(FILES), makeRepository(FILES), makeRepository({ ...FILES, "agentgate.yml": Buffer.from([0xff, 0xfe]) })];
    symlinkSync(path.join(elsewhere, "policy.yml"), path.join(linked, "agentgate.yml"));
    expect((await permit(linked)).error?.message).toContain("symbolic link");
    expect(readFileSync(path.join(elsewhere, "policy.yml"), "utf8")).toBe("version: 1\n");
    mkdirSync(path.join(folder, "agentgate.yml"));
    expect((await permit(folder)).error?.message).toContain("no regular file");
    expect((await permit(binary)).error?.message).toContain("UTF-8");
  });

  it("keeps the mode of the file", async () => {
    const root = makeRepository({ ...FILES, "agentgate.yml": "version: 1\n" });
    chmodSync(path.join(root, "agentgate.yml"), 0o600);
    await permit(root);
    expect(lstatSync(path.join(root, "agentgate.yml")).mode & 0o777).toBe(0o600);
  });
});
