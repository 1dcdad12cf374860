import { occurrencesOf } from "@agentgate/parsers";
import type { ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import { chainEnd } from "../effects/chain.ts";
import type { Effect } from "../effects/index.ts";
import { pathOf } from "../effects/temporary.ts";
import { bare, originsOf, parentsOf } from "../expressions.ts";

const ENDS = /\.(?:tmp|temp|part|partial)$/i;
const PUTS = /^(?:writeFile|writeFileSync|write_text|write_bytes|open|openSync|copyFile|copyFileSync|copy|copyfile|rename|renameSync|replace|createWriteStream|outputFile|outputFileSync|dump|save)$/;
const MOST_STEPS = 6;

/** Whether a file is removed that the same name wrote before, beside the one that it was to become: `target.tmp`, left over by a failure. */
export function isOwnLeftover(facts: ModuleFacts, { capability, call }: Effect): boolean {
  if (capability !== "fs.delete") return false;
  const path = pathOf(facts, facts.calls[call]!);
  const value = path === null ? undefined : facts.values[bare(facts, path)];
  if (path === null || value?.kind !== "name" || value.binding === -1 || !endsAsLeftover(facts, path)) return false;
  return occurrencesOf(facts, value.binding).some((each) => isPut(facts, each));
}

function endsAsLeftover(facts: ModuleFacts, path: ValueId): boolean {
  let id: ValueId | undefined = path;
  for (let step = 0; id !== undefined && step < MOST_STEPS; step++) {
    const [origin, ...others]: readonly ValueId[] = originsOf(facts, id).values;
    if (origin === undefined || others.length > 0) return false;
    const value: Value = facts.values[origin]!;
    if (value.kind === "string") return ENDS.test(value.value);
    id = value.kind === "template" ? value.parts.at(-1) : value.kind === "binary" ? value.right : value.kind === "call" ? facts.calls[value.call]!.arguments.at(-1)?.value : undefined;
  }
  return false;
}

/** Handed to what writes a file, or the object of it: `temporary.write_text(text)`. */
function isPut(facts: ModuleFacts, id: ValueId): boolean {
  const parents = parentsOf(facts);
  let current = parents[id] ?? -1;
  for (let step = 0; current !== -1 && step < MOST_STEPS; step++) {
    const around = facts.values[current]!;
    if (around.kind === "call") return PUTS.test(chainEnd(facts, facts.calls[around.call]!.callee));
    current = parents[current] ?? -1;
  }
  return false;
}
