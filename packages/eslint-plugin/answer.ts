import { workerData } from "node:worker_threads";
import type { Message, ThreadData } from "./channel.ts";

/** The thread's side of a `Channel`: answers questions one by one, in their order. `answer` never rejects. */
export function answerQuestions(answer: (question: never) => Promise<unknown>): void {
  const { port, answered } = workerData as ThreadData;
  let last: Promise<void> = Promise.resolve();
  port.on("message", ({ ticket, value }: Message<never>) => {
    last = last.then(async () => {
      const told: Message<unknown> = { ticket, value: await answer(value) };
      port.postMessage(told);
      Atomics.add(answered, 0, 1);
      Atomics.notify(answered, 0);
    });
  });
}
