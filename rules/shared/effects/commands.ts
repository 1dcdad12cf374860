import { constantsOf } from "@agentgate/parsers";
import type { Call, ModuleFacts } from "@agentgate/parsers";
import { verbOfName } from "../../catalogue/verbs.ts";
import { argumentOf } from "../arguments.ts";
import { bare, originsOf, parentsOf } from "../expressions.ts";
import { chainOf } from "./chain.ts";
import type { Called, Done } from "./resolved.ts";
import { MODEL_COMMANDS, READ_CLOUD_COMMANDS, READ_DATABASE_COMMANDS, READ_STORE_COMMANDS } from "./vocabulary.ts";

/** `db("users").select(db.raw("count(*)"))`: text that a query is built from, and that nothing runs by itself. */
export function isFragment({ facts, call, name }: Called): boolean {
  if (name !== "raw") return false;
  const parents = parentsOf(facts);
  const result = parents[call.callee] ?? -1;
  const around = facts.values[parents[result] ?? -1];
  return around?.kind === "call" && facts.calls[around.call]!.callee !== result;
}

/** `redis.execute_command("FT.SEARCH", index)`, `client.sendCommand(["FT._LIST"])`. */
export function asksStore({ facts, call, name }: Called): boolean {
  if (!/^(?:(?:execute|send|custom)_?command|call)$/i.test(name)) return false;
  const [first] = call.arguments;
  const given = first === undefined ? undefined : facts.values[bare(facts, first.value)];
  const command = given?.kind === "list" ? given.items[0] : first?.value;
  const constants = command === undefined ? null : constantsOf(facts, command);
  return constants !== null && constants.length > 0 && constants.every(({ value }) => typeof value === "string" && READ_STORE_COMMANDS.has(value.toLowerCase()));
}

/** Valkey GLIDE's packages: https://glide.valkey.io. */
const BATCHES = new Set(["@valkey/valkey-glide", "glide", "glide_sync"]);

/** `client.exec(batch)` of a batch that the file makes: what it holds is told where it is put in. */
export function runsOwnBatch({ facts, call, name }: Called): boolean {
  const [first] = call.arguments;
  if (name !== "exec" || first === undefined) return false;
  const { values, complete } = originsOf(facts, first.value);
  return complete && values.every((origin) => {
    let value = facts.values[origin];
    for (let step = 0; step < 64 && value?.kind === "call"; step++) {
      const made = facts.calls[value.call]!;
      const callee = facts.values[made.callee];
      if (made.references.some(({ module, path }) => BATCHES.has(module) && /^(?:Cluster)?(?:Batch|Transaction)$/.test(path.at(-1) ?? ""))) return true;
      value = callee?.kind === "member" ? facts.values[bare(facts, callee.object)] : undefined;
    }
    return false;
  });
}

/** `interpreter.invoke(method="listFiles")`, `get_process.sync(id)`: a name that is given, or stands before, reads. */
export function asksByName({ facts, call, reference, name }: Called): boolean {
  // A job of a service that fetches pages, and keeps nothing: Hyperbrowser, Firecrawl.
  if (/^(?:start|run|poll)(?:_and_wait|AndWait)?$/.test(name)) return /^(?:scrape|crawl|search)$/.test(reference.path.at(-2) ?? "");
  if (/^sync(?:_detailed)?$/.test(name)) return verbOfName(reference.path.at(-2) ?? "") === "read";
  if (name !== "invoke") return false;
  const method = argumentOf(facts, call, 0, "method");
  const constants = typeof method === "number" ? constantsOf(facts, method) : null;
  return constants !== null && constants.length > 0 && constants.every(({ value }) => typeof value === "string" && verbOfName(value) === "read");
}

/** `db.command("ping")`, `db.command({ dbStats: 1 })`: the first key of a table is the command. */
export function asksDatabase({ facts, call, name }: Called): boolean {
  if (!/^(?:run_?)?(?:admin_?)?command$/i.test(name)) return false;
  const [first] = call.arguments;
  const constants = first === undefined ? null : constantsOf(facts, first.value);
  const table = first === undefined ? undefined : facts.values[bare(facts, first.value)];
  if (constants === null && table?.kind !== "table") return false;
  const key = table?.kind === "table" ? table.entries[0]?.key ?? null : null;
  const texts = table?.kind === "table" ? (key === null ? null : constantsOf(facts, key)) : constants;
  return texts !== null && texts.length > 0 && texts.every(({ value }) => typeof value === "string" && READ_DATABASE_COMMANDS.has(value.toLowerCase()));
}

/** What `client.send(new PutObjectCommand(…))` does, by the command. */
export function command(facts: ModuleFacts, call: Call, capability: "db.write" | "cloud.write"): Done[] {
  const [first] = call.arguments;
  const origins = first === undefined ? [] : originsOf(facts, first.value).values;
  const names = origins.map((origin) => {
    const value = facts.values[origin];
    return value?.kind === "call" ? chainOf(facts, facts.calls[value.call]!.callee)?.names.at(-1) ?? "" : "";
  });
  if (names.length > 0 && names.every((name) => MODEL_COMMANDS.has(name))) return [{ capability: "model", writes: false }];
  return names.length > 0 && names.every((name) => verbOfName(name) === "read" || READ_CLOUD_COMMANDS.has(name)) ? [] : [{ capability, writes: true }];
}

/** `client.send(new ReceiveMessageCommand(…))`. */
export function commandReceives(facts: ModuleFacts, call: Call): boolean {
  const [first] = call.arguments;
  const value = first === undefined ? undefined : facts.values[bare(facts, first.value)];
  const name = value?.kind === "call" ? chainOf(facts, facts.calls[value.call]!.callee)?.names.at(-1) ?? "" : "";
  return name.endsWith("Command") && !/^(?:Send|Publish|Put)/.test(name);
}
