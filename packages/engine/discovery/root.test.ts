import { mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { makeRepository, makeTree } from "../testing/tree.ts";
import { findRoot, placePaths } from "./root.ts";

it("is the folder that holds .git, be it a file", () => {
  const root = makeTree({ ".git": "gitdir: elsewhere", "agentgate.yml": "", "a/agentgate.yml": "", "a/b/c.py": "" });
  expect(findRoot(path.join(root, "a/b"))).toEqual({ folder: root, git: true });
});

it("is else the folder of the highest policy upward", () => {
  const root = makeTree({ "agentgate.yml": "", "a/agentgate.yml": "", "a/b/c.py": "" });
  expect(findRoot(path.join(root, "a/b"))).toEqual({ folder: root, git: false });
});

it("is else the folder itself", () => {
  const root = makeTree({ "a/b.py": "" });
  expect(findRoot(path.join(root, "a"))).toEqual({ folder: path.join(root, "a"), git: false });
});

it("places paths relative to the working directory", () => {
  const root = makeRepository({ "a/b.py": "", "c.py": "" });
  const { root: placed, below, problems } = placePaths(path.join(root, "a"), ["b.py", "../c.py", "..", "."]);
  expect(placed.folder).toBe(root);
  expect(below).toEqual(["a/b.py", "c.py", "", "a"]);
  expect(problems).toEqual([]);
});

it("says which path does not exist, and keeps the others", () => {
  const root = makeTree({ "b.py": "" });
  const { below, problems } = placePaths(root, ["missing.py", "b.py"]);
  expect(below).toEqual(["b.py"]);
  expect(problems.map((problem) => problem.message)).toEqual(["missing.py does not exist."]);
});

it("judges another tree where the first path lies in one, but not two trees at once", () => {
  const here = makeTree({ "a.py": "" });
  const there = makeRepository({ "b/c.py": "" });
  const { root, below, problems } = placePaths(here, [path.join(there, "b"), "a.py"]);
  expect(root).toEqual({ folder: there, git: true });
  expect(below).toEqual(["b"]);
  expect(problems[0]?.message).toContain("lies outside of");
});

it("sees through links to folders on the way", () => {
  const root = makeTree({ "real/a.py": "" });
  symlinkSync("real", path.join(root, "link"));
  mkdirSync(path.join(root, ".git"));
  expect(placePaths(path.join(root, "link"), ["a.py"]).below).toEqual(["real/a.py"]);
  expect(placePaths(root, ["link"]).below).toEqual(["real"]);
});
