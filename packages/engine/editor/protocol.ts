import type { Span } from "@agentgate/parsers";
import type { Severity } from "@agentgate/rules";
import type { ReportPosition } from "../report.ts";

/** What a linter asks: what one rule says of one text. */
export interface EditorRequest {
  /** Absolute path of the file, which need not exist; the text may differ from what lies there. */
  readonly file: string;
  /** Of the linter; absolute. */
  readonly cwd: string;
  /** Tells one text of a file from another. */
  readonly stamp: string;
  /** Absent where the text with this stamp was sent before. */
  readonly content?: EditorContent;
  /** A text that will be asked about: it is read and judged ahead, while the linter still parses it. `rule` says nothing then. */
  readonly ahead?: EditorAhead;
  /** The text of a policy file, where it is that which is linted. */
  readonly policyText?: string;
  readonly rule: string;
  readonly settings: EditorSettings;
}

export interface EditorAhead {
  /** Without its byte order mark. */
  readonly text: string;
  readonly rules: readonly string[];
}

export interface EditorContent {
  /** Without its byte order mark. */
  readonly text: string;
  /** As `encodeFacts` gives them. */
  readonly facts: Uint8Array;
  /** Why they lack types, as the end of a sentence. */
  readonly untyped?: string;
}

/** What the linter's own settings say. */
export interface EditorSettings {
  /** The keys of a policy file; null: the one at the root of the tree is in force. */
  readonly policy: Readonly<Record<string, unknown>> | null;
  /** A revision: of `no-invented-io`, what the file had there is not reported. */
  readonly base: string | null;
  /** As `strict: true` in the policy; what a module can do is then always reported. */
  readonly strict: boolean;
  /** What is wrong with them, a sentence each. */
  readonly problems: readonly string[];
}

/** One finding of the asked rule in the asked file. Columns count UTF-16 code units from 1, as in every report. */
export interface EditorFinding {
  readonly severity: Severity;
  readonly message: string;
  readonly start: ReportPosition;
  readonly end: ReportPosition;
  /** A repair that was tried: the text still parses with it, and the finding is gone. */
  readonly suggestion?: EditorSuggestion;
}

/** Spans are offsets in the text that was sent. */
export interface EditorSuggestion {
  /** What it does; a sentence. */
  readonly message: string;
  readonly edits: readonly { readonly span: Span; readonly text: string }[];
}

/** `content`: the text is not at hand, and the request is to be repeated with it. */
export type EditorReply =
  | { readonly kind: "findings"; readonly findings: readonly EditorFinding[] }
  | { readonly kind: "content" };

/** `failed`: nothing could be judged. `reason` is a sentence's end, `advice` a sentence. */
export type EditorAnswer = EditorReply | { readonly kind: "failed"; readonly reason: string; readonly advice: string };
