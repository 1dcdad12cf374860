import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { readCorpus, type SourceText } from "./corpus.ts";

/** Rounds that count; the figure is the best of them. */
const ROUNDS = 7;
const CHANGED = 20;
const SIZES = [500, 5000] as const;
const COMMAND = path.join(process.cwd(), "packages/cli/dist/agentgate.js");
/** Says at the end what the process itself took, from its start: git and parsers run in processes of their own. */
const TELL = "data:text/javascript,process.on('exit',()=>{const{user,system}=process.cpuUsage();process.stderr.write(`cpu ${user+system}`)})";

interface Tree {
  readonly size: number;
  readonly root: string;
  readonly cache: string;
}

/** A repository of `size` files, taken from the corpus as often as needed, with the same 20 of them changed on a branch. */
function makeTree(size: number, sources: readonly SourceText[], folder: string): Tree {
  const root = path.join(folder, `tree-${size}`);
  mkdirSync(root);
  for (let index = 0; index < size; index++) write(root, index, sources[index % sources.length]!, "");
  git(root, "init", "--quiet", "--initial-branch=main");
  commit(root);
  git(root, "checkout", "--quiet", "-b", "topic");
  for (let index = 0; index < CHANGED; index++) write(root, index, sources[index % sources.length]!, "\nchanged = 1;\n");
  commit(root);
  return { size, root, cache: path.join(folder, `cache-${size}`) };
}

/** Modules keep their names within a package each, so that they import each other as their originals did. */
function write(root: string, index: number, { path: file, text }: SourceText, more: string): void {
  const target = path.join(root, "src", `part${Math.floor(index / 50)}`, `${index}-${path.basename(file)}`);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, text + more);
}

function git(root: string, ...args: readonly string[]): void {
  execFileSync("git", ["-c", "user.name=Bench", "-c", "user.email=bench@example.com", "-c", "commit.gpgsign=false", ...args], { cwd: root });
}

function commit(root: string): void {
  git(root, "add", "--all");
  git(root, "commit", "--quiet", "--message", "bench");
}

/** CPU seconds of one whole run of the built command, user and system, without its children's. */
function seconds({ root, cache }: Tree): { readonly seconds: number; readonly made: string } {
  const { stdout, stderr } = spawnSync(process.execPath, ["--import", TELL, COMMAND, "check", "--base", "main", "--format", "json"], {
    cwd: root, env: { ...process.env, AGENTGATE_CACHE_DIR: cache }, encoding: "utf8", maxBuffer: 1 << 28,
  });
  const taken = /cpu (\d+)$/.exec(stderr)?.[1];
  const report = JSON.parse(stdout) as { error: { message: string } | null; summary: { files: number; errors: number; warnings: number } };
  if (taken === undefined || report.error !== null) throw new Error(report.error?.message ?? stderr);
  return { seconds: Number(taken) / 1e6, made: `${report.summary.files} judged, ${report.summary.errors + report.summary.warnings} findings` };
}

function main(): void {
  const { python, ecmascript } = readCorpus(process.cwd(), process.argv.slice(2));
  const sources = [...python, ...ecmascript].filter(({ text }) => text.length > 200 && text.length < 60_000).filter((_, index) => index % 2 === 0);
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "agentgate-bench-")));
  try {
    const trees = SIZES.map((size) => makeTree(size, sources, folder));
    const best = new Map<Tree, { seconds: number; made: string }>();
    // The first round fills the cache; rounds are interleaved, as the machine may slow down.
    for (let round = 0; round <= ROUNDS; round++) {
      for (const tree of trees) {
        const measured = seconds(tree);
        if (round > 0 && measured.seconds < (best.get(tree)?.seconds ?? Infinity)) best.set(tree, measured);
      }
    }
    console.log(`Node ${process.version}, ${cpus()[0]?.model.trim() ?? "unknown processor"}; CPU seconds of whole runs without git's, warm cache, best of ${ROUNDS}`);
    const [first] = trees;
    for (const tree of trees) {
      const { seconds: taken, made } = best.get(tree)!;
      console.log(`  ${CHANGED} of ${String(tree.size).padStart(5)} files  ${taken.toFixed(3)} s  ${(taken / best.get(first!)!.seconds).toFixed(2)} of the first  (${made})`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] !== undefined && fileURLToPath(pathToFileURL(process.argv[1])).endsWith("change.ts")) main();
