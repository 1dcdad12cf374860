import words from "../../data/models/words.json" with { type: "json" };
import { holdsOneOf } from "../names.ts";

const SETTINGS = new Set(words.settings);
const STRICT = new Set(words.strictSettings);
const DEFAULTS = new Set(words.defaultWords);
const OTHER_PURPOSES = new Set(words.otherPurposes);
// Cheap questions first: few of the names in a file have any of the words.
const holdsModel = holdsOneOf(["model", "llm", ...words.settings.map((setting) => setting.split(" ")[0]!)]);
const holdsDefault = holdsOneOf(words.defaultWords);
const holdsOtherPurpose = holdsOneOf(words.otherPurposes);
/** Longer text is a sentence. */
const LONGEST = 120;

/** Whether a name may be one that the functions below take for a model's, in any part of it. */
export function mayNameModel(name: string): boolean {
  return holdsModel(name);
}

/** `OPENAI_MODEL_ID`, `openaiModelId`, `--openai-model-id`: openai, model, id. */
export function wordsIn(name: string): readonly string[] {
  if (name.length > LONGEST) return [];
  return name.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").replaceAll(/([A-Z])([A-Z][a-z])/g, "$1 $2").split(/[^A-Za-z0-9]+/).filter((word) => word !== "").map((word) => word.toLowerCase());
}

/** Of an option's text (`-m, --model <id>`) the name. */
function settingName(key: string): string {
  return /--([\w-]+)/.exec(key)?.[1] ?? key;
}

/** A setting's name, however it is written: `--judge-model <id>`, `judgeModel` and `judge_model` are one. */
export function settingWords(key: string): string {
  return wordsIn(settingName(key)).join(" ");
}

/** Whether the last word of a setting's name says that it names a model: `model`, `model_id`, `modelName`, `deployment` … */
export function namesModel(key: string): boolean {
  return endsWithOne(key, SETTINGS);
}

/** As `namesModel`, for words that mean nothing else: `engine` and `deployment` do. */
export function surelyNamesModel(key: string): boolean {
  return endsWithOne(key, STRICT);
}

function endsWithOne(key: string, endings: ReadonlySet<string>): boolean {
  if (!holdsModel(key)) return false;
  const name = settingName(key);
  if (/\s\w+\s\w+\s/.test(name)) return false;
  const parts = wordsIn(name);
  return endings.has(parts.slice(-1).join(" ")) || endings.has(parts.slice(-2).join(" "));
}

/** `azure_deployment`, `AZURE_OPENAI_DEPLOYMENT_NAME`. */
export function namesDeployment(key: string): boolean {
  const [before, last] = wordsIn(settingName(key)).slice(-2);
  return (last ?? before) === "deployment" || (before === "deployment" && (last === "id" || last === "name"));
}

/** `DEFAULT_MODEL`, `openAiDefaultModelId`, `get_default_model`: a default that is a model. */
export function namesDefaultModel(name: string): boolean {
  if (!holdsDefault(name) || !holdsModel(name)) return false;
  const parts = wordsIn(name);
  return parts.some((word) => DEFAULTS.has(word)) && parts.some((word) => word === "model" || word === "llm") && !isForOtherPurpose(name);
}

/** `DEFAULT_MODELS`, `defaultModels`, `DEFAULT_SETTINGS`: a table of defaults. */
export function namesDefaults(name: string): { readonly all: boolean } | null {
  if (!holdsDefault(name)) return null;
  const parts = wordsIn(name);
  if (!parts.some((word) => DEFAULTS.has(word))) return null;
  return { all: parts.includes("models") };
}

/** Counting tokens, prices, telemetry: a model is named there, and none is called. */
export function isForOtherPurpose(name: string): boolean {
  return holdsOtherPurpose(name) && wordsIn(name).some((word) => OTHER_PURPOSES.has(word));
}

const COUNTING = new Set(words.countingWords);
const ANSWERS = new Set(words.answerWords);

/** `tiktoken_model_name`, `tokenizerModel`: a setting that only says how tokens are counted. */
export function namesCounter(key: string): boolean {
  return holdsOtherPurpose(key) && wordsIn(key).some((word) => COUNTING.has(word));
}

/** `ChatResponse`: a class of what comes back, where a model's name tells what has run. */
export function namesAnswer(name: string): boolean {
  return ANSWERS.has(wordsIn(name).at(-1) ?? "");
}

const TYPE_WORDS = new Set(words.typeWords);

/** `ClassificationModel`: a text that is written as the name of a class of something. */
export function namesType(text: string): boolean {
  return /^(?:[A-Z][a-z\d]+){2,}$/.test(text) && TYPE_WORDS.has(wordsIn(text).at(-1)!);
}

/** Whether a sentence asks for a model: `Model ID to use`. */
export function asksForModel(text: string): boolean {
  return holdsModel(text) && wordsIn(text).includes("model");
}
