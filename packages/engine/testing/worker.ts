import { copyFile, mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const repository = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * Builds the worker from the sources as they are, into a folder of its own inside the workspace, so that third-party
 * packages are found.
 */
export async function buildWorker(name: string): Promise<URL> {
  const folder = path.join(repository, "packages/engine/dist", name);
  await mkdir(path.join(folder, "assets"), { recursive: true });
  await build({
    absWorkingDir: repository, entryPoints: ["packages/engine/worker.ts"], outfile: path.join(folder, "worker.js"),
    bundle: true, format: "esm", platform: "node", target: "node20", packages: "external", logLevel: "warning",
    // The workspaces are sources, not packages, here.
    alias: {
      "@agentgate/parsers": path.join(repository, "parsers/index.ts"),
      "@agentgate/rules/loaded": path.join(repository, "rules/shared/loaded.ts"),
    },
  });
  const assets = JSON.parse(await readFile(path.join(repository, "parsers/python/assets.json"), "utf8")) as { file: string; package: string; path: string }[];
  for (const asset of assets) {
    await copyFile(path.join(repository, "node_modules", asset.package, asset.path), path.join(folder, "assets", asset.file));
  }
  return pathToFileURL(path.join(folder, "worker.js"));
}
