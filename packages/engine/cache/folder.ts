import { lstatSync, mkdirSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { codeOf } from "../errors.ts";

/** Changes with the form of the packs: another form is another folder, and neither harms the other. */
const FORM = "facts-1";

/**
 * The user's folder for what can be made again: AGENTGATE_CACHE_DIR, else as the system has it. Null where nothing
 * says where that is. Relative paths are ignored, as https://specifications.freedesktop.org/basedir-spec/ demands.
 */
export function defaultCacheFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string | null {
  const own = absolute(env["AGENTGATE_CACHE_DIR"], platform);
  if (own !== null) return own;
  const paths = pathsOf(platform);
  const home = absolute(platform === "win32" ? env["USERPROFILE"] : env["HOME"], platform) ?? homeOf(platform);
  const local = platform === "win32" ? absolute(env["LOCALAPPDATA"], platform) : absolute(env["XDG_CACHE_HOME"], platform);
  if (local !== null) return paths.join(local, "agentgate", ...(platform === "win32" ? ["Cache"] : []));
  if (home === null) return null;
  if (platform === "win32") return paths.join(home, "AppData", "Local", "agentgate", "Cache");
  return platform === "darwin" ? paths.join(home, "Library", "Caches", "agentgate") : paths.join(home, ".cache", "agentgate");
}

function absolute(folder: string | undefined, platform: NodeJS.Platform): string | null {
  return folder !== undefined && pathsOf(platform).isAbsolute(folder) ? folder : null;
}

function pathsOf(platform: NodeJS.Platform): path.PlatformPath {
  return platform === "win32" ? path.win32 : path.posix;
}

function homeOf(platform: NodeJS.Platform): string | null {
  try {
    return absolute(homedir(), platform);
  } catch {
    return null;
  }
}

/** The folder of the packs, made and found safe; or why it is not used, as the end of a sentence. */
export function prepareFolder(folder: string, root: string): { readonly folder: string } | { readonly refused: string } {
  try {
    const { existing, missing } = nearest(path.resolve(folder));
    const asked = path.join(existing, ...missing);
    const packs = path.join(asked, FORM);
    // Asked before anything is made: nothing may appear in the judged tree, and no link of it may lead to the cache.
    if (isInside(path.resolve(folder), root) || [asked, packs].some((each) => isInside(each, realpathSync(root)))) return { refused: "the cache folder lies inside the judged tree" };
    let made = existing;
    for (const name of [...missing, FORM]) make((made = path.join(made, name)));
    const refused = refusal(asked) ?? refusal(packs);
    return refused === null ? { folder: packs } : { refused };
  } catch (error) {
    return { refused: `the cache folder cannot be used (${codeOf(error) || "unknown error"})` };
  }
}

/** One folder at a time: made all at once, Node.js takes a read-only disk for a folder that is missing. */
function make(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // A disk that is read-only may hold the folder all the same.
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

/** Who may write there may decide what the gate sees. Windows keeps the folders of a profile to their user. */
function refusal(folder: string): string | null {
  const status = lstatSync(folder);
  if (!status.isDirectory()) return "the cache folder is no folder";
  if (process.getuid === undefined) return null;
  if (status.uid !== process.getuid()) return "the cache folder belongs to another user";
  return (status.mode & 0o022) === 0 ? null : "others may write to the cache folder";
}

/** The real path of the part that exists, and the names below it that do not. */
function nearest(folder: string): { readonly existing: string; readonly missing: readonly string[] } {
  const missing: string[] = [];
  for (let current = folder; ; current = path.dirname(current)) {
    try {
      return { existing: realpathSync(current), missing };
    } catch (error) {
      if (codeOf(error) !== "ENOENT" || path.dirname(current) === current) throw error;
      missing.unshift(path.basename(current));
    }
  }
}

function isInside(folder: string, root: string): boolean {
  const relative = path.relative(root, folder);
  return relative === "" || !(relative === ".." || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative));
}
