/** A path of the tree: relative to the root, forward slashes, no leading `./`. Bytes that are no UTF-8 show as `\xNN`. */
export type TreePath = string;

/** A name as the file system has it, where text cannot say it. */
export type FsPath = string | Buffer;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of a file name's bytes; a byte that is no part of UTF-8 becomes `\xNN`, so that two names stay two. */
export function nameOf(bytes: Buffer): string {
  const plain = bytes.toString("utf8");
  if (!plain.includes("�")) return plain;
  try {
    return decoder.decode(bytes);
  } catch {
    return escapeInvalid(bytes);
  }
}

/** Whether the text stands for exactly these bytes. */
export function isPlainName(bytes: Buffer, name: string): boolean {
  return Buffer.from(name, "utf8").equals(bytes);
}

function escapeInvalid(bytes: Buffer): string {
  let text = "";
  let index = 0;
  while (index < bytes.length) {
    const length = validSequence(bytes, index);
    if (length === 0) text += `\\x${bytes[index]!.toString(16).padStart(2, "0")}`;
    else text += bytes.toString("utf8", index, index + length);
    index += Math.max(1, length);
  }
  return text;
}

/** Length of the UTF-8 sequence at `index`, 0 where there is none. */
function validSequence(bytes: Buffer, index: number): number {
  for (let length = 1; length <= 4 && index + length <= bytes.length; length++) {
    try {
      decoder.decode(bytes.subarray(index, index + length));
      return length;
    } catch {
      // A longer sequence may still be one.
    }
  }
  return 0;
}

/** Joins a folder of the file system and a tree path below it, both possibly as bytes. */
export function joinFs(folder: string, below: FsPath): FsPath {
  if (typeof below === "string") return folder.endsWith("/") ? folder + below : `${folder}/${below}`;
  return Buffer.concat([Buffer.from(folder.endsWith("/") ? folder : `${folder}/`), below]);
}

/** Order of paths in every output: by UTF-16 code unit, whatever the locale. */
export function comparePaths(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** The folder of a tree path; empty for the root. */
export function folderOf(path: TreePath): TreePath {
  const slash = path.lastIndexOf("/");
  return slash === -1 ? "" : path.slice(0, slash);
}

/** The names of the folders around a tree path, the outermost first. */
export function foldersOf(path: TreePath): readonly string[] {
  return path.split("/").slice(0, -1);
}

/** How many folders two lists of `foldersOf` begin with alike. */
export function commonFolders(one: readonly string[], other: readonly string[]): number {
  const end = one.findIndex((folder, index) => folder !== other[index]);
  return end === -1 ? one.length : end;
}

export function baseName(path: TreePath): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The ending with its dot; empty for none, and for a name that only begins with a dot. */
export function endingOf(path: TreePath): string {
  const name = baseName(path);
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? "" : name.slice(dot);
}

/** `a/b/../c` as `a/c`; null where it leaves the tree. */
export function normalise(path: string): TreePath | null {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join("/");
}

/** `folder/name`, with no slash where the folder is the root. */
export function joinTree(folder: TreePath, name: string): TreePath {
  return folder === "" ? name : `${folder}/${name}`;
}
