import type { ReportError } from "./report.ts";

/** Why the gate could not judge: becomes `Report.error` and exit code 2. Both texts are one line. */
export class GateError extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }

  toReport(): ReportError {
    return { message: this.message, hint: this.hint };
  }
}

/** The code of a file system error (`ENOENT`), empty for anything else. */
export function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}
