import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { cpuTimeOf } from "./cpu-time.ts";
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
/** How often a text may be granted its time again because the machine was busy with something else. */
const MAX_EXTENSIONS = 20;

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
      const watch = new Watch(() => {
        this.kill();
        finish(this.#ready ? "timed-out" : "never-started");
      });
      const finish = (ended: BatchEnd["ended"]): void => {
        watch.stop();
        this.#process.off("message", receive).off("exit", leave).off("error", leave);
        resolve({ done, ended });
      };
      const leave = (): void => finish(this.#ready ? "died" : "never-started");
      const next = (): void => watch.start(this.#limit(jobs[done.length]), this.#process.pid);
      const start = (): void => {
        this.#ready = true;
        this.#process.send({ jobs }, (error) => {
          if (error !== null) leave();
        });
        next();
      };
      const receive = (reply: Reply): void => {
        if (reply.kind === "ready") { start(); return; }
        done.push(reply);
        if (done.length === jobs.length) finish("all");
        else next();
      };
      this.#process.on("message", receive).on("exit", leave).on("error", leave);
      if (this.#exited) leave();
      else if (this.#ready) start();
      else watch.start(START_TIMEOUT, undefined);
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

/**
 * Calls back when a text has had its time. Where the system tells a process's processor time, that is what counts: on
 * a busy machine a child may wait for seconds that it never had.
 */
class Watch {
  readonly #expired: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(expired: () => void) {
    this.#expired = expired;
  }

  start(limit: number, pid: number | undefined): void {
    this.stop();
    const before = cpuTimeOf(pid);
    let extensions = 0;
    const check = (): void => {
      const now = cpuTimeOf(pid);
      const used = before === null || now === null ? limit : now - before;
      // Ticks are coarse: what is nearly all counts as all.
      if (used >= limit * 0.9 || extensions === MAX_EXTENSIONS) { this.#expired(); return; }
      extensions++;
      this.#timer = setTimeout(check, Math.max(50, limit - used));
    };
    this.#timer = setTimeout(check, limit);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

/** A child needs nothing of ours, least of all options for its runtime. */
function childEnvironment(): NodeJS.ProcessEnv {
  const kept = ["PATH", "SystemRoot", "TMPDIR", "TEMP", "TMP", "LD_LIBRARY_PATH"];
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => kept.includes(name)));
}
