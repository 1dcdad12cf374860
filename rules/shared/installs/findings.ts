import { referencesOf } from "@agentgate/parsers";
import type { Call, CallId, ModuleFacts, Reference, ValueId } from "@agentgate/parsers";
import type { Influence, RuleContext, RuleFinding } from "../../rule.ts";
import { capabilitiesUsed } from "../capabilities-used.ts";
import { effectsOf } from "../effects/index.ts";
import { bare, shownName } from "../expressions.ts";
import { lookupFor } from "../lookup.ts";
import { outsideReferences } from "../tree.ts";
import { wordsAdded } from "./added.ts";
import { linesOfModule } from "./as-module.ts";
import { isAskedFor } from "./asked.ts";
import { oncePerTest } from "./branches.ts";
import { commandLines } from "./command.ts";
import { isOnlyAsked } from "./helpers.ts";
import { linesBehindKept } from "./kept.ts";
import { installsProject } from "./manifest.ts";
import { installIn } from "./match.ts";
import type { Word } from "./match.ts";
import { bringsNothingNew } from "./reify.ts";
import { isOnlyText } from "./source-text.ts";
import { isTestHelper } from "./tests.ts";
import { BUNDLED, INSTALLING, LOCKED, installCallOf, isSetupScript, saysRun } from "./vocabulary.ts";

/** A call that installs packages, and what runs, as people write it. */
interface Install {
  readonly command: string;
  readonly api: string;
  /** What is installed is what the manifest of a project lists. */
  readonly isProject?: boolean;
}

/** The calls of a module that install a package, in source order. */
export function installFindings(facts: ModuleFacts, context: RuleContext): RuleFinding[] {
  if (isSetupScript(context.path, hasManifestBeside(facts, context)) || isTestHelper(facts, context)) return [];
  const installs = facts.calls.flatMap((call, id) => {
    const install = installByModule(facts, context, call) ?? installByProcess(facts, context, call, id);
    return install === null || isOnlyText(facts, call) || isAskedFor(facts, context, call) ? [] : [{ call, id, install: { ...install, isProject: installsProject(facts, call) } }];
  });
  if (installs.length > 0 && runsOnlyAtInstall(context, context.path, MOST_LOADERS)) return [];
  const kept = oncePerTest(facts, installs.map(({ id }) => id));
  return installs.flatMap(({ call, id, install }) => (kept.has(id) ? [findingOf(call, install)] : []));
}

/** Whether a package.json lies in the folder of a module: in the tree that is published it lies further down. */
function hasManifestBeside(facts: ModuleFacts, { path, tree }: RuleContext): boolean {
  if (facts.language !== "ecmascript") return false;
  const found = tree.resolve(path, "./package.json");
  return found !== null && found !== "missing" && "path" in found && found.path === path.replace(/[^/]*$/, "package.json");
}

/** So many modules up the one that a manifest names is looked for. */
const MOST_LOADERS = 3;

/** Whether a module runs when the package is installed or built, by a manifest or by what loads it, and nothing else loads it. */
function runsOnlyAtInstall({ tree }: Pick<RuleContext, "tree">, path: string, further: number): boolean {
  const loaders = tree.importersOf(path);
  if (loaders === null || (loaders.length === 0 && tree.runsAtInstall?.(path) !== true)) return false;
  return loaders.every((loader) => further > 0 && runsOnlyAtInstall({ tree }, loader, further - 1));
}

/** Functions of a module that run what they are given: what others hand to them is judged by that. */
export function runningFunctions(facts: ModuleFacts, context: RuleContext): readonly Influence[] {
  const effects = effectsOf(facts, context);
  return facts.functions.flatMap(({ name, nameSpan }, id) => {
    if (!saysRun(name) || !effects.reachedByFunction(id).some(({ effect }) => effect.capability === "proc")) return [];
    return [{ name, key: name, span: nameSpan }];
  });
}

function findingOf(call: Call, { command, api, isProject }: Install): RuleFinding {
  const what = api === command ? `${api} installs a package` : `${api} runs ${command}`;
  return {
    severity: "error",
    message: `${what} while the program runs. ${broughtBy(command)} runs with the rights of this program. ${isProject === true ? "Install what the project lists before it starts" : "Declare the package as a dependency"}, and fail with a message where it is missing.`,
    span: call.nameSpan,
    capability: "proc",
    api,
    key: command,
    statement: call.statement,
    related: [],
  };
}

function broughtBy(command: string): string {
  if (BUNDLED.has(command)) return "What it brings comes with Python, is in no lock file, and";
  return isLocked(command) ? "What it brings is locked, but is fetched then and" : "What it brings was not reviewed or locked, and";
}

