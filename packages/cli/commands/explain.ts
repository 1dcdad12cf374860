import { pageOfContract, pageOfRule, pagesOfRules } from "../assets.ts";
import { Failure, notInThisVersion } from "../failure.ts";
import { TEXT_FORMATS } from "../options/outputs.ts";
import { CONTRACT_RULE, CONTRACT_RULES, LATER_RULES, withoutPrefix } from "../options/rule-names.ts";
import { unknownRule } from "../options/values.ts";
import { requestOf, type SharedOptions } from "../options/request.ts";
import { renderPage } from "../render/page.ts";
import type { Look, Surroundings } from "../terminal.ts";
import { deliverFiles, deliverStandard } from "./deliver.ts";

/**
 * `agentgate explain`: prints a rule's page; of a contract's rule, the contract's.
 *
 * @throws Failure for a rule that is unknown or comes later
 */
export async function explain(rule: string, raw: SharedOptions, around: Surroundings): Promise<number> {
  const { color, outputs } = requestOf([], raw, TEXT_FORMATS, around);
  const id = withoutPrefix(rule);
  const page = await pageOfRule(id) ?? await contractPage(id);
  if (page === null) throw await noPage(id);
  const delivery = { outputs, color, render: (_format: string, look: Look) => renderPage(page, look) };
  const failure = await deliverFiles(around, delivery);
  if (failure !== null) throw failure;
  await deliverStandard(around, delivery, `the page of ${id}`);
  return 0;
}

/** The page of a contract, by its name or by one of its rules. */
async function contractPage(id: string): Promise<string | null> {
  const slash = id.indexOf("/");
  if (slash !== -1 && !CONTRACT_RULES.includes(id)) return null;
  return pageOfContract(slash === -1 ? id : id.slice(0, slash));
}

async function noPage(id: string): Promise<Failure> {
  const pages = await pagesOfRules();
  const siblings = CONTRACT_RULES.filter((rule) => id.includes("/") && rule.startsWith(id.slice(0, id.indexOf("/") + 1)));
  if (siblings.length > 0) return unknownRule(id, siblings);
  if (LATER_RULES.includes(id) || CONTRACT_RULE.test(id)) return notInThisVersion(`the rule ${id}`, `The rules of this version are: ${pages.join(", ")}.`);
  if (pages.length === 0) return new Failure("the rule pages are missing from this installation", "Install @agentgate/cli again.");
  return unknownRule(id, pages);
}
