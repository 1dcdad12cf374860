import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { EvasionLanguage } from "../../tools/fixtures/evasion.ts";

/** One tool of peers.json. */
export interface Peer {
  readonly name: string;
  readonly version: string;
  readonly registry: "pypi" | "npm";
  /** What is installed, each with its version. */
  readonly packages: readonly string[];
  readonly homepage: string;
  readonly licence: string;
  readonly languages: readonly EvasionLanguage[];
}

export function readPeers(): Peer[] {
  return JSON.parse(readFileSync("bench/peers/peers.json", "utf8")) as Peer[];
}

/** A peer is not here, and why. */
export interface Absent {
  readonly absent: string;
}

/**
 * The folder of the peer's commands. What an earlier run installed is used as it is, without network, as long as
 * peers.json names the same packages.
 */
export function installed(peer: Peer, cache: string): string | Absent {
  const home = path.join(cache, peer.name);
  const stamp = path.join(home, "installed.json");
  const wanted = JSON.stringify(peer.packages);
  const commands = path.join(home, peer.registry === "pypi" ? "bin" : "node_modules/.bin");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return commands;
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  const problem = peer.registry === "pypi" ? installPython(home, peer.packages) : installNode(home, peer.packages);
  if (problem !== null) return { absent: problem };
  writeFileSync(stamp, wanted);
  return commands;
}

function installPython(home: string, packages: readonly string[]): string | null {
  return failure("python3", ["-m", "venv", home])
    ?? failure(path.join(home, "bin/python"), ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...packages]);
}

function installNode(home: string, packages: readonly string[]): string | null {
  writeFileSync(path.join(home, "package.json"), JSON.stringify({ private: true }));
  return failure("npm", ["install", "--prefix", home, "--no-audit", "--no-fund", "--ignore-scripts", "--save-exact", ...packages]);
}

/** The last line that a failed command wrote, or null. */
function failure(command: string, args: readonly string[]): string | null {
  const run = spawnSync(command, args, { encoding: "utf8" });
  if (run.status === 0) return null;
  return run.error?.message ?? run.stderr.trim().split("\n").at(-1) ?? "";
}
