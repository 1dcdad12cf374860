import { functionsOf } from "@agentgate/parsers";
import { bare } from "../expressions.ts";
import { verbOfName } from "../../catalogue/verbs.ts";
import { chainEnd } from "./chain.ts";
import type { Called } from "./resolved.ts";
import { CACHES, EXECUTES, RESULT_READS, RUNS_FUNCTIONS, SESSION_PACKAGES, SESSION_READS } from "./vocabulary.ts";

/** `(await session.exec(query)).all()`, `session.refresh(row)`: what a statement gave is read, or a row is loaded anew; and what only a cache keeps. */
export function readsRows({ reference, answer, name }: Called): boolean {
  if (CACHES.has(answer.root)) return true;
  const ofSession = SESSION_PACKAGES.has(answer.root.split(".")[0]!);
  if (ofSession && SESSION_READS.has(name)) return true;
  return RESULT_READS.has(name) && reference.path.slice(0, -1).some((member) => EXECUTES.has(member.toLowerCase()));
}

/** `connection.run_sync(inspect_tables)`: what it runs is told where that is written, unless its name says that it writes. */
export function runsOther({ facts, call, name }: Called): boolean {
  if (!RUNS_FUNCTIONS.has(name) || call.arguments.length === 0) return false;
  return call.arguments.every(({ value }) => {
    const given = facts.values[bare(facts, value)];
    if ((given?.kind !== "name" && given?.kind !== "member") || functionsOf(facts, value).length > 0) return true;
    return verbOfName(chainEnd(facts, value).replace(/^_+/, "")) !== "write";
  });
}
