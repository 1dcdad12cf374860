import { UNSAFE_PATH, hasForm } from "./forms.ts";

/** Whether a path stays in the repository by what is written. Links are for the reader of the tree to see. */
export function isSafePath(path: string): boolean {
  return !hasForm(UNSAFE_PATH, path);
}

/** A safe path without `.` and empty segments: `./a//b/` as `a/b`. */
export function tidy(path: string): string {
  return path.split("/").filter((segment) => segment !== "" && segment !== ".").join("/");
}

/** Whether a path is a folder or lies below it, segment by segment: `srv/app` does not contain `srv/app-old`. */
export function contains(folder: string, path: string): boolean {
  const outer = tidy(folder);
  const inner = tidy(path);
  return outer === "" || inner === outer || inner.startsWith(`${outer}/`);
}

/** Whether one of the words that a path is made of, split at `/ . _ -`, is among those given; in any case. */
export function hasWord(path: string, words: ReadonlySet<string>): boolean {
  return path.toLowerCase().split(/[/._-]/).some((word) => words.has(word));
}
