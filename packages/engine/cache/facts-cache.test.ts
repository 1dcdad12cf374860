import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, statSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { cacheKey, openFactsCache } from "./facts-cache.ts";
import type { FactsCache } from "./facts-cache.ts";

const EXTRACTOR = "a".repeat(64);
const made: string[] = [];

afterAll(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function folder(): string {
  const fresh = realpathSync(mkdtempSync(path.join(tmpdir(), "agentgate-cache-")));
  made.push(fresh);
  return fresh;
}

const open = (where: string | null, extractor: string | null = EXTRACTOR, maxBytes?: number): Promise<FactsCache> =>
  openFactsCache(where, { root: import.meta.dirname, extractor, ...(maxBytes === undefined ? {} : { maxBytes }) });

const contentOf = (key: string): string => `${key} `.repeat(50);

async function fill(where: string, keys: readonly string[], extractor = EXTRACTOR, maxBytes?: number): Promise<void> {
  const cache = await open(where, extractor, maxBytes);
  for (const key of keys) cache.put(key, "facts", Buffer.from(contentOf(key)));
  await cache.close();
  expect(cache.note).toBeNull();
}

/** Which of the keys are found. What is found is right, or the test fails. */
async function found(where: string, keys: readonly string[], extractor = EXTRACTOR): Promise<string[]> {
  const cache = await open(where, extractor);
  const hits = keys.filter((key) => {
    const content = cache.get(key, "facts");
    if (content !== null) expect(Buffer.from(content).toString()).toBe(contentOf(key));
    return content !== null;
  });
  await cache.close();
  return hits;
}

const packsOf = (where: string): string[] => readdirSync(path.join(where, "facts-1")).sort().map((name) => path.join(where, "facts-1", name));

describe("a cache", () => {
  it("gives back what was put, by key and section, in the same run and in the next", async () => {
    const where = folder();
    const first = await open(where);
    expect(first.note).toBeNull();
    first.put("k", "facts", Buffer.from("one"));
    first.put("k", "specifiers", Buffer.alloc(0));
    expect(Buffer.from(first.get("k", "facts")!).toString()).toBe("one");
    await first.flush();
    expect(Buffer.from(first.get("k", "facts")!).toString()).toBe("one");
    await first.close();
    const second = await open(where);
    expect(Buffer.from(second.get("k", "facts")!).toString()).toBe("one");
    expect(second.get("k", "specifiers")).toHaveLength(0);
    expect([second.get("k", "reach"), second.get("l", "facts")]).toEqual([null, null]);
    await second.close();
  });

  it("gives what was put last", async () => {
    const where = folder();
    for (const text of ["old", "new"]) {
      const cache = await open(where);
      cache.put("k", "facts", Buffer.from(text));
      if (text === "new") await cache.flush();
      expect(Buffer.from(cache.get("k", "facts")!).toString()).toBe(text);
      await cache.close();
    }
  });

  it("tells texts, dialects and module kinds apart", () => {
    const blob = "b".repeat(40);
    const keys = [{ dialect: "javascript" }, { dialect: "jsx" }, { dialect: "javascript", moduleKind: "module" }] as const;
    expect(new Set([...keys.map((job) => cacheKey(blob, job)), cacheKey("c".repeat(40), keys[0])]).size).toBe(4);
  });

  it("keeps values of megabytes, and any key", async () => {
    const where = folder();
    const large = Buffer.alloc(40 * 1024 * 1024, "x");
    const first = await open(where);
    first.put("__proto__\0\n".repeat(1000), "facts", large);
    await first.close();
    const second = await open(where);
    expect(Buffer.from(second.get("__proto__\0\n".repeat(1000), "facts")!).equals(large)).toBe(true);
    await second.close();
  });

  it("has nothing of another extractor, and leaves its packs alone", async () => {
    const where = folder();
    await fill(where, ["k"]);
    expect(await found(where, ["k"], "b".repeat(64))).toEqual([]);
    expect(await found(where, ["k"])).toEqual(["k"]);
  });

  it("has nothing of an extractor whose packs have the same name", async () => {
    const where = folder();
    await fill(where, ["k"]);
    expect(await found(where, ["k"], `${"a".repeat(63)}b`)).toEqual([]);
  });

  it("is closed for good", async () => {
    const cache = await open(folder());
    cache.put("k", "facts", Buffer.from("one"));
    await cache.close();
    cache.put("k", "facts", Buffer.from("two"));
    expect(cache.get("k", "facts")).toBeNull();
    await cache.flush();
    await cache.close();
    expect(cache.note).toBeNull();
  });
});

describe("packs", () => {
  it("are merged when there are many, and nothing is lost", async () => {
    const where = folder();
    const keys = Array.from({ length: 60 }, (_, index) => `k${index}`);
    for (const key of keys) await fill(where, [key]);
    expect(packsOf(where).length).toBeLessThan(20);
    expect(await found(where, keys)).toEqual(keys);
  });

  it("go where their bound is passed, those first that were used longest ago", async () => {
    const where = folder();
    await fill(where, ["old"]);
    const [old] = packsOf(where);
    await fill(where, ["used"]);
    const used = packsOf(where).find((file) => file !== old)!;
    for (const [file, hours] of [[old!, 2], [used, 3]] as const) utimesSync(file, Date.now() / 1000 - hours * 3600, Date.now() / 1000 - hours * 3600);
    expect(await found(where, ["used"])).toEqual(["used"]);
    await fill(where, ["new"], EXTRACTOR, 800);
    expect(await found(where, ["old", "used", "new"])).toEqual(["used", "new"]);
  });

  it("do not hold what is larger than the bound", async () => {
    const where = folder();
    await fill(where, ["k"], EXTRACTOR, 10);
    expect(packsOf(where)).toEqual([]);
  });

  it("that were left half written go after an hour", async () => {
    const where = folder();
    await fill(where, ["k"]);
    const [pack] = packsOf(where);
    const names = ["0000000000ab", "0000000000ac"].map((end) => `${pack!.slice(0, -"000000000000.pack".length)}${end}.tmp`);
    for (const name of names) writeFileSync(name, "half");
    utimesSync(names[0]!, 1, 1);
    expect(await found(where, ["k"])).toEqual(["k"]);
    expect(packsOf(where).sort()).toEqual([pack, names[1]].sort());
  });
});

describe("a damaged pack", () => {
  const keys = ["a", "b", "c"];

  async function onePack(): Promise<{ where: string; pack: string; bytes: Buffer }> {
    const where = folder();
    await fill(where, keys);
    const [pack] = packsOf(where);
    return { where, pack: pack!, bytes: readFileSync(pack!) };
  }

  it("gives no wrong content, whichever byte is another", async () => {
    const { where, pack, bytes } = await onePack();
    for (let at = 0; at < bytes.length; at += at < 200 ? 1 : 7) {
      const other = Buffer.from(bytes);
      other[at]! ^= 1 << at % 8;
      writeFileSync(pack, other);
      expect((await found(where, keys)).length, `byte ${at}`).toBeLessThan(3);
    }
  });

  it("gives no wrong content when it is cut off, empty, zeros or noise", async () => {
    const { where, pack, bytes } = await onePack();
    const noise = Buffer.from(bytes.map((byte, index) => (byte * 31 + index * 17) & 255));
    const cut = [0, 1, 50, 83, 84, 100, bytes.length - 1].map((length) => bytes.subarray(0, length));
    for (const other of [...cut, Buffer.alloc(bytes.length), noise, Buffer.concat([bytes, bytes])]) {
      writeFileSync(pack, other);
      expect(await found(where, keys)).toEqual([]);
      expect(packsOf(where), "it is put away").toEqual([]);
    }
  });

  it("is a miss when it is cut off while it is open", async () => {
    const { where, pack } = await onePack();
    const cache = await open(where);
    truncateSync(pack, 120);
    expect(keys.map((key) => cache.get(key, "facts"))).toEqual([null, null, null]);
    await cache.close();
  });

  it("is passed over where something else has its name", async () => {
    const { where, pack, bytes } = await onePack();
    const elsewhere = path.join(folder(), "copy");
    writeFileSync(elsewhere, bytes);
    rmSync(pack);
    symlinkSync(elsewhere, pack);
    expect(await found(where, keys)).toEqual([]);
    rmSync(pack, { force: true });
    mkdirSync(pack);
    expect(await found(where, keys)).toEqual([]);
    await fill(where, keys);
    expect(await found(where, keys)).toEqual(keys);
  });

  it("is mended by the next run that puts the same", async () => {
    const { where, pack, bytes } = await onePack();
    const other = Buffer.from(bytes);
    other[other.length - 1]! ^= 1;
    writeFileSync(pack, other);
    const hits = await found(where, keys);
    expect(hits).toHaveLength(2);
    await fill(where, keys.filter((key) => !hits.includes(key)));
    expect(await found(where, keys)).toEqual(keys);
  });
});

describe("a folder that cannot be used", () => {
  async function inert(where: string | null, root = import.meta.dirname, extractor: string | null = EXTRACTOR): Promise<string | null> {
    const cache = await openFactsCache(where, { root, extractor });
    cache.put("k", "facts", Buffer.from("one"));
    await cache.flush();
    const { note } = cache;
    await cache.close();
    return note;
  }

  it("is none, without a word", async () => {
    expect(await inert(null)).toBeNull();
  });

  it("lies inside the judged tree, however it is named", async () => {
    const root = folder();
    const outside = folder();
    symlinkSync(root, path.join(outside, "link"));
    for (const where of [root, path.join(root, "a/b"), path.join(outside, "link/c"), path.join(outside, "..", path.basename(root))]) {
      expect(await inert(where, root), where).toBe("Facts are not cached: the cache folder lies inside the judged tree.");
    }
    symlinkSync(outside, path.join(root, "in"));
    expect(await inert(path.join(root, "in"), root)).toContain("inside the judged tree");
    expect(readdirSync(root)).toEqual(["in"]);
  });

  it("is a file, or below one", async () => {
    const file = path.join(folder(), "file");
    writeFileSync(file, "");
    for (const where of [file, path.join(file, "below")]) expect(await inert(where)).toMatch(/^Facts are not cached: .*\.$/);
    const where = folder();
    writeFileSync(path.join(where, "facts-1"), "");
    expect(await inert(where)).toContain("Facts are not cached");
  });

  it.skipIf(process.platform === "win32")("can be written by others", async () => {
    for (const [below, mode] of [["", 0o777], ["", 0o770], ["facts-1", 0o722]] as const) {
      const where = folder();
      mkdirSync(path.join(where, "facts-1"));
      chmodSync(path.join(where, below), mode);
      expect(await inert(where)).toBe("Facts are not cached: others may write to the cache folder.");
    }
  });

  it.skipIf(process.getuid?.() !== 0)("belongs to somebody else", async () => {
    const where = folder();
    const { chownSync } = await import("node:fs");
    chownSync(where, 12345, 12345);
    expect(await inert(where)).toBe("Facts are not cached: the cache folder belongs to another user.");
  });

  it.skipIf(process.platform === "win32" || process.getuid?.() === 0)("cannot be written: what is there is still read", async () => {
    const where = folder();
    await fill(where, ["k"]);
    chmodSync(path.join(where, "facts-1"), 0o500);
    expect(await found(where, ["k"])).toEqual(["k"]);
    expect(await inert(where)).toContain("writing to the cache folder failed (EACCES)");
    chmodSync(path.join(where, "facts-1"), 0o700);
  });

  it("goes away during the run", async () => {
    const where = folder();
    const cache = await open(where);
    rmSync(where, { recursive: true });
    cache.put("k", "facts", Buffer.from("one"));
    await cache.flush();
    expect(cache.note).toBe("Facts of this run are not cached: writing to the cache folder failed (ENOENT).");
    cache.put("k", "facts", Buffer.from("one"));
    expect(cache.get("k", "facts")).toBeNull();
    await cache.close();
  });

  it("has no extractor to belong to", async () => {
    expect(await inert(folder(), import.meta.dirname, null)).toContain("Facts are not cached");
  });

  it.skipIf(process.platform === "win32")("is made for its user alone", async () => {
    const where = path.join(folder(), "new", "er");
    await fill(where, ["k"]);
    expect([where, path.join(where, "facts-1")].map((each) => statSync(each).mode & 0o777)).toEqual([0o700, 0o700]);
    expect(statSync(packsOf(where)[0]!).mode & 0o777).toBe(0o600);
  });
});
