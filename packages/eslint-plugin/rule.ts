import path from "node:path";
import type { EditorFinding } from "@agentgate/engine/editor";
import { askSession } from "./ask.ts";
import type { Answer } from "./ask.ts";
import { readSettings } from "./settings.ts";
import { isYaml, sourceOf } from "./source.ts";
import type { AnySourceCode } from "./source.ts";

/** What the plugin knows of a rule without loading it; written by `npm run docs`. */
export interface RuleEntry {
  readonly id: string;
  readonly severity: string;
  readonly summary: string;
  readonly category: string;
  readonly options?: object;
}

/** What of ESLint's rule context is read. */
export interface LintContext {
  readonly cwd: string;
  readonly physicalFilename: string;
  readonly settings: unknown;
  readonly sourceCode: AnySourceCode;
  report(descriptor: {
    loc: { start: LintPosition; end: LintPosition }; messageId: string; data: Record<string, string>;
    suggest?: { messageId: string; data: Record<string, string>; fix(fixer: Fixer): unknown[] }[];
  }): void;
}

interface Fixer {
  replaceTextRange(range: number[], text: string): unknown;
}

interface LintPosition {
  line: number;
  column: number;
}

export interface LintRule {
  readonly meta: {
    readonly type: "problem";
    readonly docs: { readonly description: string; readonly url: string; readonly recommended: boolean };
    readonly messages: Readonly<Record<string, string>>;
    readonly schema: readonly object[];
    readonly languages: readonly string[];
    readonly hasSuggestions?: boolean;
  };
  create(context: LintContext): Record<string, () => void>;
}

/** Files of which it was said already that nothing can be judged. */
const told = new WeakSet<object>();
/** Files of which the rule speaks that is for it. */
const spoken = new WeakSet<object>();
const FOR_FAILURES = "not-judged";

/** A rule of agentgate as a rule of ESLint: it asks the session what there is to say, and says it. */
export function lintRule({ id, summary, options }: RuleEntry, page: (id: string) => string): LintRule {
  return {
    meta: {
      type: "problem",
      docs: { description: summary, url: page(id), recommended: true },
      hasSuggestions: true,
      messages: { finding: "{{message}}", repair: "{{message}}", failed: "This file was not judged: {{reason}}. What it does is not known. {{advice}}" },
      schema: options === undefined ? [] : [options],
      languages: ["js/js", "agentgate/python", ...id === "config" ? ["yml/yaml"] : []],
    },
    create(context) {
      const { sourceCode } = context;
      if (isYaml(sourceCode)) return { "Program:exit": () => { tell(context, id, askAboutPolicy(context)()); } };
      const surroundings = { cwd: context.cwd, settings: readSettings(context.settings) };
      const source = sourceOf(sourceCode, fileOf(context.physicalFilename, context.cwd), surroundings);
      if (source === null) return {};
      // Every rule is made before one of them tells anything.
      if (id === FOR_FAILURES) spoken.add(sourceCode);
      const root = "type" in sourceCode.ast ? String(sourceCode.ast.type) : "Program";
      // The thread judges while ESLint goes through the tree.
      const { file, stamp } = source;
      const answer = askSession({ ...surroundings, file, stamp, rule: id }, () => source.content());
      return { [`${root}:exit`]: () => { tell(context, id, answer()); } };
    },
  };
}

function askAboutPolicy({ cwd, physicalFilename, settings, sourceCode }: LintContext): () => Answer {
  return askSession({ file: fileOf(physicalFilename, cwd), cwd, stamp: "", rule: "config", settings: readSettings(settings), policyText: sourceCode.text }, null);
}

/** A text without a file, such as one from standard input, has a name that is no path. */
function fileOf(name: string, cwd: string): string {
  return path.resolve(cwd, name.replace(/^<(.*)>$/, "$1"));
}

/** That a file was not judged is told once: by the rule that is for it, or where that is off, by the first that knows. */
function tell(context: LintContext, id: string, answer: Answer): void {
  if (answer.kind === "findings") {
    for (const finding of answer.findings) report(context, finding);
    return;
  }
  if (told.has(context.sourceCode) || id !== FOR_FAILURES && spoken.has(context.sourceCode)) return;
  told.add(context.sourceCode);
  const data = { reason: withoutStop(answer.reason), advice: answer.advice };
  context.report({ loc: { start: { line: 1, column: 0 }, end: { line: 1, column: 0 } }, messageId: "failed", data });
}

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, "");
}

function report(context: LintContext, { message, start, end, suggestion }: EditorFinding): void {
  context.report({
    loc: { start: { line: start.line, column: start.column - 1 }, end: { line: end.line, column: end.column - 1 } },
    messageId: "finding", data: { message },
    ...suggestion === undefined ? {} : {
      suggest: [{
        messageId: "repair", data: { message: suggestion.message },
        fix: (fixer) => suggestion.edits.map(({ span, text }) => fixer.replaceTextRange([...span], text)),
      }],
    },
  });
}
