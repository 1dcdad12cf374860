import path from "node:path";
import type { EditorAnswer, EditorContent, EditorRequest } from "@agentgate/engine/editor";
import { Channel } from "./channel.ts";

/** Milliseconds for one answer: a first one reads what the file imports. A rule by itself is cut off far sooner. */
const TIMEOUT = 120_000;

/** What a rule hears in the end: that the thread lacks the text is seen to here. */
export type Answer = Exclude<EditorAnswer, { kind: "content" }>;

/** Reads what is sent of a text, where the thread does not have it. */
export type ReadContent = () => EditorContent;

/** What is known of a question before its text is parsed. */
export type Surroundings = Pick<EditorRequest, "cwd" | "settings">;

interface Asked extends Surroundings {
  readonly stamp: string;
  readonly rules: string[];
}

interface Ahead extends Surroundings {
  readonly file: string;
  readonly text: string;
  readonly stamp: string;
}

type Thread = Channel<EditorRequest, EditorAnswer>;

let channel: Thread | null = null;
/** The text that the thread was sent last. */
let sent = "";
/** Of a file's ending: what was asked about the last text. */
const asked = new Map<string, Asked>();
let ahead: Ahead | null = null;
let count = 0;

/** Tells one text from every other one of this process. */
export function newStamp(): string {
  return `${process.pid} ${++count}`;
}

/**
 * Has a text judged while the linter still parses it, as the last one with its ending was asked about: the same rules, settings
 * and working directory. `name` is a path, relative to that directory or absolute. False: nothing was asked yet.
 */
export function judgeAhead(name: string, text: string): boolean {
  const last = asked.get(path.extname(name));
  if (last === undefined || channel === null || channel.isOver) return false;
  const { cwd, settings, rules } = last;
  const file = path.resolve(cwd, name);
  ahead = { file, text, cwd, settings, stamp: newStamp() };
  channel.forget();
  channel.ask({ file, cwd, stamp: ahead.stamp, rule: "", settings, ahead: { text, rules } });
  sent = ahead.stamp;
  return true;
}

/** The stamp of a text that is being judged ahead, as it is asked about now; null where it is not. */
export function stampAhead(file: string, text: string, { cwd, settings }: Surroundings): string | null {
  if (ahead?.file !== file || ahead.text !== text || ahead.cwd !== cwd) return null;
  return ahead.settings === settings || JSON.stringify(ahead.settings) === JSON.stringify(settings) ? ahead.stamp : null;
}

/** Asks the thread that judges, which begins at once; it is started with the first question. The answer is waited for when it is wanted. */
export function askSession(request: EditorRequest, read: ReadContent | null): () => Answer {
  try {
    if (read !== null) note(request);
    const { thread, ticket } = post(request, read);
    return () => taken(thread, ticket, request, read);
  } catch (error) {
    return () => unreadable(error);
  }
}

function taken(thread: Thread, ticket: number, request: EditorRequest, read: ReadContent | null): Answer {
  try {
    if (request.stamp === lost) return late();
    const answer = thread.take(ticket, TIMEOUT);
    if (answer === null && !thread.isForgotten(ticket)) return giveUp(thread, request);
    return answer === null || answer.kind === "content" ? again(request, read) : answer;
  } catch (error) {
    return unreadable(error);
  }
}

/** What fails here is reading the tree: any parser may have made it. */
function unreadable(error: unknown): Answer {
  const reason = error instanceof Error ? error.message : String(error);
  return { kind: "failed", reason: `the tree that its parser gives is not one that agentgate reads (${reason})`, advice: "Run agentgate check on it, which has a parser of its own, or set another parser for it." };
}

function note({ file, stamp, cwd, settings, rule }: EditorRequest): void {
  const ending = path.extname(file);
  const known = asked.get(ending);
  if (known?.stamp === stamp) known.rules.push(rule);
  else asked.set(ending, { stamp, cwd, settings, rules: [rule] });
}

interface Posted {
  readonly thread: Thread;
  readonly ticket: number;
}

let isKept = false;

/**
 * Node lets no write to a process that is over end this one, until somebody listens for the signal and stops listening, as the
 * library of editor servers does: the signal then has its first meaning again. A listener that stays keeps it off.
 */
function keepAlive(): void {
  if (isKept) return;
  isKept = true;
  process.on("SIGPIPE", () => undefined);
}

function post(request: EditorRequest, read: ReadContent | null): Posted {
  if (channel?.isOver === true) end(channel);
  keepAlive();
  const thread = channel ??= new Channel(new URL("session-worker.js", import.meta.url));
  if (read === null || request.stamp === sent) return { thread, ticket: thread.ask(request) };
  // Texts are linted one after the other: what was asked about the one before and not taken is wanted by nobody.
  thread.forget();
  sent = request.stamp;
  return { thread, ticket: thread.ask({ ...request, content: read() }) };
}

/** The text that had to be sent although the thread was thought to have it. */
let resent = "";

/** The answer was given to nobody, or the thread holds another text, or it is gone. */
function again(request: EditorRequest, read: ReadContent | null): Answer {
  if (resent !== request.stamp) sent = "";
  resent = request.stamp;
  const { thread, ticket } = post(request, read);
  const answer = thread.take(ticket, TIMEOUT);
  if (answer !== null && answer.kind !== "content") return answer;
  resent = "";
  return answer === null ? giveUp(thread, request) : failed("it was not taken");
}

/** The text that no answer came about in time: it is not waited for again, for any other rule. */
let lost: string | null = null;

function giveUp(thread: Thread, { stamp }: EditorRequest): Answer {
  end(thread);
  if (stamp !== "") lost = stamp;
  return late();
}

function late(): Answer {
  return failed(`no answer came within ${TIMEOUT / 1000} seconds`);
}

/** The next question starts another thread. */
function end(over: Thread): void {
  over.close();
  if (channel === over) channel = null;
  sent = "";
  resent = "";
}

function failed(reason: string): Answer {
  return { kind: "failed", reason, advice: "Restart the editor's ESLint server, or run agentgate check." };
}
