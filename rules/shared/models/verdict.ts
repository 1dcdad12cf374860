import type { RuleContext, Severity } from "../../rule.ts";
import { modelId } from "./ids.ts";
import type { ModelId } from "./ids.ts";
import type { How, Origin } from "./origins.ts";
import type { HubLoad } from "./hub.ts";
import { isMovedByMaker } from "./makers.ts";
import { namesDeployment, namesModel, namesType, surelyNamesModel } from "./words.ts";

/** What is wrong with one literal, and what to say of it. */
export interface Verdict {
  readonly severity: Severity;
  readonly message: string;
  /** The model's name as written. */
  readonly key: string;
}

const READ = "Read the setting and fail when it is unset.";

/** Where a deployment is named, its owner and no provider says which model has that name. */
const OF_DEPLOYMENT = "It is the name of a deployment, whose owner says which model runs there, so that can change without a change of the code.";

/** What a literal that reaches a setting or a call means; null where nothing is wrong with it. */
export function verdictOn(origin: Origin, atCall: boolean, models: RuleContext["models"]): Verdict | null {
  const { text } = origin;
  const id = modelId(text);
  if (isAllowed(text, id, models.allow)) return null;
  const severity = severityOf(text, id, origin, atCall);
  if (severity !== null) return { severity, key: text, message: messageOf(text, id, origin) };
  // A name that another module holds is that module's to answer for.
  if (models.policy !== "registry" || id.standing === "unknown" || origin.at !== origin.literal) return null;
  return { severity: "error", key: text, message: `${whatRuns(text, origin.how)} Models are named in the registry only, and this module is not part of it. Take the name from the registry.` };
}

function isAllowed(text: string, id: ModelId, allow: readonly string[]): boolean {
  return allow.includes(text) || (id.name !== "" && allow.includes(id.name));
}

function severityOf(text: string, id: ModelId, { how, isDirect, isGiven }: Origin, atCall: boolean): Severity | null {
  if (isGiven === true && id.provider === null) return null;
  if (id.alias === "") return atCall && isDirect && how.kind === "call" ? "error" : null;
  const isAsked = how.kind === "environment" || how.kind === "option" || how.kind === "prompt";
  if (id.standing === "moving") {
    // Words like `auto` are names of models only where a model is meant.
    return id.provider !== null || atCall || (isAsked && surelyNamesModel(how.key)) ? "error" : null;
  }
  if (how.kind === "call") return null;
  if (id.standing === "pinned") return "warning";
  if (!isAsked || !(namesModel(how.key) || how.kind === "prompt") || isVariableName(text)) return null;
  if (id.standing === "undatable") return "warning";
  // What a server calls itself and what weights are filed under are settings like these too: a call tells them apart.
  return atCall && how.kind !== "prompt" && surelyNamesModel(how.key) && !namesType(text) ? "warning" : null;
}

/** `OPENAI_API_MODEL`: what a helper looks for next, no model. */
function isVariableName(text: string): boolean {
  return /^[A-Z][A-Z0-9_]*$/.test(text);
}

function messageOf(text: string, id: ModelId, { how, facts }: Origin): string {
  const advice = how.kind === "call" ? "Name a dated version, or read the setting and fail when it is unset." : READ;
  return `${whatRuns(text, how)} ${namesDeployment(how.key) ? OF_DEPLOYMENT : why(id, isMovedByMaker(facts, text, id))} ${advice}`;
}

function whatRuns(text: string, { kind, key }: How): string {
  const model = text === "" ? "an empty name" : text;
  switch (kind) {
    // A key that is put together goes by the name of what takes it, which the environment does not have.
    case "environment": return `Where the environment ${/[a-z]/.test(key) ? "names no model" : `has no ${key}`}, ${model} runs.`;
    case "option": return `Where the option ${key} is not given, ${model} runs.`;
    case "prompt": return `Where the prompt "${withoutMarkup(key)}" gets no answer, ${model} runs.`;
    case "constant": return `${key} makes ${model} the model that runs by default.`;
    case "table": return `The default of ${key} is ${model}.`;
    case "branch": return `A branch of the code chooses ${model} for ${key}.`;
    case "result": return `${key} gives ${model}.`;
    case "call": return text === "" ? `${key === "" ? "A model" : key} is given an empty name.` : key === "" ? `${model} is called.` : `${key} is given the model ${model}.`;
    default: return key === "" ? `Where nothing else is set, ${model} runs.` : `Where ${key} is not set, ${model} runs.`;
  }
}

const LONGEST_PROMPT = 60;

/** A prompt without the marks of a terminal library around it (`[bold]Model[/]:`), and no longer than a message can hold. */
function withoutMarkup(prompt: string): string {
  const text = prompt.replaceAll(/\[\/?[a-z# ]{0,30}\]/g, "").replaceAll(/\s+/g, " ").trim().replace(/[:?]$/, "");
  return text.length > LONGEST_PROMPT ? `${text.slice(0, LONGEST_PROMPT).trimEnd()}…` : text;
}

function why(id: ModelId, isMoved: boolean): string {
  if (id.alias === "") return "It leaves the choice to the provider.";
  if (id.alias !== undefined) return `The word ${id.alias} says that the name moves, so which model runs can change without a change of the code.`;
  if (isMoved) return `${id.provider!} documents that it moves this name to newer versions, so what runs can change without a change of the code.`;
  // Who serves a model is seldom written beside its name: a maker, a cloud, a gateway or a server of one's own.
  if (id.standing === "moving") return "No date or revision in the name fixes one model, and whoever serves it can put another one behind it, so what runs can change without a change of the code.";
  if (id.standing === "pinned") return "The name stands for one fixed model, but the code chooses it where the deployment should.";
  if (id.standing === "undatable") return "The name alone does not fix what runs under it, and the code chooses it where the deployment should.";
  return "No known provider has this name, so nobody can tell from it which model runs.";
}

/** What is wrong with weights that are loaded by a name that its owner can point elsewhere. */
export function verdictOnLoad({ id, revision }: HubLoad, api: string, allow: readonly string[]): Verdict | null {
  if (allow.includes(id)) return null;
  const at = revision === null ? "without a revision" : `at ${revision.text === "" ? "an empty revision" : revision.text}, which is no commit id`;
  return {
    severity: "warning", key: id,
    message: `${api} loads ${id} ${at}. Its owner can exchange the weights under that name at any time. Give the id of a commit as revision.`,
  };
}
