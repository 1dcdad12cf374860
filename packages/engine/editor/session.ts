import path from "node:path";
import type { ModuleFacts } from "@agentgate/parsers";
import { acquiredCapabilities } from "@agentgate/rules";
import type { Acquired, RuleContext } from "@agentgate/rules";
import { kindOfName } from "../discovery/kind.ts";
import { TreeTooLarge } from "../discovery/list.ts";
import type { Root } from "../discovery/root.ts";
import { decodeFacts } from "../facts-code.ts";
import { openCache } from "../judging/cached.ts";
import { notJudgedFinding } from "../judging/input.ts";
import type { Failure, Module } from "../judging/module.ts";
import type { ChangeSide } from "../change/side.ts";
import type { TreePath } from "../paths.ts";
import type { Baseline } from "../policy/baseline.ts";
import { loadBaseline } from "../policy/baseline-load.ts";
import { DEFAULT_MAX_FILE_BYTES } from "../policy/policy.ts";
import type { Finding } from "../report.ts";
import { judgeInEditor, rulesInEditor, withRepairs } from "./judge.ts";
import type { EditorJudging } from "./judge.ts";
import { moduleOf } from "./module.ts";
import { Policies, policyFile, problemsOf } from "./policy.ts";
import type { EditorPolicy } from "./policy.ts";
import type { EditorAhead, EditorContent, EditorReply, EditorRequest, EditorSettings } from "./protocol.ts";
import { realFile, rootOfFile, rootOfFolder } from "./root.ts";
import { EditorTree } from "./tree.ts";

const INVENTED = "no-invented-io";

/** A text with what was found in it so far. */
interface Opened {
  readonly stamp: string;
  readonly file: TreePath;
  /** Why no run reads the file, such as a link that leaves the tree; then nothing in it is judged. */
  readonly failure: Failure | null;
  readonly module: Module;
  readonly tree: EditorTree;
  readonly side: ChangeSide;
  readonly baseline: Baseline;
  readonly found: Map<string, readonly Finding[]>;
  /** Rules that will be asked, judged together with the first of them. */
  wanted: readonly string[];
  /** What rules that were asked are told. */
  readonly answers: Map<string, EditorFindings>;
}

/** Gives a text with its facts; null where it cannot be read. */
type ReadContent = (name: TreePath, tree: EditorTree) => Promise<{ readonly text: string; readonly facts: ModuleFacts; readonly untyped?: string } | null>;

/** What the linter read from its own tree. */
function sent({ facts, ...rest }: EditorContent): ReadContent {
  return () => Promise.resolve({ ...rest, facts: decodeFacts(facts) });
}

/** As the command reads it. */
function parsed(text: string): ReadContent {
  return async (name, tree) => {
    const kind = kindOfName(name);
    const facts = kind.kind === "judged" ? await tree.readText(kind.dialectPath, text) : null;
    return facts === null ? null : { text, facts };
  };
}

/** Answers a linter, question by question, about texts as they are being written. */
export class EditorSession {
  readonly #worker: URL | undefined;
  readonly #trees = new Map<string, EditorTree>();
  readonly #policies = new Policies();
  /** By policy: the file in which its problems are told. */
  readonly #policyFiles = new Map<string, TreePath>();
  /** Folders that hold more than an editor waits for. */
  readonly #tooLarge = new Set<string>();
  #opened: Opened | null = null;

  constructor(worker?: URL) {
    this.#worker = worker;
  }

  /** @throws GateError where the tree cannot be read */
  async ask(request: EditorRequest): Promise<EditorReply> {
    if (request.policyText !== undefined) return { kind: "findings", findings: policyFile(request, request.policyText) };
    if (request.ahead !== undefined) return this.#judgeAhead(request, request.ahead);
    const opened = this.#opened?.stamp === request.stamp ? this.#opened : null;
    if (opened === null && request.content === undefined) return { kind: "content" };
    const current = opened ?? await this.#open(request, sent(request.content!));
    return { kind: "findings", findings: await this.#answer(current!, request) };
  }

  async #answer(opened: Opened, request: EditorRequest): Promise<EditorFindings> {
    const known = opened.answers.get(request.rule);
    if (known !== undefined) return known;
    const findings = await this.#judge(opened, request);
    opened.answers.set(request.rule, findings);
    opened.tree.answered();
    return findings;
  }

