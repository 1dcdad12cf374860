import { describe, expect, it } from "vitest";
import { comparedWith, sha256 } from "./digests.ts";
import { COMMAND, ENV_NAME, hasForm } from "./forms.ts";
import { hostHits, hostOf } from "./hosts.ts";
import { contains, isSafePath, tidy } from "./paths.ts";
import { ageInDays, ageInHours, dateOf, isExpired, isFuture, momentOf, timestampOf } from "./time.ts";
import { intOf, isOwner, isPlaceholder, numberOf } from "./values.ts";

const NOW = new Date("2026-12-01T12:00:00Z");
const scalar = (value: string | number | boolean | null, source = String(value)): Parameters<typeof intOf>[0] => ({ kind: "scalar", value, source, at: { line: 1, column: 1, length: 0 } });

describe("values", () => {
  it.each(["tbd", " TODO ", "FixMe", "n/a", "NA", "none", "null", "Unknown", "xxx", "changeme", "replace_me", "REPLACE-this", "<owner>"])("takes %j for a placeholder", (text) => {
    expect(isPlaceholder(text)).toBe(true);
  });

  it.each(["todo-service", "nonesuch", "na-east", "replacement", "a <b>", "none of them"])("takes %j for what it says", (text) => {
    expect(isPlaceholder(text)).toBe(false);
  });

  it.each(["ai", "AI ", "@Agent", "bot", "copilot", "assistant", "model", "llm", "nobody", "anyone", "everyone", "#payments", "@#x", "whoever-merged", "dependabot[bot]", "release-bot", " ", "tbd"])("takes %j for no owner", (text) => {
    expect(isOwner(text)).toBe(false);
  });

  it.each(["payments", "@payments", "Ada Lovelace", "robot-team", "ai-platform", "modeling"])("takes %j for an owner", (text) => {
    expect(isOwner(text)).toBe(true);
  });

  it("takes whole numbers as they are written", () => {
    expect([scalar(3), scalar(-3), scalar(0)].map(intOf)).toEqual([3, -3, 0]);
    expect([scalar("3"), scalar(true), scalar(3, "3.0"), scalar(300, "3e2"), scalar(31, "0x1F"), scalar(3, "+3"), scalar(2 ** 53), scalar(NaN, ".nan"), scalar(null)].map(intOf)).toEqual(Array(9).fill(null));
    expect([scalar(0.5), scalar(3, "3.0"), scalar(300, "3e2")].map(numberOf)).toEqual([0.5, 3, 300]);
    expect([scalar(NaN, ".nan"), scalar(Infinity, ".inf"), scalar("0.5"), scalar(true), scalar(31, "0x1F")].map(numberOf)).toEqual(Array(5).fill(null));
  });

  it.each(["kubectl rollout undo deploy/api", "./ops/rollback.sh v3", "make rollback", "curl -X POST https://ops.example/undo", "git revert abc"])("takes %j for a command", (text) => {
    expect(hasForm(COMMAND, text)).toBe(true);
  });

  it.each(["revert the PR", "Redeploy", "Kubectl apply", "ask Ada", "see: the wiki", "please roll back", "https://wiki.example/rollback", "  ", "roll back, then wait", "FOO=1 make undo"])("takes %j for prose", (text) => {
    expect(hasForm(COMMAND, text)).toBe(false);
  });

  it("knows names of variables", () => {
    expect(["MODEL_ID", "_X", "A1"].every((name) => hasForm(ENV_NAME, name))).toBe(true);
    expect(["model_id", "1A", "A-B", "A B", "", "A\n"].some((name) => hasForm(ENV_NAME, name))).toBe(false);
  });
});

