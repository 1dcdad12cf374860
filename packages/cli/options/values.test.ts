import { describe, expect, it } from "vitest";
import { digestOf, jobsOf, momentOf, ruleSeverities, shardOf } from "./values.ts";

describe("--jobs", () => {
  it.each(["1", "256"])("takes %s", (value) => expect(jobsOf(value)).toBe(Number(value)));
  it.each(["0", "-1", "1.5", "1e2", "x", "", "257", "99999999999"])("refuses %j", (value) => expect(() => jobsOf(value)).toThrow("--jobs"));
});

describe("--now", () => {
  it.each([
    ["2026-01-31", "2026-01-31T00:00:00.000Z"],
    ["2026-01-31T12:00", "2026-01-31T12:00:00.000Z"],
    ["2026-01-31T12:00:00Z", "2026-01-31T12:00:00.000Z"],
    ["2026-01-31T12:00:00.5+02:00", "2026-01-31T10:00:00.500Z"],
  ])("reads %s, in UTC where no offset is given", (value, expected) => expect(momentOf(value).toISOString()).toBe(expected));
  it.each(["", "today", "2026-13-01", "2026-02-30", "2026-01-31T25:00Z", "31.1.2026", "2026-01-31 "])("refuses %j", (value) => {
    expect(() => momentOf(value)).toThrow("--now");
  });
});

describe("--shard", () => {
  it("takes i/n", () => expect(shardOf("2/4")).toEqual({ index: 2, count: 4 }));
  it.each(["0/4", "5/4", "1", "a/b", "1/0", "-1/2"])("refuses %j", (value) => expect(() => shardOf(value)).toThrow("--shard"));
});

describe("--accept", () => {
  it("takes a digest", () => expect(digestOf("A".repeat(64))).toBe("a".repeat(64)));
  it.each(["", "abc", "g".repeat(64)])("refuses %j", (value) => expect(() => digestOf(value)).toThrow("--accept"));
});

describe("--rule", () => {
  it("takes severities, the last of a rule, with or without the prefix", () => {
    expect(ruleSeverities(["no-invented-io=off", "agentgate/no-invented-io=warning", "no-dynamic-import=error"])).toEqual({
      "no-invented-io": "warning", "no-dynamic-import": "error",
    });
  });

  it("accepts that a later rule is off, and refuses to pretend that it judges", () => {
    expect(ruleSeverities(["undeclared-env=off", "loop-budget/over-ceiling=off"])).toEqual({ "undeclared-env": "off", "loop-budget/over-ceiling": "off" });
    expect(() => ruleSeverities(["undeclared-env=error"])).toThrow("not in this version");
  });

  it.each(["config", "gate-weakened", "not-judged", "parse-error"])("refuses to change %s", (rule) => {
    expect(() => ruleSeverities([`${rule}=off`])).toThrow("fixed");
  });

  it.each(["no-invented-io", "=error", "no-invented-io=fatal", "no-invented-io=", "nonsense=error", "__proto__=off"])("refuses %j", (value) => {
    expect(() => ruleSeverities([value])).toThrow();
  });

  it("names the rule that was likely meant", () => {
    expect(() => ruleSeverities(["no-invented-oi=error"])).toThrow(expect.objectContaining({ hint: "Did you mean no-invented-io?" }));
  });
});
