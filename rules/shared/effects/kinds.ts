import type { Capability } from "../../catalogue/capability.ts";

/** What changes something outside the process; `net` too where its verb does. */
export const WRITES: readonly Capability[] = ["db.write", "cloud.write", "fs.write", "fs.delete", "queue", "mail", "notify", "pay", "env.write"];

/** What counts where calls are repeated: writes, and what costs, acts or waits. */
export const EFFECTS: readonly Capability[] = [...WRITES, "model", "tool", "net", "proc"];

/** Whether a capability is a write whatever its verb. */
export function isWrite(capability: Capability): boolean {
  return WRITES.includes(capability);
}

export function isEffect(capability: Capability): boolean {
  return EFFECTS.includes(capability);
}