describe("time", () => {
  it("knows the calendar and does not roll over", () => {
    expect(["2026-02-28", "2024-02-29", "0001-01-01"].every((day) => dateOf(day) !== null)).toBe(true);
    expect(["2026-02-30", "2025-02-29", "2026-13-01", "2026-00-10", "2026-1-1", "26-01-01", "2026-01-01 "].some((day) => dateOf(day) !== null)).toBe(false);
  });

  it("asks a time for its offset", () => {
    expect(timestampOf("2026-12-01T12:00:00+02:00")?.ms).toBe(Date.UTC(2026, 11, 1, 10));
    expect(timestampOf("2026-12-01t12:00:00.5z")?.ms).toBe(Date.UTC(2026, 11, 1, 12, 0, 0, 500));
    expect(["2026-12-01T12:00:00", "2026-12-01 12:00:00Z", "2026-12-01T24:00:00Z", "2026-12-01T12:00Z", "2026-02-30T12:00:00Z", "2026-12-01T12:00:00+25:00", "Dec 1 2026"].some((text) => timestampOf(text) !== null)).toBe(false);
  });

  it("counts age in days of UTC", () => {
    expect(ageInDays(momentOf("2026-12-01")!, NOW)).toBe(0);
    expect(ageInDays(momentOf("2026-11-30T23:59:59Z")!, NOW)).toBe(1);
    expect(ageInDays(momentOf("2026-12-01T01:00:00+05:00")!, NOW)).toBe(1);
    expect(ageInHours(momentOf("2026-12-01T10:30:00Z")!, NOW)).toBe(1.5);
  });

  it("leaves room for time zones and clocks", () => {
    expect(["2026-12-02", "2026-12-01T12:05:00Z"].some((text) => isFuture(momentOf(text)!, NOW))).toBe(false);
    expect(["2026-12-03", "2026-12-01T12:05:01Z"].every((text) => isFuture(momentOf(text)!, NOW))).toBe(true);
  });

  it("lets a day hold through its end", () => {
    expect(isExpired(dateOf("2026-12-01")!, new Date("2026-12-01T23:59:59Z"))).toBe(false);
    expect(isExpired(dateOf("2026-12-01")!, new Date("2026-12-02T00:00:00Z"))).toBe(true);
  });
});

describe("paths", () => {
  it.each(["/etc/passwd", "C:/x", "c:x", "a\\b", "~/x", "a/~b", "$HOME/x", "a\0b", "..", "../a", "a/..", "a/../b"])("refuses %j", (path) => {
    expect(isSafePath(path)).toBe(false);
  });

  it.each(["a", "./a/b", "a..b/c", "...", "a/.hidden", "é/ü"])("takes %j", (path) => {
    expect(isSafePath(path)).toBe(true);
  });

  it("contains by whole segments", () => {
    expect(tidy("./a//b/")).toBe("a/b");
    expect([contains("srv/app", "srv/app/x"), contains("srv/app/", "srv/app"), contains(".", "x")]).toEqual([true, true, true]);
    expect([contains("srv/app", "srv/app-old"), contains("srv/app", "srv")]).toEqual([false, false]);
  });
});

describe("digests", () => {
  it("tell line ends from other differences", () => {
    const [lf, crlf] = ["a\nb\n", "a\r\nb\r\n"].map((text) => Buffer.from(text));
    expect(comparedWith(lf!, sha256(lf!))).toBe("equal");
    expect(comparedWith(crlf!, sha256(lf!))).toBe("line-endings");
    expect(comparedWith(lf!, sha256(crlf!))).toBe("line-endings");
    expect(comparedWith(Buffer.from("a\nb"), sha256(lf!))).toBe("different");
    expect(comparedWith(Buffer.from([0xff, 0x0d, 0x0a]), sha256(Buffer.from([0xff, 0x0a])))).toBe("line-endings");
  });
});

describe("hosts", () => {
  it.each([
    ["GPU.Corp.Example.", "gpu.corp.example"], ["https://user:pw@Host.example:8443/x", "host.example"], ["0x7f.1", "127.0.0.1"], ["localhost:8080", "localhost"], ["[::1]:80", "[::1]"], ["", null], ["a b", null],
  ])("reads %j as %j", (text, host) => {
    expect(hostOf(text)).toBe(host);
  });

  it.each([
    ["gpu-lab.corp.example", "lab.", 1], ["collab.corp.example", "lab.", 0], ["lab.", "lab.", 0], ["the lab. ends", "lab.", 0], ["127.0.0.10", "127.0.0.1", 0], ["x=127.0.0.1:80", "127.0.0.1", 1], ["LOCALHOST", "localhost", 1],
    ["localhosts", "localhost", 0], ["overdraft.example", "draft.", 0], ["a.lab.b lab.c", "lab.", 2], ["anything", "  ", 0],
  ])("in %j finds %j %d times", (text, literal, times) => {
    expect(hostHits(text, literal)).toHaveLength(times);
  });
});
