import { readFileSync } from "node:fs";

/** `/proc` counts in hundredths of a second on every Linux that Node runs on. */
const TICK_MILLISECONDS = 10;

/**
 * Milliseconds of processor time that another process has used, all its threads together; null where the system does
 * not say (anything but Linux, or the process is gone).
 */
export function cpuTimeOf(pid: number | undefined): number | null {
  if (pid === undefined || process.platform !== "linux") return null;
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name before the closing bracket may hold anything; user and system time are the 12th and 13th field after it.
    const fields = status.slice(status.lastIndexOf(")") + 2).split(" ");
    const ticks = Number(fields[11]) + Number(fields[12]);
    return Number.isFinite(ticks) ? ticks * TICK_MILLISECONDS : null;
  } catch {
    return null;
  }
}
