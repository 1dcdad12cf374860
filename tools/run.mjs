/**
 * Runs a TypeScript tool of this repository: `node tools/run.mjs tools/docs/main.ts --check`. Node 20 reads no
 * TypeScript, so the tool is bundled first, with every package but our own left where it is installed.
 */
import { build } from "esbuild";
import path from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const [entry, ...rest] = process.argv.slice(2);
if (entry === undefined) throw new Error("name the tool to run: node tools/run.mjs tools/docs/main.ts");

const outfile = path.join(root, "node_modules/.cache/agentgate", entry.replaceAll("/", "-").replace(/\.ts$/, ".mjs"));
await build({
  absWorkingDir: root,
  entryPoints: [entry],
  outfile,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
  plugins: [{
    name: "packages-stay-outside",
    setup(bundle) {
      bundle.onResolve({ filter: /^[^./]/ }, (found) => (found.kind === "entry-point" || found.path.startsWith("@agentgate/") ? undefined : { path: found.path, external: true }));
    },
  }],
  logLevel: "warning",
});

process.argv = [process.argv[0] ?? "node", entry, ...rest];
await import(pathToFileURL(outfile).href);
