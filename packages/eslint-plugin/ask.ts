import { fileURLToPath } from "node:url";
import type { EditorAnswer, EditorRequest } from "@agentgate/engine/editor";
import { createSyncFn } from "synckit";

type Ask = (request: EditorRequest) => EditorAnswer;

let ask: Ask | null = null;

/** Milliseconds for one answer: a first one reads what the file imports. A rule by itself is cut off far sooner. */
const TIMEOUT = 120_000;

/** Asks the thread that judges, and waits. It is started with the first question. */
export function askSession(request: EditorRequest): EditorAnswer {
  try {
    ask ??= createSyncFn<(request: EditorRequest) => Promise<EditorAnswer>>(fileURLToPath(new URL("session-worker.js", import.meta.url)), { timeout: TIMEOUT });
    return ask(request);
  } catch (error) {
    return { kind: "failed", reason: error instanceof Error ? error.message : String(error), advice: "Restart the editor's ESLint server, or run agentgate check." };
  }
}
