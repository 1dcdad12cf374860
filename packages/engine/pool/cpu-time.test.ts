import { expect, it } from "vitest";
import { cpuTimeOf } from "./cpu-time.ts";

it.runIf(process.platform === "linux")("grows while a process works", () => {
  const before = cpuTimeOf(process.pid)!;
  while (cpuTimeOf(process.pid)! < before + 50);
  const { user, system } = process.cpuUsage();
  expect(Math.abs(cpuTimeOf(process.pid)! - (user + system) / 1000)).toBeLessThan(1000);
});

it("is unknown of a process that is none", () => {
  expect(cpuTimeOf(undefined)).toBeNull();
  expect(cpuTimeOf(2 ** 30)).toBeNull();
});
