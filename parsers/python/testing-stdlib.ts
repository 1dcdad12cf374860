import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** A Python source that CPython itself accepts. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

const LIST = `
import ast, os, sys, sysconfig
# Up to 3.9, columns inside of f-strings are not those of the source.
if sys.version_info < (3, 10): sys.exit()
root = sysconfig.get_paths()["stdlib"]
for folder, folders, names in os.walk(root):
    folders[:] = sorted(n for n in folders if n not in ("test", "tests", "site-packages", "__pycache__", "idle_test"))
    for name in sorted(names):
        path = os.path.join(folder, name)
        if not name.endswith(".py"): continue
        try:
            with open(path, "rb") as source: data = source.read()
            data.decode("utf-8")
            ast.parse(data)
        except (SyntaxError, ValueError): continue
        print(path)
`;

/**
 * The standard library of the installed Python, without its tests: the files that it parses and that are UTF-8.
 * Empty where there is no python3 of 3.10 or later.
 */
export function standardLibraryFiles(): SourceFile[] {
  let listed: string;
  try {
    listed = execFileSync("python3", ["-W", "ignore", "-c", LIST], { encoding: "utf8", maxBuffer: 1 << 26 });
  } catch {
    return [];
  }
  return listed.split("\n").filter((path) => path !== "").map((path) => ({ path, text: readFileSync(path, "utf8") }));
}
