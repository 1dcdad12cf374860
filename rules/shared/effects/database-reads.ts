import { bare } from "../expressions.ts";
import { verbOfName } from "../../catalogue/verbs.ts";
import { chainEnd } from "./chain.ts";
import type { Called } from "./resolved.ts";
import { EXECUTES, RESULT_READS, SESSION_PACKAGES, SESSION_READS } from "./vocabulary.ts";

/** `(await session.exec(query)).all()`, `session.refresh(row)`: what a statement gave is read, or a row is loaded anew. */
export function readsRows({ reference, answer, name }: Called): boolean {
  const ofSession = SESSION_PACKAGES.has(answer.root.split(".")[0]!);
  if (ofSession && SESSION_READS.has(name)) return true;
  return RESULT_READS.has(name) && reference.path.slice(0, -1).some((member) => EXECUTES.has(member.toLowerCase()));
}

/** `connection.run_sync(inspect_tables)`: what it runs is told where that is written, unless its name says that it writes. */
export function runsOther({ facts, call, name }: Called): boolean {
  const [first] = call.arguments;
  if (name !== "run_sync" || first === undefined) return false;
  const given = facts.values[bare(facts, first.value)];
  const run = given?.kind === "name" || given?.kind === "member" ? chainEnd(facts, first.value).replace(/^_+/, "") : "";
  return verbOfName(run) !== "write";
}