function installByModule(facts: ModuleFacts, context: RuleContext, call: Call): Install | null {
  if (bringsNothingNew(facts, call)) return null;
  const [run] = linesOfModule(facts, call).flatMap((line) => installIn(line) ?? []);
  if (run !== undefined) return { command: run, api: shownName(call.references[0]!) };
  const lookup = lookupFor(facts, context);
  for (const reference of call.references) {
    if (!lookup.mayBeOf(reference.module, INSTALLING[facts.language])) continue;
    for (const { reference: outside } of outsideReferences(lookup.resolver, context.path, reference)) {
      const known = installCallOf(facts.language, outside);
      if (known === null) continue;
      const api = shownName(outside);
      if (known.tool === undefined) return { command: api, api };
      const tool = { text: known.tool };
      const [command] = commandLines(facts, call).flatMap((line) => installIn([tool, ...line]) ?? []);
      if (command !== undefined) return { command, api };
    }
  }
  return null;
}

/** A process that is started with an installing command, by the call itself or by what it calls in the tree. */
function installByProcess(facts: ModuleFacts, context: RuleContext, call: Call, id: CallId): Install | null {
  if (call.arguments.length === 0) return null;
  const name = calleeName(facts, call);
  const starter = starterOf(facts, id);
  const starts = mayStart(facts, context, facts.calls[starter]!);
  // What the arguments are put together to is asked only where the call can run it, and what it does only of an install.
  if (!starts && !saysRun(name)) return null;
  const install = installAmong(commandLines(facts, call)) ?? (starts ? null : installAmong(linesBehindKept(facts, call)));
  if (install === null) return null;
  const { line, command } = install;
  if (command.endsWith(" create") && installIn([...line, ...wordsAdded(facts, call)]) === null) return null;
  const effects = effectsOf(facts, context);
  const own = starts ? effects.ofCall(starter).find(({ capability, told }) => capability === "proc" && (told === "resolved" || told === "annotation")) : undefined;
  if (own !== undefined) return { command, api: own.api };
  const started = starts ? startedBy(facts, context, call) : null;
  if (started !== null) return { command, api: started };
  if (!saysRun(name) || isOnlyAsked(facts, context, id, line)) return null;
  return effects.reachedBy(id).some(({ effect, steps }) => effect.capability === "proc" && steps.length > 0) ? { command, api: name } : null;
}

/** The call that says what starts: itself, or the one with options that gives what is called: `execa({ stdio })`, then a template. */
function starterOf(facts: ModuleFacts, id: CallId): CallId {
  const callee = facts.values[facts.calls[id]!.callee];
  return callee?.kind === "call" ? callee.call : id;
}

function installAmong(lines: readonly (readonly Word[])[]): (Pick<Install, "command"> & { readonly line: readonly Word[] }) | null {
  return unlessLockable(lines.flatMap((line) => {
    const command = installIn(line);
    return command === null ? [] : [{ line, command }];
  }));
}

/** The first of the installs that a call can be; null where one of them is locked and another is not, as where a lock file may be missing. */
function unlessLockable<Each extends Pick<Install, "command">>(installs: readonly Each[]): Each | null {
  const [first = null, ...others] = installs;
  return others.some(({ command }) => isLocked(command) !== isLocked(first!.command)) ? null : first;
}

function isLocked(command: string): boolean {
  return LOCKED.has(command.split(" ").at(-1)!);
}

/** Whether a call is one of an API that starts processes, or is handed such an API. Wider than its effects, and cheap. */
function mayStart(facts: ModuleFacts, context: RuleContext, call: Call): boolean {
  if (!capabilitiesUsed(facts, context).has("proc")) return false;
  const lookup = lookupFor(facts, context);
  const starts = (reference: Reference, called: Call | null): boolean => lookup.of(reference).apis.some((api) =>
    api.uncalled?.capabilities.includes("proc") === true || (called !== null && lookup.called(api, called)?.capabilities.includes("proc") === true));
  return call.references.some((reference) => starts(reference, call))
    || call.arguments.some(({ value }) => isNamed(facts, value) && referencesOf(facts, value).some((reference) => starts(reference, null)));
}

function isNamed(facts: ModuleFacts, id: ValueId): boolean {
  const kind = facts.values[bare(facts, id)]?.kind;
  return kind === "name" || kind === "member";
}

/** What makes a process without running it yet: `new Deno.Command("npm", …)`. */
function startedBy(facts: ModuleFacts, context: RuleContext, call: Call): string | null {
  const lookup = lookupFor(facts, context);
  for (const reference of call.references) {
    if (reference.instance === true) continue;
    const api = lookup.of(reference).apis.find((each) => lookup.called(each, call)?.capabilities.includes("proc") === true);
    if (api !== undefined) return shownName(api.reference);
  }
  return null;
}

function calleeName(facts: ModuleFacts, call: Call): string {
  const callee = facts.values[call.callee];
  return callee?.kind === "name" ? callee.name : callee?.kind === "member" ? callee.property ?? "" : "";
}
