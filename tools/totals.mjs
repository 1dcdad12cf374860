/** Prints the totals of a vitest JSON report as one line: `12 passed, 0 failed, 1 skipped`. */
import { readFileSync } from "node:fs";
import process from "node:process";

/** @typedef {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, testResults: { status: string, assertionResults: unknown[] }[] }} Report */

/** @returns {Report | null} */
function readReport() {
  const text = readFileSync(process.argv[2] ?? "", "utf8");
  return text === "" ? null : /** @type {Report} */ (JSON.parse(text));
}

const report = readReport();
// A file that does not even load holds no test that could fail; it counts as one.
const unloaded = report?.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0).length ?? 1;
const passed = report?.numPassedTests ?? 0;
const failed = (report?.numFailedTests ?? 0) + unloaded;
const skipped = report?.numPendingTests ?? 0;
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
if (failed > 0 || passed === 0) process.exitCode = 1;
