import { LINE_ONE } from "@agentgate/parsers/contract";
import { type ContractContext, type Diagnostic, diagnostic, other } from "../contract.ts";
import type { Spot } from "../fields.ts";
import { intOf, isBlank } from "../shared/values.ts";
import type { Policy } from "./index.ts";
import { policySpot } from "./spot.ts";

const MODEL_ID = "INFERENCE_MODEL_ID";
const TIMEOUT = "INFERENCE_TIMEOUT_MS";
const CONNECT_TIMEOUT = "INFERENCE_CONNECT_TIMEOUT_MS";
const RETRIES = "INFERENCE_MAX_RETRIES";
const TOKENS = "INFERENCE_MAX_OUTPUT_TOKENS";
const FLOOR: readonly string[] = ["INFERENCE_BASE_URL", MODEL_ID, TIMEOUT, RETRIES, TOKENS];

/** Words of a model id that mean another model tomorrow. */
const ALIAS_WORDS = new Set(["latest", "auto", "default", "current", "free"]);

/** Where a variable is spoken of: its entry, else the list. */
function spotOf({ require_env: required }: Policy, name: string, context: ContractContext): Spot {
  return required?.value.find(({ value }) => value === name) ?? required ?? policySpot(context, "require_env");
}

/** What a variable is set to; null where it is unset or blank. */
function valueOf({ environment }: ContractContext, name: string): string | null {
  const value = environment.get(name) ?? "";
  return isBlank(value) ? null : value;
}

function numberIn(text: string): number | null {
  return intOf({ kind: "scalar", value: Number(text), source: text, at: LINE_ONE });
}

export function checkFloor({ require_env: required }: Policy): Diagnostic<"env-floor">[] {
  if (required === undefined) return [];
  const absent = FLOOR.filter((name) => !required.value.some(({ value }) => value === name));
  if (absent.length === 0) return [];
  return [diagnostic("env-floor", required, `\`require_env\` leaves out ${absent.join(", ")}, so a service may start without a bound that it needs. Add ${absent.length === 1 ? "it" : "them"}.`)];
}

export function checkRequired({ require_env: required }: Policy, context: ContractContext): Diagnostic<"env-missing">[] {
  return (required?.value ?? []).filter(({ value }) => valueOf(context, value) === null)
    .map((entry) => diagnostic("env-missing", entry, `The environment variable ${entry.value} is unset or blank, so the client falls back to its own default. Set it where the gate runs, or give --environment.`));
}

export function checkModel(policy: Policy, context: ContractContext): Diagnostic<"model-alias">[] {
  const given = context.environment.get(MODEL_ID);
  const isRequired = policy.require_env?.value.some(({ value }) => value === MODEL_ID) === true;
  // One that is required and blank is reported as missing.
  if (given === undefined || (isBlank(given) && isRequired)) return [];
  const spot = spotOf(policy, MODEL_ID, context);
  if (isBlank(given)) return [diagnostic("model-alias", spot, `${MODEL_ID} is blank, so nobody says which model answers. Set it to a dated or versioned id.`)];
  const word = given.normalize("NFKC").toLowerCase().split(/[^a-z0-9]+/).find((one) => ALIAS_WORDS.has(one));
  if (word === undefined) return [];
  return [diagnostic("model-alias", spot, `${MODEL_ID} holds the word ${word}, so another model may answer tomorrow without any change here. Set it to a dated or versioned id.`)];
}

export function checkBudget(policy: Policy, context: ContractContext): Diagnostic<"budget-number">[] {
  const numbers = [TIMEOUT, TOKENS, CONNECT_TIMEOUT].flatMap((name) => {
    const value = valueOf(context, name);
    return value === null ? [] : [{ name, number: numberIn(value) }];
  });
  const wrong = numbers.filter(({ number }) => number === null || number < 1).map(({ name }) =>
    diagnostic("budget-number", spotOf(policy, name, context), `${name} is no positive whole number, so it bounds nothing. Write it in plain digits.`));
  return [...wrong, ...connecting(policy, new Map(numbers.map(({ name, number }) => [name, number])), context)];
}

function connecting(policy: Policy, numbers: ReadonlyMap<string, number | null>, context: ContractContext): Diagnostic<"budget-number">[] {
  const whole = numbers.get(TIMEOUT) ?? 0;
  const part = numbers.get(CONNECT_TIMEOUT) ?? 0;
  if (whole < 1 || part <= whole) return [];
  const message = `${CONNECT_TIMEOUT} is longer than ${TIMEOUT}: connecting alone may take more than the whole request. Shorten it.`;
  return [diagnostic("budget-number", spotOf(policy, CONNECT_TIMEOUT, context), message)];
}

export function checkRetries(policy: Policy, context: ContractContext): Diagnostic<"retries">[] {
  const { max_retries: limit } = policy;
  const value = valueOf(context, RETRIES);
  if (value === null) return [];
  const retries = numberIn(value);
  const named = spotOf(policy, RETRIES, context);
  if (retries === null || retries < 0) return [diagnostic("retries", limit ?? named, `${RETRIES} is no whole number of at least 0, so nobody knows how often a request is sent. Write it in plain digits.`)];
  if (limit === undefined || retries <= limit.value) return [];
  return [diagnostic("retries", limit, `${RETRIES} is more than \`max_retries\`, ${limit.value}: an outage would be met with more load than was agreed. Lower it.`, [other(named, "the variable")])];
}
