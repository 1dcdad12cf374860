/**
 * Builds what is published: the command line (packages/cli/dist/agentgate.js) and the ESLint plugin
 * (packages/eslint-plugin/dist/index.js), each with the worker that its child processes run and the files that are read
 * at run time (dist/assets). Third-party packages named in their package.json stay outside; internal workspaces are
 * bundled, so that installing ours never resolves another package of ours.
 */
import { build } from "esbuild";
import { chmod, copyFile, mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** @typedef {{ folder: string, entries: Record<string, string>, pages: boolean }} Published */

/** @type {Published[]} */
const PUBLISHED = [
  { folder: "packages/cli", entries: { agentgate: "packages/cli/main.ts", worker: "packages/engine/worker.ts" }, pages: true },
  {
    folder: "packages/eslint-plugin", pages: false,
    entries: { index: "packages/eslint-plugin/index.ts", "session-worker": "packages/eslint-plugin/session-worker.ts", worker: "packages/engine/worker.ts" },
  },
];

/** Files that the bundle reads at run time, as the Python parser lists them: name in dist/assets, package, path in it. */
const ASSETS = path.join(root, "parsers/python/assets.json");

/** @param {string} folder */
async function externalPackages(folder) {
  /** @type {{ dependencies?: Record<string, string> }} */
  const manifest = JSON.parse(await readFile(path.join(root, folder, "package.json"), "utf8"));
  return Object.keys(manifest.dependencies ?? {}).filter((name) => !name.startsWith("@agentgate/"));
}

/**
 * A third-party file in the bundle would ship without its licence and break where it is CommonJS.
 * @param {import("esbuild").Metafile} metafile
 * @param {string} folder
 */
function refuseBundledPackages(metafile, folder) {
  const bundled = Object.keys(metafile.inputs).filter((input) => input.includes("node_modules/"));
  if (bundled.length === 0) return;
  throw new Error(`not in the dependencies of ${folder}/package.json: ${bundled.slice(0, 5).join(", ")}`);
}

/** @param {Published} published */
async function bundle({ folder, entries }) {
  const external = await externalPackages(folder);
  const result = await build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir: path.join(root, folder, "dist"),
    bundle: true,
    // Chunks keep what is imported lazily out of start-up.
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    format: "esm",
    platform: "node",
    target: "node20",
    external: external.flatMap((name) => [name, `${name}/*`]),
    metafile: true,
    logLevel: "warning",
  });
  refuseBundledPackages(result.metafile, folder);
  return Object.keys(result.metafile.outputs).map((output) => path.join(root, output));
}

/** @param {string} file */
async function makeExecutable(file) {
  const text = await readFile(file, "utf8");
  if (!text.startsWith("#!")) await writeFile(file, `#!/usr/bin/env node\n${text}`);
  await chmod(file, 0o755);
}

/**
 * @param {string} dist
 * @param {boolean} pages
 */
async function copyAssets(dist, pages) {
  await mkdir(path.join(dist, "assets"), { recursive: true });
  /** @type {{ file: string, package: string, path: string }[]} */
  const assets = JSON.parse(await readFile(ASSETS, "utf8"));
  for (const asset of assets) {
    await copyFile(path.join(root, "node_modules", asset.package, asset.path), path.join(dist, "assets", asset.file));
  }
  if (!pages) return;
  for (const kind of ["rules", "contracts"]) {
    await mkdir(path.join(dist, "assets", kind), { recursive: true });
    await mirror(path.join(root, "docs", kind), path.join(dist, "assets", kind));
  }
}

/**
 * Makes a folder hold the files of another and no others.
 * @param {string} from
 * @param {string} to
 */
async function mirror(from, to) {
  const names = await readdir(from);
  for (const name of names) await copyFile(path.join(from, name), path.join(to, name));
  await removeOthers(to, names);
}

/**
 * @param {string} folder
 * @param {string[]} names
 */
async function removeOthers(folder, names) {
  for (const name of await readdir(folder)) {
    if (!names.includes(name)) await rm(path.join(folder, name));
  }
}

/**
 * Chunks of earlier builds. They go last: a command that is running meanwhile still finds what it starts with.
 * @param {string} dist
 * @param {string[]} written
 */
async function removeStaleChunks(dist, written) {
  const chunks = path.join(dist, "chunks");
  if (!existsSync(chunks)) return;
  await removeOthers(chunks, written.filter((file) => path.dirname(file) === chunks).map((file) => path.basename(file)));
}

for (const published of PUBLISHED) {
  const dist = path.join(root, published.folder, "dist");
  await copyAssets(dist, published.pages);
  await removeStaleChunks(dist, await bundle(published));
}
await makeExecutable(path.join(root, "packages/cli/dist/agentgate.js"));
