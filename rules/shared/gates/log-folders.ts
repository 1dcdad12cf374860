import { constantsOf, occurrencesOf } from "@agentgate/parsers";
import type { Call, ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import { chainEnd } from "../effects/chain.ts";
import { headOf } from "../effects/temporary.ts";
import { bare, parentsOf } from "../expressions.ts";
import { onceFor } from "../indexes.ts";
import { statementsIn } from "../statements.ts";

/** `log_dir`, `LOG_FILE`, `self._log_path`. */
export const LOG_NAMES = /^_?(?:[a-z]+_)?logs?_?(?:dir|directory|folder|file|path|file_?path|file_?name)$/i;

export function nameOf(facts: ModuleFacts, id: ValueId): string {
  const value: Value = facts.values[bare(facts, id)]!;
  return value.kind === "name" ? value.name : value.kind === "member" ? value.property ?? "" : "";
}

const MOST_STEPS = 6;
const MAKES_FOLDER = /^(?:mkdir|makedirs|mkdirSync|mkdirp|ensureDir|ensureDirSync|mkdirs|mkdirsSync)$/;
/** Calls that a folder may be handed to besides. */
const LOOKS = /^(?:exists|existsSync|isdir|is_dir|print|log|info|debug|warn|warning|error|access|accessSync)$/;

/** Whether the folder that is made is there for nothing but a path that is named as a log's: `self.log_file = join(folder, name)`. */
export function holdsLogOnly(facts: ModuleFacts, path: ValueId, call: Call): boolean {
  if (!MAKES_FOLDER.test(chainEnd(facts, call.callee))) return false;
  const value = facts.values[path]!;
  if (value.kind === "name" && value.binding !== -1) {
    const others = occurrencesOf(facts, value.binding).filter((each) => each !== path && !isLookedAt(facts, each));
    return others.length > 0 && others.every((each) => beginsLog(facts, each));
  }
  const [constant, ...rest] = value.kind === "string" ? constantsOf(facts, path) ?? [] : [];
  if (constant === undefined || rest.length > 0) return false;
  return facts.values.some((each, other) => each.kind === "string" && other !== path && each.value === constant.value && isIn(facts, each.span[0], call.function) && beginsLog(facts, other));
}

function isIn(facts: ModuleFacts, offset: number, id: number): boolean {
  const { span } = facts.functions[id]!;
  return id > 0 && span[0] <= offset && offset < span[1];
}

/** Printed, or asked whether it is there; also as the target of its own assignment. */
function isLookedAt(facts: ModuleFacts, id: ValueId): boolean {
  const parents = parentsOf(facts);
  let current = parents[id] ?? -1;
  if (current === -1) return targetsOf(facts).has(id);
  for (let step = 0; current !== -1 && step < MOST_STEPS; step++) {
    const around = facts.values[current]!;
    if (around.kind === "call") return LOOKS.test(chainEnd(facts, facts.calls[around.call]!.callee)) || MAKES_FOLDER.test(chainEnd(facts, facts.calls[around.call]!.callee));
    current = parents[current] ?? -1;
  }
  return false;
}

/** Whether an expression is the beginning of a path that is given to what is named as a log's. */
function beginsLog(facts: ModuleFacts, id: ValueId): boolean {
  const parents = parentsOf(facts);
  let current = id;
  for (let step = 0; step < MOST_STEPS; step++) {
    const parent = parents[current] ?? -1;
    const around = facts.values[parent];
    if (around === undefined) break;
    if (headOf(facts, around) !== current && around.kind !== "conditional" && around.kind !== "await") return false;
    current = parent;
  }
  return current !== id && logValues(facts).has(current);
}

/** What names and attributes of a log are given. */
const logValues = onceFor((facts): ReadonlySet<ValueId> => new Set([
  ...facts.bindings.flatMap(({ name, values }) => (LOG_NAMES.test(name) ? values : [])),
  ...facts.classes.flatMap(({ attributes }) => Object.entries(attributes).flatMap(([name, values]) => (LOG_NAMES.test(name) ? values : []))),
]));

const targetsOf = onceFor((facts): ReadonlySet<ValueId> => new Set(
  facts.functions.flatMap(({ body }) => statementsIn(body)).flatMap((statement) => (statement.kind === "assign" ? statement.targets : [])),
));