  /** Reads and judges a text before anybody asks. What cannot be read or judged is left to who asks. */
  async #judgeAhead(request: EditorRequest, { text, rules }: EditorAhead): Promise<EditorReply> {
    try {
      const opened = await this.#open(request, parsed(text));
      // What is wrong with a policy is told in the first file that asks, and nobody has asked yet.
      if (opened === null) return { kind: "content" };
      opened.wanted = rules;
      for (const rule of rules) if (rule !== "config") await this.#answer(opened, { ...request, rule });
    } catch {
      this.#opened = null;
    }
    return { kind: "content" };
  }

  close(): void {
    for (const tree of this.#trees.values()) tree.close();
    this.#trees.clear();
  }

  /** Takes a text in. Null: `read` could not read it. */
  async #open(request: EditorRequest, read: ReadContent): Promise<Opened | null> {
    const { file, cwd } = request;
    const root = rootOfFile(file, cwd);
    if (this.#tooLarge.has(root.folder)) return this.#openIn(rootOfFolder(file), request, read);
    try {
      return await this.#openIn(root, request, read);
    } catch (error) {
      // Nobody waits for a home folder: the file is judged with what lies beside it.
      if (!(error instanceof TreeTooLarge) || root.git) throw error;
      this.#tooLarge.add(root.folder);
      return this.#openIn(rootOfFolder(file), request, read);
    }
  }

  async #openIn(root: Root, { file, stamp, settings }: EditorRequest, read: ReadContent): Promise<Opened | null> {
    const policy = this.#policies.inForce(root.folder, settings);
    const tree = await this.#tree(root, policy);
    const real = realFile(file);
    const named = path.relative(root.folder, real).split(path.sep).join("/");
    const side = await tree.side(named);
    // As in every run, a link is judged as the file that it ends at, and by itself where nothing judges that one.
    const name = side.sources.has(named) ? named : side.discovery.links.get(named) ?? named;
    const content = await read(named, tree);
    if (content === null) return this.#opened = null;
    const module = moduleOf(name, real, content);
    const failure = tree.failure(named);
    if (failure === null) side.put(module);
    return this.#opened = { stamp, file: name, failure, module, tree, side, baseline: loadBaseline(tree.root).baseline, found: new Map(), answers: new Map(), wanted: [] };
  }

  async #tree(root: Root, policy: EditorPolicy): Promise<EditorTree> {
    const known = this.#trees.get(root.folder);
    if (known?.policy.id === policy.id) return known;
    known?.close();
    const cache = await openCache(root.folder, this.#worker === undefined ? {} : { worker: this.#worker });
    const tree = await EditorTree.open({ root, policy, cache, ...(this.#worker === undefined ? {} : { worker: this.#worker }) });
    this.#trees.set(root.folder, tree);
    return tree;
  }

  async #judge(opened: Opened, { rule, settings }: EditorRequest): Promise<EditorFindings> {
    const { tree, side, file, failure, module, baseline } = opened;
    if (rule === "config") return this.#policyProblems(opened, settings);
    if (failure !== null) return rule === "not-judged" ? [notJudgedFinding(failure)] : [];
    if (!await isJudged(side, file)) return [];
    if (isTooLarge(module.text, tree.policy)) return rule === "not-judged" ? [tooLarge(module.text, tree.policy)] : [];
    const had = rule !== INVENTED || settings.base === null ? null : await this.#had(opened, settings.base);
    if (rule === INVENTED && had === null && !isAlwaysAsked(tree.policy)) return [];
    const { policy } = tree.policy;
    const settled = await side.settle([file], (_, contextOf: (options?: RuleContext["options"]) => RuleContext) => {
      const input: EditorJudging = { module, contextOf, moduleAt: (other) => side.module(other), policy, ports: tree.ports, baseline, had };
      return withRepairs(rule, judgeInEditor(rule, input, foundOnce(opened, rule, input)), input);
    });
    return settled.get(file) ?? [];
  }

  /**
   * What is wrong with the policy in force, told in one file: the first that is asked about under it, and there each time.
   * In the policy's own text it stands at its line.
   */
  async #policyProblems({ tree, file }: Opened, { base }: EditorSettings): Promise<EditorFindings> {
    const { policy, source } = tree;
    const first = this.#policyFiles.get(policy.id) ?? file;
    this.#policyFiles.set(policy.id, first);
    if (first !== file) return [];
    const problem = base === null ? null : (await tree.base(base)).problem;
    return problemsOf(policy, [...source.note === null ? [] : [source.note], ...problem === null ? [] : [`${problem.message} Nothing is compared with ${base}. ${adviceAbout(problem.hint)}`]]);
  }

  /** What the file had at the base: nothing where it was not there, null where there is no base, which is told with the policy. */
  async #had({ tree, file }: Opened, base: string): Promise<readonly Acquired[] | null> {
    const { side } = await tree.base(base);
    const settled = await side?.settle([file], (module, contextOf) => acquiredCapabilities(module.facts, contextOf()));
    return settled === undefined ? null : settled.get(file) ?? [];
  }
}

