import { type Diagnostic, diagnostic, other } from "../contract.ts";
import { contract, documentShape } from "../define.ts";
import { bool, choice, int, map, optional, path, record, text, type Given, type Valid } from "../fields.ts";
import { shown } from "../shared/values.ts";
import { checkFixture } from "./fixture.ts";

const BOUNDS = {
  max_iterations: int("The most turns of the model, each with its batch of tool calls.", { min: 1 }),
  max_wall_clock_seconds: int("The longest a run may take.", { min: 1 }),
  max_unsafe_writes: int("The most attempts of a tool of class unsafe_write; at least 1 where there is one.", { min: 0 }),
};

const TOOL = {
  class: choice(["read", "idempotent_write", "unsafe_write"], "What a second call does.", { rules: { type: "class", field: "class", blank: "class" } }),
  idempotency_header: optional(text("The header that makes a second call the same call; an idempotent_write needs it.")),
  retryable: optional(bool("Whether the loop may call it again after a failure."), false),
};

const FIELDS = {
  version: choice([1], "The version of this form."),
  team_ceilings: record(BOUNDS, "The most that the team lets any loop do."),
  run: record({ ...BOUNDS, dry_run_fixture: path("The JSONL recording of a dry run that met every stop.") }, "What this loop may do."),
  tools: map(record(TOOL, "One tool."), "The tools of the loop, by name."),
};

/** The budget with everything wrong gone. */
export type Budget = Valid<typeof FIELDS>;
export type Tool = Given<Valid<typeof TOOL>>;

const BOUND_KEYS = ["max_iterations", "max_wall_clock_seconds", "max_unsafe_writes"] as const;

export const loopBudget = contract({
  id: "loop-budget",
  purpose: "An agent loop has a turn cap, a wall-clock cap and a write budget in the repository, shown by one recorded dry run.",
  place: "agent/loop-budget.yml",
  alsoRead: ["the recording of the dry run"],
  manifest: documentShape({ name: "", title: "The budget of an agent loop", where: "agent/loop-budget.yml", format: "yaml", fields: FIELDS, unknown: "warning" }),
  rules: {
    "over-ceiling": { summary: "A value of `run` exceeds the team's ceiling." },
    class: { summary: "A tool's class is absent or unknown; unknown is not read." },
    "no-key": { summary: "An idempotent_write has no `idempotency_header`." },
    "unsafe-retry": { summary: "An unsafe_write is retryable." },
    "fixture-stop": { summary: "One of the three stops never occurs in the dry run, or a `stop_reason` is unknown." },
    "fixture-network": { summary: "A line of the dry run does not say `network: false`." },
    "fixture-tool": { summary: "A tool of the dry run is none of `tools`." },
    "fixture-new-key": { summary: "An attempted unsafe_write was tried again with a new key." },
    "fixture-cap": { summary: "A stop of the dry run happened at another bound than the contract's." },
    "cap-differs": { summary: "A loop around model or tool calls is bounded by another constant than `run.max_iterations`.", needs: "code" },
    "cap-unread": { summary: "The bound is read from an environment variable or another key.", needs: "code" },
    "cap-conditional": { summary: "The bound applies only under a condition.", needs: "code" },
    "timeout-over-clock": { summary: "A client's timeout exceeds the wall clock.", needs: "code" },
    "tool-unlisted": { summary: "A dispatched tool is none of `tools`.", needs: "code" },
    "budget-reset": { summary: "A counter is set to 0 inside of the loop.", needs: "code" },
    "detached-child": { summary: "A child process is started detached, so that it can outlive the run.", needs: "code" },
    "no-run-id": { summary: "A webhook or schedule handler starts the agent without a run id.", needs: "code" },
  },
  check: (manifest, context, isReported) => [
    ...checkCeilings(manifest),
    ...checkWriteBudget(manifest),
    ...checkTools(manifest, (name) => isReported(`tools.${name}.idempotency_header`)),
    ...checkFixture(manifest, context, (name) => isReported(`tools.${name}`)),
  ],
});

function checkCeilings({ run, team_ceilings: ceilings }: Budget): Diagnostic<"over-ceiling">[] {
  return BOUND_KEYS.flatMap((key) => {
    const wanted = run?.value[key];
    const ceiling = ceilings?.value[key];
    if (wanted === undefined || ceiling === undefined || wanted.value <= ceiling.value) return [];
    const message = `\`run.${key}\` is ${wanted.value} and the team's ceiling is ${ceiling.value}: a loop cannot grant itself more. Lower it, or have the ceiling raised in review.`;
    return [diagnostic("over-ceiling", wanted, message, [other(ceiling, "the ceiling")])];
  });
}

/** A budget of no writes is one only where nothing can write. */
function checkWriteBudget({ run, team_ceilings: ceilings, tools }: Budget): Diagnostic<"type">[] {
  const writer = [...(tools?.value ?? [])].find(([, { value }]) => value.class?.value === "unsafe_write");
  if (writer === undefined) return [];
  return [ceilings?.value.max_unsafe_writes, run?.value.max_unsafe_writes].flatMap((budget) => {
    if (budget === undefined || budget.value >= 1) return [];
    const message = `\`${budget.key}\` is 0 and ${shown(writer[0])} is an unsafe_write: no run could ever show where it stops. Set it to at least 1, or take the tool out.`;
    return [diagnostic("type", budget, message, [other(writer[1], "the tool")])];
  });
}

function checkTools({ tools }: Budget, isHeaderReported: (name: string) => boolean): Diagnostic<"no-key" | "unsafe-retry">[] {
  return [...(tools?.value ?? [])].flatMap(([name, tool]) => {
    const { class: kind, idempotency_header: header, retryable } = tool.value;
    const isKeyless = kind?.value === "idempotent_write" && header === undefined && !isHeaderReported(name);
    const noKey = isKeyless ? [diagnostic("no-key", tool, `${shown(name)} is an idempotent_write without \`idempotency_header\`, so a second call writes a second time. Name the header, or call it an unsafe_write.`, [other(kind, "its class")])] : [];
    if (kind?.value !== "unsafe_write" || retryable?.value !== true) return noKey;
    return [...noKey, diagnostic("unsafe-retry", retryable, `${shown(name)} is an unsafe_write and retryable: a retry after a lost answer writes twice. Set it to false, or give the tool a key.`, [other(kind, "its class")])];
  });
}
