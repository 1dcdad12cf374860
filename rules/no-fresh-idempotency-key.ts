import type { ModuleFacts } from "@agentgate/parsers";
import type { Related, Rule, RuleContext, RuleFinding, RuleMeta } from "./rule.ts";
import { cutOffNote, judgedWithinBounds } from "./shared/effects/cut-off.ts";
import { candidatesIn } from "./shared/keys/candidates.ts";
import type { Candidate } from "./shared/keys/candidates.ts";
import { carriedTo } from "./shared/keys/carriers.ts";
import { callsIntercepted } from "./shared/keys/interceptors.ts";
import { keyInfluences } from "./shared/keys/influences.ts";
import { judgeIntercepted, judgeKey } from "./shared/keys/judged.ts";
import type { FreshKey } from "./shared/keys/judged.ts";
import { noFreshIdempotencyKeyTechniques } from "./no-fresh-idempotency-key-techniques.ts";

const meta: RuleMeta = {
  id: "no-fresh-idempotency-key",
  severity: "error",
  summary: "A retry of a write makes its key anew.",
  category: "code",
  suppressible: true,
  configurable: true,
  techniques: noFreshIdempotencyKeyTechniques,
};

/** The first call that a fresh key reaches and that can be done twice because of it; one in an attempt before others. */
function worst(facts: ModuleFacts, context: RuleContext): readonly FreshKey[] {
  const byMint = new Map<number, FreshKey>();
  const note = (candidate: Candidate, found: FreshKey | null): void => {
    const known = byMint.get(candidate.mint.call);
    if (found !== null && (known === undefined || (known.attempt === null && found.attempt !== null))) byMint.set(candidate.mint.call, found);
  };
  for (const candidate of candidatesIn(facts, context)) {
    const direct = candidate.call === null ? [] : [{ call: candidate.call, bindings: [], through: [], argument: -1, fields: [] }];
    for (const carried of [...direct, ...carriedTo(facts, candidate.holder, candidate.changes).calls]) {
      note(candidate, judgeKey(facts, context, candidate, carried));
    }
    for (const carried of callsIntercepted(facts, facts.calls[candidate.mint.call]!.function)) note(candidate, judgeIntercepted(facts, context, candidate, carried));
  }
  return [...byMint.values()];
}

function messageOf(facts: ModuleFacts, context: RuleContext, fresh: FreshKey): string {
  return `${whatIsWrong(fresh)}${cutOffNote(facts, context, [fresh.write.call])}`;
}

function whatIsWrong({ candidate: { mint, name }, write, attempt }: FreshKey): string {
  if (attempt === null) {
    return `${mint.api} makes the ${name.shown} inside ${write.api}, so nobody can give the same key again and a repeated call counts as a new one. `
      + "Derive the key from what is written, or make it once, keep it and pass it in.";
  }
  return `${mint.api} makes a new ${name.shown} in each attempt of ${attempt.by}, so ${write.api} is done twice when only its answer got lost. `
    + "Make the key once before the first attempt, or derive it from what is written.";
}

function relatedOf({ candidate: { mint }, write, attempt }: FreshKey): readonly Related[] {
  const made = mint.elsewhere;
  return [
    { span: write.span, message: `${write.api} is given the key.` },
    ...(attempt === null ? [] : [{ span: attempt.span, message: "What is run again." }]),
    ...(made === null ? [] : [{ path: made.path, span: made.facts.functions[made.function]!.nameSpan, message: "Makes the key in each call." }]),
  ];
}

function findingOf(facts: ModuleFacts, context: RuleContext, fresh: FreshKey): RuleFinding {
  const { mint, name } = fresh.candidate;
  const call = facts.calls[mint.call]!;
  return {
    severity: "error", message: messageOf(facts, context, fresh), span: call.nameSpan, capability: fresh.write.capability, api: mint.api,
    key: name.shown.toLowerCase(), statement: call.statement, related: relatedOf(fresh),
  };
}

/** Reports every value made anew that a receiver is to recognise a repeated write by, where no second attempt can give it again. */
export const noFreshIdempotencyKey: Rule = {
  meta,
  check: (facts, context) => judgedWithinBounds(meta.id, facts, context, (within) => worst(facts, within)
    .map((fresh) => findingOf(facts, within, fresh)).sort((one, other) => one.span[0] - other.span[0])),
  influences: keyInfluences,
};
