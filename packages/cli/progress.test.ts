import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startProgress } from "./progress.ts";
import { kept, surroundings } from "./testing/streams.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const terminal = { columns: 80 };

describe("the progress line", () => {
  it("is not shown where the work takes less than half a second", () => {
    const stderr = kept(terminal);
    const progress = startProgress(surroundings({ stderr }), true);
    progress.report(1, 2);
    vi.advanceTimersByTime(499);
    progress.stop();
    vi.advanceTimersByTime(10_000);
    expect(stderr.written).toEqual([]);
  });

  it("says now and then how far the work is, and goes away", () => {
    const stderr = kept(terminal);
    const progress = startProgress(surroundings({ stderr }), true);
    progress.report(1, 20);
    vi.advanceTimersByTime(500);
    progress.report(2, 20);
    vi.advanceTimersByTime(100);
    progress.report(3, 20);
    progress.stop();
    progress.stop();
    expect(stderr.written).toEqual(["\r\u001b[Kjudging 1 of 20 files", "\r\u001b[Kjudging 3 of 20 files", "\r\u001b[K"]);
  });

  it.each([
    ["in a pipe", kept(), {}, true],
    ["on a dumb terminal", kept(terminal), { TERM: "dumb" }, true],
    ["when quiet", kept(terminal), {}, false],
  ])("is never shown %s", (_what, stderr, env, wanted) => {
    const progress = startProgress(surroundings({ stderr, env }), wanted);
    vi.advanceTimersByTime(5000);
    progress.report(1, 2);
    progress.stop();
    expect(stderr.written).toEqual([]);
  });
});
