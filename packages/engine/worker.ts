import { parseText } from "./pool/parse.ts";
import type { Batch, Reply } from "./pool/protocol.ts";

/** Entry of a child process: reads the texts it is sent, one after the other, and answers with their facts. */
async function answer(batch: Batch): Promise<void> {
  for (const job of batch.jobs) await send(parseText(job));
}

/** Resolves when the answer is written: a crash on the next text must not take it along. */
function send(reply: Reply): Promise<void> {
  return new Promise((resolve) => process.send!(reply, undefined, undefined, () => resolve()));
}

process.on("message", (batch: Batch) => void answer(batch));
process.on("disconnect", () => process.exit());
await send({ kind: "ready" });
