import { EditorSession } from "@agentgate/engine/editor";
import type { EditorAnswer, EditorRequest } from "@agentgate/engine/editor";
import { runAsWorker } from "synckit";

/** Entry of the thread that judges while the linter waits: it reads the tree, which the linter's own thread cannot. */
const session = new EditorSession();

runAsWorker(async (request: EditorRequest): Promise<EditorAnswer> => {
  try {
    return await session.ask(request);
  } catch (error) {
    const hint = error instanceof Error && "hint" in error && typeof error.hint === "string" ? error.hint : "Run agentgate check, which says more.";
    return { kind: "failed", reason: error instanceof Error ? error.message : String(error), advice: hint };
  }
});