/** What the command advises about a base names its own options. */
function adviceAbout(hint: string): string {
  return hint.includes("--") ? "Make the first commit, or let settings.agentgate.base name a revision that is there." : hint;
}

type EditorFindings = Extract<EditorReply, { kind: "findings" }>["findings"];

/** Judges what a rule asks for, and with it what will be asked next; kept where nothing was lacking. */
function foundOnce(opened: Opened, rule: string, input: EditorJudging): (id: string) => readonly Finding[] {
  // Whoever does not ask for it has not looked up what the module had before.
  const isComparing = rule === INVENTED && input.had !== null;
  return (id) => {
    const known = opened.found.get(nameOf(id, isComparing));
    if (known !== undefined) return known;
    const before = unansweredIn(input.contextOf());
    const together = opened.wanted.filter((other) => other !== id && (other !== INVENTED || isComparing) && !opened.found.has(nameOf(other, isComparing)));
    const found = rulesInEditor([id, ...together], input);
    if (unansweredIn(input.contextOf()) === before) for (const [other, findings] of found) opened.found.set(nameOf(other, isComparing), findings);
    return found.get(id)!;
  };
}

function nameOf(rule: string, isComparing: boolean): string {
  return rule === INVENTED && isComparing ? `${rule} compared` : rule;
}

function unansweredIn(context: RuleContext): number {
  return context.tree.unanswered?.() ?? 0;
}

/** Bytes of a text that an editor holds: twice what is read from a disk, unless the policy says otherwise. */
function mostBytes({ policy }: EditorPolicy): number {
  return policy.maxFileBytes === DEFAULT_MAX_FILE_BYTES ? 2 * DEFAULT_MAX_FILE_BYTES : policy.maxFileBytes;
}

function isTooLarge(text: string, policy: EditorPolicy): boolean {
  return text.length * 3 > mostBytes(policy) && Buffer.byteLength(text) > mostBytes(policy);
}

function tooLarge(text: string, policy: EditorPolicy): EditorFindings[number] {
  const reason = `it has ${Buffer.byteLength(text)} bytes, more than the ${mostBytes(policy)} that are judged`;
  return notJudgedFinding({ path: "", severity: "warning", reason, advice: "Split it, or raise maxFileBytes in agentgate.yml." });
}

/** An excluded file is judged where a judged one imports it, as in every run. */
async function isJudged(side: ChangeSide, file: TreePath): Promise<boolean> {
  return (await side.importers.judged([file])).has(file);
}

/** Of a tree that says nothing about ports, everything would be news. */
function isAlwaysAsked({ policy, hasPorts }: EditorPolicy): boolean {
  return hasPorts || policy.strict;
}
