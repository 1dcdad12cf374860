import type { CallId, ModuleFacts, ValueId } from "@agentgate/parsers";
import { originsOf } from "../expressions.ts";
import { onceFor, resultOf } from "../indexes.ts";
import { statementsIn } from "../statements.ts";
import { isLimitedAround } from "./around.ts";
import { timeoutDefaultOf } from "./defaults.ts";
import type { TimeoutDefault } from "./defaults.ts";
import { timeoutGiven } from "./given.ts";
import { functionsCalled, withParameters } from "./handed.ts";
import { treatmentOf } from "./made.ts";

/**
 * Whether a client whose limit was taken away gets one with each request that the file sends through it, or around each.
 * One that leaves the file is used where nobody sees it.
 */
export function areSendsLimited(facts: ModuleFacts, id: CallId, client: TimeoutDefault): boolean {
  const made = withParameters(facts, [resultOf(facts, id)]);
  if (made.some((each) => leaving(facts).has(each))) return false;
  const { calls } = treatmentOf(facts);
  const judged = made.flatMap((each) => calls.get(each) ?? []).flatMap(({ member, call }) => {
    const known = sendOf(facts, id, member, client);
    return known === null ? [] : [isLimitedAround(facts, call) || timeoutGiven(facts, facts.calls[call]!, known.places, known.unlimited ?? []).kind === "limited"];
  });
  return judged.length > 0 && judged.every(Boolean);
}

/** What sends a request through the client, as the data names it: `httpx.AsyncClient.get` of `httpx.AsyncClient`. */
function sendOf(facts: ModuleFacts, id: CallId, member: string, client: TimeoutDefault): Pick<TimeoutDefault, "places" | "unlimited"> | null {
  const kind = client.calls?.find(({ members }) => members.includes(member));
  if (kind !== undefined) return { places: kind.places, ...(client.unlimited === undefined ? {} : { unlimited: client.unlimited }) };
  for (const { module, path } of facts.calls[id]!.references) {
    const known = timeoutDefaultOf(facts.language, { module, path: [...path, member] });
    if (known !== null) return known;
  }
  return null;
}

/** What the file returns, yields, or hands to a function that is not its own. */
const leaving = onceFor((facts): ReadonlySet<ValueId> => {
  const returned = facts.functions.flatMap(({ body }) => statementsIn(body).flatMap((statement) => (statement.kind === "return" && statement.value !== null ? [statement.value] : [])));
  const yielded = facts.values.flatMap((value) => (value.kind === "yield" && value.value !== null ? [value.value] : []));
  const handed = facts.calls.flatMap((call) => (functionsCalled(facts, call).length === 0 ? call.arguments.map(({ value }) => value) : []));
  return new Set([...returned, ...yielded, ...handed].flatMap((id) => originsOf(facts, id).values));
});
