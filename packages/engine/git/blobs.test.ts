import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { GateError } from "../errors.ts";
import { idOf, makeHistory } from "../testing/history.ts";
import { git, makeTree } from "../testing/tree.ts";
import { blobId } from "./blob-id.ts";
import { readerOver } from "./reader.ts";
import { openRepository } from "./repository.ts";
import type { Repository } from "./repository.ts";

const PATH = process.env["PATH"];
const open: Repository[] = [];

afterEach(() => {
  process.env["PATH"] = PATH;
  for (const repository of open.splice(0)) repository.close();
});

async function at(root: string, timeout = 60_000): Promise<Repository> {
  const repository = await openRepository(root, { timeout });
  open.push(repository);
  return repository;
}

/** The true git, but for `cat-file`, which does what the script says. */
function stubCatFile(script: string): void {
  const folder = makeTree({ git: `#!/bin/sh\ncase "$*" in *"cat-file --batch"*) ${script};; esac\nPATH='${PATH}' exec git "$@"\n` });
  chmodSync(path.join(folder, "git"), 0o755);
  process.env["PATH"] = `${folder}${path.delimiter}${PATH}`;
}

describe("ids of blobs", () => {
  test.each(["sha1", "sha256"] as const)("as git computes them: %s", (format) => {
    const files = { empty: "", text: "a\n", binary: Buffer.from([0, 255, 10, 0]) };
    const root = makeHistory(files, `--object-format=${format}`);
    for (const [name, content] of Object.entries(files)) expect(blobId(Buffer.from(content), format)).toBe(idOf(root, `HEAD:${name}`));
  });
});

describe("reading", () => {
  test("in the order of the ids, with equal ones and empty ones", async () => {
    const root = makeHistory({ a: "first\n", b: "", c: Buffer.from([0, 10, 255, 10]), d: "missing\n" });
    const { blobs } = await at(root);
    const [a, b, c, d] = ["a", "b", "c", "d"].map((name) => idOf(root, `HEAD:${name}`)) as [string, string, string, string];
    const reads = await blobs.read([c, a, b, a, d], 100);
    expect(reads.map((read) => (read.kind === "bytes" ? read.bytes.toString("latin1") : read.kind))).toEqual(["\0\n\xff\n", "first\n", "", "first\n", "missing\n"]);
    expect(await blobs.read([], 100)).toEqual([]);
  });

  test("one at the limit is read, one above it is passed over with its size", async () => {
    const root = makeHistory({ at: "x".repeat(100), above: "y".repeat(101), huge: Buffer.alloc(3_000_000, "z") });
    const { blobs } = await at(root);
    const ids = ["above", "at", "huge", "at"].map((name) => idOf(root, `HEAD:${name}`));
    const at100 = { kind: "bytes", bytes: Buffer.from("x".repeat(100)) };
    expect(await blobs.read(ids, 100)).toEqual([{ kind: "too-large", size: 101 }, at100, { kind: "too-large", size: 3_000_000 }, at100]);
    const [huge] = await blobs.read([ids[2]!], 3_000_000);
    expect(huge).toMatchObject({ kind: "bytes" });
  });

  test("what is missing, no blob, or no id at all", async () => {
    const root = makeHistory({ a: "a\n" });
    const { blobs } = await at(root);
    const a = idOf(root, "HEAD:a");
    const ids = ["0".repeat(40), idOf(root, "HEAD"), idOf(root, "HEAD^{tree}"), "HEAD:a", a.slice(0, 20), `${a}\n${a}`, "", a];
    expect((await blobs.read(ids, 100)).map((read) => read.kind)).toEqual(["missing", "missing", "missing", "missing", "missing", "missing", "missing", "bytes"]);
  });

  test("the first bytes of each", async () => {
    const root = makeHistory({ long: `#!/usr/bin/python\n${"x".repeat(100_000)}`, short: "#!\n", empty: "" });
    const { blobs } = await at(root);
    const heads = await blobs.heads([...["long", "empty", "short"].map((name) => idOf(root, `HEAD:${name}`)), "f".repeat(40)]);
    expect(heads.map((head) => head?.length)).toEqual([256, 0, 3, undefined]);
    expect(heads[0]?.toString("latin1").startsWith("#!/usr/bin/python\nxxx")).toBe(true);
  });

  test("several callers at once, and thousands of blobs through one process", async () => {
    const files = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`${index}.txt`, `${"line\n".repeat(index % 50)}${index}`]));
    const root = makeHistory(files);
    const { blobs } = await at(root);
    const ids = git(root, "ls-tree", "HEAD").trim().split("\n").map((line) => /blob (\w+)\t(.*)/.exec(line)!.slice(1, 3) as [string, string]);
    const callers = await Promise.all([1, 2, 3].map(() => blobs.read(ids.map(([id]) => id), 1000)));
    for (const reads of callers) {
      expect(reads.map((read) => (read.kind === "bytes" ? read.bytes.toString() : read.kind))).toEqual(ids.map(([, name]) => files[name]));
    }
  });
});

describe("a process that fails", () => {
  test("git ends in the middle of a blob", async () => {
    const root = makeHistory({ a: "a\n" });
    const id = idOf(root, "HEAD:a");
    stubCatFile(`echo '${id} blob 2'; printf a; echo 'fatal: gone' >&2; exit 1`);
    const { blobs } = await at(root);
    const reads = [blobs.read([id, id], 100), blobs.read([id], 100)];
    for (const result of await Promise.allSettled(reads)) expect(result).toMatchObject({ status: "rejected", reason: { message: "git cat-file ended while objects were being read: gone." } });
    await expect(blobs.read([id], 100)).rejects.toBeInstanceOf(GateError);
  });

  test("git stays silent", async () => {
    const root = makeHistory({ a: "a\n" });
    stubCatFile("exec sleep 600");
    const { blobs } = await at(root, 300);
    await expect(blobs.read([idOf(root, "HEAD:a")], 100)).rejects.toMatchObject({ message: "git cat-file gave no answer within 0.3 seconds." });
  });

  test("an object is damaged", async () => {
    const content = Array.from({ length: 20_000 }, (_, index) => index * 2_654_435_761 % 4_294_967_291).join();
    const root = makeHistory({ a: content });
    const id = idOf(root, "HEAD:a");
    const file = path.join(root, ".git/objects", id.slice(0, 2), id.slice(2));
    const bytes = readFileSync(file);
    for (const damaged of ["damaged", bytes.subarray(0, 1000), Buffer.alloc(0)]) {
      rmSync(file);
      writeFileSync(file, damaged);
      const reader = readerOver(await at(root));
      await expect(reader.read([{ kind: "blob", id }], 1_000_000)).rejects.toMatchObject({ hint: expect.stringContaining("git fsck --full") as string });
    }
  });

  test("a read after closing starts anew, one under way is rejected", async () => {
    const root = makeHistory({ a: "a\n" });
    const id = idOf(root, "HEAD:a");
    const repository = await at(root);
    const pending = repository.blobs.read([id], 100);
    repository.close();
    await expect(pending).rejects.toBeInstanceOf(GateError);
    expect(await repository.blobs.read([id], 100)).toMatchObject([{ kind: "bytes" }]);
  });
});
