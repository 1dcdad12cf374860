import type { Side } from "../../change/change.ts";
import { normalise } from "../../paths.ts";
import type { TreePath } from "../../paths.ts";
import type { Located } from "../../policy/located.ts";
import { entriesOf, itemsOf, textOf, valueOf } from "../place.ts";
import { runsGate } from "./command.ts";
import type { Launchers } from "./command.ts";
import { NAMES_GATE, formOf, readData } from "./files.ts";
import { githubAction, githubWorkflow } from "./github.ts";
import { gitlabPipeline } from "./gitlab.ts";
import type { Pipeline, PipelineContext } from "./pipeline.ts";

const HOOKS = [".pre-commit-config.yaml", ".pre-commit-config.yml"];

/** Reads the workflows of one side. */
export class Pipelines {
  readonly #side: Side;
  #launchers: Launchers | null = null;

  constructor(side: Side) {
    this.#side = side;
  }

  /** A workflow, action or pipeline; null where the file is absent or cannot be read as one. */
  async read(path: TreePath): Promise<Pipeline | null> {
    const text = await this.#side.text(path);
    const root = readData(text);
    return root === null || text === null ? null : this.#pipeline(path, text, root, await this.#localGates(root));
  }

  #pipeline(path: TreePath, text: string, root: Located, local: ReadonlySet<string>): Pipeline {
    const context: PipelineContext = { launchers: this.#launchers ?? { scripts: new Map(), hooks: false }, text, runsGateBy: (uses) => local.has(uses) };
    switch (formOf(path)) {
      case "github":
        return githubWorkflow(root, context);
      case "gitlab":
        return gitlabPipeline(root, context);
      default:
        return githubAction(root, context);
    }
  }

  async launchers(): Promise<Launchers> {
    if (this.#launchers !== null) return this.#launchers;
    const scripts = entriesOf(valueOf(readData(await this.#side.text("package.json")) ?? undefined, "scripts"));
    const hooks = await Promise.all(HOOKS.map(async (path) => NAMES_GATE.test(await this.#side.text(path) ?? "")));
    return (this.#launchers = { scripts: new Map(scripts.flatMap((entry) => textOf(entry.value) === undefined ? [] : [[entry.key, textOf(entry.value)!] as const])), hooks: hooks.includes(true) });
  }

  /** The `uses: ./…` of a workflow whose action or workflow runs the gate itself. */
  async #localGates(root: Located): Promise<ReadonlySet<string>> {
    const launchers = await this.launchers();
    const found = new Set<string>();
    for (const uses of localUses(root)) {
      for (const path of filesOf(uses)) {
        const text = await this.#side.text(path);
        if (text !== null && (NAMES_GATE.test(text) || runsInside(text, launchers))) found.add(uses);
      }
    }
    return found;
  }
}

function localUses(root: Located): Set<string> {
  const jobs = [...entriesOf(valueOf(root, "jobs")).map((entry) => entry.value), ...[valueOf(root, "runs")].filter((one) => one !== undefined)];
  const users = jobs.flatMap((job) => [job, ...itemsOf(valueOf(job, "steps"))]);
  return new Set(users.flatMap((user) => textOf(valueOf(user, "uses")) ?? []).filter((uses) => uses.startsWith("./")));
}

function filesOf(uses: string): TreePath[] {
  const path = normalise(uses);
  if (path === null) return [];
  return /\.ya?ml$/.test(path) ? [path] : ["action.yml", "action.yaml"].map((name) => (path === "" ? name : `${path}/${name}`));
}

/** Whether a script inside an action or workflow runs the gate by a name that does not say so: `npm run gate`. */
function runsInside(text: string, launchers: Launchers): boolean {
  const root = readData(text);
  const jobs = [...entriesOf(valueOf(root ?? undefined, "jobs")).map((entry) => entry.value), ...[valueOf(root ?? undefined, "runs")].filter((one) => one !== undefined)];
  return jobs.flatMap((job) => itemsOf(valueOf(job, "steps"))).some((step) => runsGate(textOf(valueOf(step, "run")) ?? "", launchers));
}
