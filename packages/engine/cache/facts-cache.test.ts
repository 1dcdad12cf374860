import { mkdtempSync, realpathSync, rmSync } from "node:fs";
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

describe("a cache", () => {
  it("gives back what was put, by key and section, in the same run and in the next", async () => {
    const where = folder();
    const first = await open(where);
    expect(first.note).toBeNull();
    first.put("k", "facts", Buffer.from("one"));
    first.put("k", "specifiers", Buffer.alloc(0));
    expect(Buffer.from(first.get("k", "facts")!).toString()).toBe("one");
    await first.close();
    const second = await open(where);
    expect(Buffer.from(second.get("k", "facts")!).toString()).toBe("one");
    expect(second.get("k", "specifiers")).toHaveLength(0);
    expect([second.get("k", "reach"), second.get("l", "facts")]).toEqual([null, null]);
    await second.close();
  });

  it("tells texts, dialects and module kinds apart", () => {
    const blob = "b".repeat(40);
    const keys = [{ dialect: "javascript" }, { dialect: "jsx" }, { dialect: "javascript", moduleKind: "module" }] as const;
    expect(new Set(keys.map((job) => cacheKey(blob, job))).size).toBe(3);
  });
});
