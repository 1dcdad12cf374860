// Stands in for the worker: answers each text by what it says, so that deaths and delays are exact.
process.on("message", (batch) => void answer(batch.jobs));
process.on("disconnect", () => process.exit());
process.send({ kind: "ready" });

async function answer(jobs) {
  for (const { text } of jobs) {
    if (text.startsWith("crash")) process.kill(process.pid, "SIGSEGV");
    if (text.startsWith("hang")) for (;;);
    if (text.startsWith("memory")) for (const all = []; ; ) all.push(new Array(1e6).fill(1.5));
    if (text.startsWith("exit")) process.exit(0);
    await new Promise((resolve) => process.send({ kind: "facts", specifiers: { all: [], required: [] }, clean: true, facts: Buffer.from(`${text} ${process.execArgv.join()} ${process.env.SECRET ?? ""}`) }, undefined, undefined, resolve));
  }
}
