import { execFile, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openFactsCache } from "./facts-cache.ts";

const repository = path.join(import.meta.dirname, "../../..");
const EXTRACTOR = "a".repeat(64);
const base = realpathSync(mkdtempSync(path.join(tmpdir(), "agentgate-cache-")));
const writer = path.join(base, "writer.mjs");
let folders = 0;

beforeAll(async () => {
  await build({
    absWorkingDir: repository, entryPoints: ["packages/engine/testing/cache-writer.ts"], outfile: writer, bundle: true, format: "esm",
    platform: "node", target: "node20", alias: { "@agentgate/parsers": path.join(repository, "parsers/facts.ts") }, logLevel: "warning",
  });
});

afterAll(() => {
  rmSync(base, { recursive: true, force: true });
});

const folder = (): string => path.join(base, `cache-${folders++}`);

/** Of the flushes of a writer, those of which every record is found. What is found is right, or the test fails. */
async function whole(where: string, name: string, flushes: number): Promise<number[]> {
  const cache = await openFactsCache(where, { root: import.meta.dirname, extractor: EXTRACTOR });
  const found = Array.from({ length: flushes }, (_, flush) => flush).filter((flush) => [0, 1, 2].every((index) => {
    const key = `${name}-${flush}-${index}`;
    const content = cache.get(key, "facts");
    if (content !== null) expect(Buffer.from(content).toString() === `${key} `.repeat(2000), key).toBe(true);
    return content !== null;
  }));
  await cache.close();
  return found;
}

describe("processes that share a cache", () => {
  it("each keep what they wrote, also while others merge", async () => {
    const where = folder();
    const run = promisify(execFile);
    for (let round = 0; round < 2; round++) {
      const names = ["x", "y", "z"].map((name) => name + String(round));
      await Promise.all(names.map((name) => run(process.execPath, [writer, where, EXTRACTOR, name, "12"])));
      // One that was listed and merged away meanwhile is a miss, never a wrong answer; here nobody reads meanwhile.
      for (const name of names) expect((await whole(where, name, 12)).length).toBe(12);
    }
  });

  it("lose nothing that was flushed when one is killed while it writes", async () => {
    const where = folder();
    for (let round = 0; round < 4; round++) {
      const child = spawn(process.execPath, [writer, where, EXTRACTOR, `k${round}`, "100000"], { stdio: ["ignore", "pipe", "ignore"] });
      let told = 0;
      child.stdout.on("data", (chunk: Buffer) => {
        told += chunk.toString().split("\n").length - 1;
        if (told > 5 + 7 * round) child.kill("SIGKILL");
      });
      await new Promise((resolve) => child.on("close", resolve));
      expect(child.signalCode).toBe("SIGKILL");
      expect(told).toBeGreaterThan(5);
      // The newest of a fixed number of packs are read: here there are fewer.
      expect((await whole(where, `k${round}`, told)).length).toBe(told);
    }
  });
});

/** Where a file system of our own can be mounted, in a namespace that ends with the process. */
const canMount = process.platform === "linux" && spawnSync("unshare", ["--map-root-user", "--mount", "mount", "-t", "tmpfs", "tmpfs", tmpdir()], { stdio: "ignore" }).status === 0;

describe.runIf(canMount)("a disk", () => {
  /** What the writer says on a small disk of its own, and what the shell says after it. */
  function onDisk(name: string, script: string): string[] {
    const disk = path.join(base, name);
    mkdirSync(disk);
    const result = spawnSync("unshare", ["--map-root-user", "--mount", "sh", "-ec", `mount -t tmpfs -o size=1m tmpfs "$1"; ${script}`, "sh", disk, process.execPath, writer, EXTRACTOR], { encoding: "utf8" });
    expect([result.status, result.stderr]).toEqual([0, ""]);
    return result.stdout.trim().split("\n");
  }

  it("that is full keeps what fits, and says what does not", () => {
    const said = onDisk("full", `"$2" "$3" "$1/cache" "$4" n 100; ls "$1/cache/facts-1" | grep -c tmp || true`);
    const full = "Facts of this run are not cached: writing to the cache folder failed (ENOSPC).";
    expect(said[0]).toBe("0 null");
    expect(said.slice(-3)).toEqual([`99 ${full}`, "closed", "0"]);
  });

  it("that is full from the start is no cache", () => {
    const said = onDisk("brim", `head -c 2000000 /dev/zero > "$1/file" 2>/dev/null || true; mkdir -m 700 -p "$1/cache/facts-1"; "$2" "$3" "$1/cache" "$4" n 2`);
    expect(said).toEqual(["0", "1"].map((flush) => `${flush} Facts of this run are not cached: writing to the cache folder failed (ENOSPC).`).concat("closed"));
  });

  it("that cannot be written is said", () => {
    const said = onDisk("fixed", `mkdir -m 700 "$1/cache"; mount -o remount,ro "$1"; "$2" "$3" "$1/cache" "$4" n 1; "$2" "$3" "$1/other" "$4" n 1`);
    expect(said).toEqual(["0 Facts are not cached: the cache folder cannot be used (EROFS).", "closed", "0 Facts are not cached: the cache folder cannot be used (EROFS).", "closed"]);
  });

  it("that became read-only still gives what it holds", () => {
    const said = onDisk("kept", `"$2" "$3" "$1/cache" "$4" n 2; mount -o remount,ro "$1"; "$2" "$3" "$1/cache" "$4" n 1`);
    expect(said).toEqual(["0 null", "1 null", "closed", "0 Facts of this run are not cached: writing to the cache folder failed (EROFS).", "closed"]);
  });
});
