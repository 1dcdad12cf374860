import type { EditorAnswer, EditorContent, EditorRequest } from "@agentgate/engine/editor";
import { Channel } from "./channel.ts";

/** Milliseconds for one answer: a first one reads what the file imports. A rule by itself is cut off far sooner. */
const TIMEOUT = 120_000;

let channel: Channel<EditorRequest, EditorAnswer> | null = null;
/** The text that the thread was sent last. */
let sent = "";

/** Asks the thread that judges, which begins at once; it is started with the first question. The answer is waited for when it is wanted. */
export function askSession(request: EditorRequest, content: EditorContent | null): () => EditorAnswer {
  try {
    const { asked, ticket } = post(request, content);
    return () => {
      const answer = asked.take(ticket, TIMEOUT);
      if (answer === null && !asked.isForgotten(ticket)) end(asked);
      return answer === null || answer.kind === "content" ? again(request, content) : answer;
    };
  } catch (error) {
    return () => failed(error instanceof Error ? error.message : String(error));
  }
}

function post(request: EditorRequest, content: EditorContent | null): { readonly asked: NonNullable<typeof channel>; readonly ticket: number } {
  if (channel?.isOver === true) end(channel);
  const asked = channel ??= new Channel(new URL("session-worker.js", import.meta.url));
  if (content === null || request.stamp === sent) return { asked, ticket: asked.ask(request) };
  // Texts are linted one after the other: what was asked about the one before and not taken is wanted by nobody.
  asked.forget();
  sent = request.stamp;
  return { asked, ticket: asked.ask({ ...request, content }) };
}

/** The answer was given to nobody, or the thread holds another text, or it is gone. */
function again(request: EditorRequest, content: EditorContent | null): EditorAnswer {
  sent = "";
  const { asked, ticket } = post(request, content);
  const answer = asked.take(ticket, TIMEOUT);
  if (answer !== null) return answer;
  end(asked);
  return failed(`no answer came within ${TIMEOUT / 1000} seconds`);
}

/** The next question starts another thread. */
function end(over: NonNullable<typeof channel>): void {
  over.close();
  if (channel === over) channel = null;
  sent = "";
}

function failed(reason: string): EditorAnswer {
  return { kind: "failed", reason, advice: "Restart the editor's ESLint server, or run agentgate check." };
}
