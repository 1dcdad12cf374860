import { constantsOf } from "@agentgate/parsers";
import type { Call, ModuleFacts, ValueId } from "@agentgate/parsers";
import hub from "../../data/models/hub.json" with { type: "json" };
import { argumentOf } from "../arguments.ts";
import { apiName, originsOf } from "../expressions.ts";
import { isModuleOf, modulesOfApis } from "../names.ts";
import { lastName } from "./readers.ts";

/** Weights that are loaded by the name of a repository. */
export interface HubLoad {
  readonly call: Call;
  /** The literal that names the repository. */
  readonly literal: ValueId;
  readonly id: string;
  /** The revision that is no commit id; null where there is none. */
  readonly revision: { readonly literal: ValueId; readonly text: string } | null;
}

const PACKAGES = new Set(hub.packages);
const FUNCTIONS = new Map(Object.entries(hub.functions));
const LOADING = modulesOfApis(FUNCTIONS.keys());
const TOKENIZERS = hub.tokenizers;
/** What a repository is called: `owner/name`, or the few old names without owner. */
const REPOSITORY = /^(?:[\w-][\w.-]*\/)?[\w-][\w.-]*$/;
const COMMIT = /^[0-9a-f]{7,64}$/;

/** Every load of weights from a model hub that no commit id pins. */
export function hubLoads(facts: ModuleFacts): readonly HubLoad[] {
  return facts.calls.flatMap((call): HubLoad[] => {
    const named = repositoryOf(facts, call);
    if (named === null) return [];
    const literal = originsOf(facts, named).values.find((origin) => isRepository(facts, origin));
    const revision = literal === undefined ? "pinned" : revisionOf(facts, call);
    if (literal === undefined || revision === "pinned") return [];
    return [{ call, literal, id: (facts.values[literal] as { value: string }).value, revision }];
  });
}

function repositoryOf(facts: ModuleFacts, call: Call): ValueId | null {
  if (!call.references.some(({ module }) => isModuleOf(LOADING, module) || PACKAGES.has(packageOf(module)))) return null;
  const method = lastName(facts, call.callee);
  const known = call.references.map((reference) => FUNCTIONS.get(apiName(reference))).find((entry) => entry !== undefined);
  if (known !== undefined) {
    if (isOtherKind(facts, call)) return null;
    const given = argumentOf(facts, call, known.index, known.name);
    return typeof given === "number" ? given : null;
  }
  if (method !== "from_pretrained" || !call.references.some((reference) => PACKAGES.has(packageOf(reference.module)))) return null;
  const callee = facts.values[call.callee];
  const owner = callee?.kind === "member" ? lastName(facts, callee.object).toLowerCase() : "";
  if (TOKENIZERS.some((ending) => owner.endsWith(ending))) return null;
  const given = argumentOf(facts, call, 0, "pretrained_model_name_or_path");
  return typeof given === "number" ? given : null;
}

/** Data sets and spaces are no models. */
function isOtherKind(facts: ModuleFacts, call: Call): boolean {
  const kind = argumentOf(facts, call, null, "repo_type");
  return typeof kind === "number" && constantsOf(facts, kind)?.every(({ value }) => value === "dataset" || value === "space") === true;
}

function packageOf(module: string): string {
  return module.startsWith("@") ? module : module.split(".")[0]!;
}

function isRepository(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[id];
  return value?.kind === "string" && REPOSITORY.test(value.value) && !value.value.startsWith(".");
}

/** `pinned` also where the revision is only known at run time: somebody chooses it. */
function revisionOf(facts: ModuleFacts, call: Call): HubLoad["revision"] | "pinned" {
  const given = argumentOf(facts, call, null, "revision");
  if (given === "absent") return null;
  if (given === "unknown") return "pinned";
  const constants = constantsOf(facts, given);
  const moving = constants?.find(({ value }) => value === null || (typeof value === "string" && !COMMIT.test(value)));
  if (moving === undefined) return "pinned";
  if (moving.value === null) return null;
  const literal = originsOf(facts, given).values.find((origin) => facts.values[origin]?.kind === "string");
  return { literal: literal ?? given, text: String(moving.value) };
}
