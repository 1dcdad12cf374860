import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { DiskTree } from "./disk-tree.ts";

const scratch = realpathSync(mkdtempSync(path.join(tmpdir(), "agentgate-tree-")));
afterAll(() => rmSync(scratch, { recursive: true }));

const root = path.join(scratch, "root");
mkdirSync(path.join(root, "a/b"), { recursive: true });
mkdirSync(path.join(root, ".git"), { recursive: true });
mkdirSync(path.join(scratch, "root-beside"));
writeFileSync(path.join(root, ".git/HEAD"), "ref: x\n");
writeFileSync(path.join(root, "a/one"), "1");
writeFileSync(path.join(root, "a/b/two"), "2");
writeFileSync(path.join(scratch, "root-beside/secret"), "of the machine");
symlinkSync("one", path.join(root, "a/inside"));
symlinkSync("../../root-beside/secret", path.join(root, "a/outside"));
symlinkSync("../../root-beside", path.join(root, "a/folder-outside"));
symlinkSync("self", path.join(root, "a/self"));
symlinkSync("nothing", path.join(root, "a/nowhere"));

describe("the tree on the disk", () => {
  const tree = new DiskTree(root);

  it.each([
    ["a/one", "file"], ["a/inside", "file"], ["a/outside", "outside"], ["a/folder-outside/secret", "outside"], ["a/self", "unreadable"], ["a/nowhere", "absent"], ["a/absent", "absent"],
    ["a/one/below", "absent"], ["a", "unreadable"], [".git/HEAD", "unreadable"], ["../root-beside/secret", "outside"],
  ])("gives for %s: %s", (file, kind) => {
    expect(tree.read(file).kind).toBe(kind);
  });

  it("lists files and links, and follows no link to a folder", () => {
    expect(tree.list("a")).toEqual(["a/b/two", "a/folder-outside", "a/inside", "a/nowhere", "a/one", "a/outside", "a/self"]);
    expect(tree.list("absent")).toEqual([]);
    expect(tree.list("a/folder-outside")).toEqual([]);
  });

  it("gives the same answer for the whole run", () => {
    writeFileSync(path.join(root, "a/later"), "1");
    const first = tree.read("a/later");
    writeFileSync(path.join(root, "a/later"), "2");
    expect(tree.read("a/later")).toBe(first);
  });
});
