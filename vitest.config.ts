import { defineConfig } from "vitest/config";
import { SlowFirst } from "./test/slow-first.ts";

export default defineConfig({
  test: {
    environment: "node",
    globalSetup: "test/cache.setup.ts",
    // Vitest leaves one processor free, which on the two of a small machine is half of the speed.
    maxWorkers: "100%",
    sequence: { sequencer: SlowFirst },
    include: ["{parsers,rules,packages,tools,bench}/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/dist/**", "fixtures/**"],
    // Suites start compilers, child processes and git: the default of five seconds measures the machine, not the code.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
