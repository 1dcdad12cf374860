import process from "node:process";

/** One thing that is measured: it reads every text of a corpus once and returns how much it made, so nothing is optimised away. */
export interface Stage {
  readonly name: string;
  run(): number;
}

export interface Measured {
  readonly name: string;
  /** Seconds of CPU time (user and system, this process), the least of all rounds. */
  readonly seconds: number;
  /** What `run` returned; the same in every round. */
  readonly made: number;
}

/**
 * Best CPU time of each stage over `rounds` rounds. Rounds are interleaved (every stage once, then again), so that a
 * machine that slows down slows all of them; the best round is the one the machine disturbed least.
 * @throws Error where a stage makes something else in another round: it would not be measuring one thing.
 */
export function measure(stages: readonly Stage[], rounds: number, cpuMicroseconds: () => number = cpuOfThisProcess): Measured[] {
  const best = stages.map((stage) => ({ name: stage.name, seconds: Infinity, made: stage.run() }));
  for (let round = 0; round < rounds; round++) {
    stages.forEach((stage, index) => {
      const started = cpuMicroseconds();
      const made = stage.run();
      const seconds = (cpuMicroseconds() - started) / 1e6;
      const record = best[index]!;
      if (record.made !== made) throw new Error(`${stage.name} made ${record.made}, then ${made}`);
      record.seconds = Math.min(record.seconds, seconds);
    });
  }
  return best;
}

function cpuOfThisProcess(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
