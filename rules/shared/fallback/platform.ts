import type { CallId, ModuleFacts, ValueId } from "@agentgate/parsers";
import listed from "../../data/deny-hosts.json" with { type: "json" };
import { someIngredient } from "../expressions.ts";

const HEADERS = new Set(listed.platform.headers.names);
const AGENTS = new Set(listed.platform.agents.modules);
const PORTS = new Set(listed.platform.ports.numbers);

/** Whether an address of this machine is one that the platform has there: its metadata, an agent or collector beside the program. */
export function isAtPlatform(facts: ModuleFacts, address: ValueId, call: CallId): boolean {
  const text = facts.values[address];
  const port = text?.kind === "string" ? /:(\d+)(?:\/|$)/.exec(text.value)?.[1] : undefined;
  if (port !== undefined && PORTS.has(Number(port))) return true;
  const entry = facts.calls[call];
  if (entry === undefined) return false;
  if (entry.references.some(({ module }) => AGENTS.has(module.split(/[./]/)[0]!))) return true;
  return entry.arguments.some((argument) => someIngredient(facts, argument.value, (value) => value.kind === "table" && value.entries.some(({ key }) => isHeader(facts, key)), 60));
}

function isHeader(facts: ModuleFacts, key: ValueId | null): boolean {
  const written = key === null ? undefined : facts.values[key];
  return written?.kind === "string" && HEADERS.has(written.value.toLowerCase());
}
