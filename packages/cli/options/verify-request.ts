import type { VerifyOptions } from "@agentgate/engine/contracts";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { parseEnv } from "node:util";
import { Failure, notInThisVersion } from "../failure.ts";
import { printable } from "../render/printable.ts";
import type { Surroundings } from "../terminal.ts";
import { CHECK_FORMATS } from "./outputs.ts";
import { requestOf, type Request, type SharedOptions } from "./request.ts";
import { filled, momentOf } from "./values.ts";

export interface VerifyCommandOptions extends SharedOptions {
  readonly base?: string;
  readonly head?: string;
  readonly pushedAt?: string;
  readonly envFile?: string;
  /** As `envFile`, by a name that Node does not take for its own. */
  readonly environment?: string;
  readonly candidate?: string;
  readonly spec?: string;
}

export type VerifyRequest = VerifyOptions;

/**
 * Reads the command line of `verify`.
 *
 * @throws Failure for any value that is not what its option takes, an unreadable `--env-file`, an option of a later version
 */
export async function verifyRequestOf(systems: readonly string[], raw: VerifyCommandOptions, around: Surroundings): Promise<{ readonly request: Request<(typeof CHECK_FORMATS.built)[number]>; readonly contracts: VerifyRequest }> {
  const request = requestOf([], raw, CHECK_FORMATS, around);
  const head = raw.head === undefined ? {} : { head: commitOf(raw.head) };
  const pushedAt = raw.pushedAt === undefined ? {} : { pushedAt: momentOf(raw.pushedAt, "--pushed-at") };
  if (raw.envFile !== undefined && raw.environment !== undefined) throw new Failure("--environment and --env-file are the same option", "Leave out one of them.");
  const environment = raw.environment === undefined ? await environmentOf("--env-file", raw.envFile, around) : await environmentOf("--environment", raw.environment, around);
  if (raw.base !== undefined) throw notInThisVersion("verify --base", "Leave it out: the rules that compare with a base come later, and verify says which contracts have any.");
  for (const option of ["candidate", "spec"] as const) {
    if (raw[option] !== undefined) throw notInThisVersion(`verify --${option}`, "Leave it out: candidates are not judged yet.");
  }
  const { config, cwd, now, rules, version } = request.engine;
  return {
    request,
    contracts: { version, cwd, systems: [...new Set(systems.map((system) => filled("a contract", system)))], environment, ...head, ...pushedAt, ...(config === undefined ? {} : { config }), ...(now === undefined ? {} : { now }), ...(rules === undefined ? {} : { rules }) },
  };
}

function commitOf(value: string): string {
  if (/^[0-9a-f]{40}$/.test(value)) return value;
  throw new Failure(`--head cannot be "${printable(value)}"`, "Give the full id of a commit, 40 lower-case hexadecimal digits: git rev-parse HEAD prints it.");
}

/** The file is then the whole environment. */
async function environmentOf(option: string, file: string | undefined, { cwd, env }: Surroundings): Promise<ReadonlyMap<string, string>> {
  if (file === undefined) return known(env);
  try {
    const text = await readFile(path.resolve(cwd, filled(option, file)), "utf8");
    return known(parseEnv(text.replace(/^\ufeff/, "")));
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`${option} ${printable(file)} cannot be read`, "Name a file with lines NAME=value.");
  }
}

function known(variables: Readonly<Record<string, string | undefined>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
