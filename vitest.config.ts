import { defineConfig } from "vitest/config";
import { SlowFirst } from "./test/slow-first.ts";

export default defineConfig({
  test: {
    environment: "node",
    globalSetup: "test/cache.setup.ts",
    sequence: { sequencer: SlowFirst },
    include: ["{parsers,rules,packages,tools,bench}/**/*.test.ts", "test/**/*.test.ts"],
    // The plugin in real linters and editors takes two minutes more than a whole run may: `npm run test:eslint` until it is shorter.
    exclude: ["**/node_modules/**", "**/dist/**", "fixtures/**", ...process.env["ESLINT_SUITES"] === "1" ? [] : ["test/eslint/**"]],
    // Suites start compilers, child processes and git: the default of five seconds measures the machine, not the code.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
