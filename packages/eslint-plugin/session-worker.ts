import { EditorSession } from "@agentgate/engine/editor";
import type { EditorAnswer, EditorRequest } from "@agentgate/engine/editor";
import { answerQuestions } from "./answer.ts";

/** Entry of the thread that judges while the linter goes on: it reads the tree, which the linter's own thread cannot. */
const session = new EditorSession();

answerQuestions(async (request: EditorRequest): Promise<EditorAnswer> => {
  try {
    return await session.ask(request);
  } catch (error) {
    const hint = error instanceof Error && "hint" in error && typeof error.hint === "string" ? error.hint : "Run agentgate check, which says more.";
    return { kind: "failed", reason: error instanceof Error ? error.message : String(error), advice: hint };
  }
});
