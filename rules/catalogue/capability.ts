/** Every capability of the table in docs/capabilities.md. */
export const CAPABILITIES = [
  "net", "proc", "fs.read", "fs.write", "fs.delete", "env.read", "env.write", "db.read", "db.write",
  "cloud.read", "cloud.write", "queue", "mail", "notify", "pay", "model", "tool", "native", "code", "opaque",
] as const;

export type Capability = (typeof CAPABILITIES)[number];

/** One addition to the catalogue from `capabilities:` in agentgate.yml. */
export interface CapabilityEntry {
  /** Dotted API name, without `node:`: `acme_sdk.charges.create`. */
  readonly api: string;
  readonly capability: Capability | "pure";
}
