import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { ParseJob, ParseOutcome, Reply } from "./protocol.ts";

export interface ChildOptions {
  readonly worker: URL;
  /** Milliseconds for one text. */
  readonly timeout: number;
  readonly heapMegabytes: number;
}

/** How a batch ended: with `done` outcomes in order; a shorter list than jobs means the next one ended the child. */
export interface BatchEnd {
  readonly done: readonly ParseOutcome[];
  readonly ended: "all" | "died" | "timed-out" | "never-started";
}

const START_TIMEOUT = 60_000;

/**
 * One child process. It answers in order and waits until each answer is written before it reads the next text, so
 * that the first text without an answer is the one that killed it.
 */
export class ParserChild {
  readonly #process: ChildProcess;
  readonly #timeout: number;
  #ready = false;
  #exited = false;

  constructor(options: ChildOptions) {
    this.#timeout = options.timeout;
    this.#process = fork(fileURLToPath(options.worker), [], {
      execArgv: [`--max-old-space-size=${options.heapMegabytes}`],
      env: childEnvironment(),
      // What the engine prints when it runs out of memory is no message for a person.
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      serialization: "advanced",
    });
    this.#process.on("error", () => (this.#exited = true));
    this.#process.on("exit", () => (this.#exited = true));
  }

  get alive(): boolean {
    return !this.#exited;
  }

  /** Reads the texts of one batch; never rejects. */
  run(jobs: readonly ParseJob[]): Promise<BatchEnd> {
    const done: ParseOutcome[] = [];
    return new Promise((resolve) => {
      let timer = setTimeout(expire, this.#ready ? this.#limit(jobs[0]) : START_TIMEOUT, this);
      const finish = (ended: BatchEnd["ended"]): void => {
        clearTimeout(timer);
        this.#process.off("message", receive).off("exit", leave).off("error", leave);
        resolve({ done, ended });
      };
      const leave = (): void => finish(this.#ready ? "died" : "never-started");
      function expire(child: ParserChild): void {
        child.kill();
        finish(child.#ready ? "timed-out" : "never-started");
      }
      const receive = (reply: Reply): void => {
        clearTimeout(timer);
        if (reply.kind === "ready") start();
        else done.push(reply);
        if (done.length === jobs.length) finish("all");
        else timer = setTimeout(expire, this.#limit(jobs[done.length]), this);
      };
      const start = (): void => {
        this.#ready = true;
        this.#process.send({ jobs }, (error) => {
          if (error !== null) leave();
        });
      };
      this.#process.on("message", receive).on("exit", leave).on("error", leave);
      if (this.#exited) leave();
      else if (this.#ready) start();
    });
  }

  /** The parser of Python keeps to the limit by itself, and says more of what it met. */
  #limit(job: ParseJob | undefined): number {
    return job?.dialect === "python" ? this.#timeout * 2 : this.#timeout;
  }

  kill(): void {
    this.#exited = true;
    this.#process.kill("SIGKILL");
  }
}

/** A child needs nothing of ours, least of all options for its runtime. */
function childEnvironment(): NodeJS.ProcessEnv {
  const kept = ["PATH", "SystemRoot", "TMPDIR", "TEMP", "TMP", "LD_LIBRARY_PATH"];
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => kept.includes(name)));
}
