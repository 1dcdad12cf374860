import data from "../../data/loops.json" with { type: "json" };

/** What loops are told by: clocks, limits, sources of work, timers. Each list has its source beside it in the data. */
export const LOOPS = data;

export const CLOCKS: readonly string[] = data.clocks.apis;
export const CLOCK_METHODS = new Set(data.clocks.methods);
export const GROWING = new Set(data.growing);
export const SHRINKING = new Set(data.shrinking);
export const SIZES = new Set(data.sizes);
export const TEST_MODES = new Set(data.testModes);
