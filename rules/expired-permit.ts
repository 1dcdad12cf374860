import type { RuleMeta } from "./rule.ts";

export const expiredPermit: RuleMeta = {
  id: "expired-permit",
  severity: "warning",
  summary: "The day through which a port licenses its capabilities is over.",
  category: "policy",
  suppressible: true,
  configurable: true,
  techniques: [
    { name: "day-over", summary: "The date lies before today (UTC).", kind: "true" },
    { name: "last-day", summary: "The date is today: a port holds through the end of its day.", kind: "look-alike" },
    { name: "no-date", summary: "A port without a date does not expire.", kind: "look-alike" },
  ],
};
