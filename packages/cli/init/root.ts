import { existsSync } from "node:fs";
import path from "node:path";

export const POLICY_FILE = "agentgate.yml";

/** `folder` and everything above it, nearest first. */
function upward(folder: string): string[] {
  const folders = [folder];
  for (let parent = path.dirname(folder); parent !== folders.at(-1); parent = path.dirname(parent)) folders.push(parent);
  return folders;
}

/** Where the policy file belongs: beside `.git`, else where the highest one lies, else in the working directory. */
export function policyFolder(cwd: string): string {
  const folders = upward(path.resolve(cwd));
  const git = folders.find((folder) => existsSync(path.join(folder, ".git")));
  return git ?? folders.findLast((folder) => existsSync(path.join(folder, POLICY_FILE))) ?? folders[0]!;
}
