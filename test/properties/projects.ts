import type { FixtureFile } from "../../tools/fixtures/cases.ts";
import { isSource, transformed } from "./transforms.ts";
import type { Transform } from "./transforms.ts";

/** The project with every file changed where that can be done; null where it can be done to none. */
export function changed(transform: Transform, files: readonly FixtureFile[]): FixtureFile[] | null {
  let count = 0;
  const others = files.map((file): FixtureFile => {
    const other = isSource(file.path) ? transformed(transform, file.path, file.text) : null;
    if (other === null || other === file.text) return file;
    count++;
    return { path: file.path, text: other };
  });
  return count === 0 ? null : others;
}

/** Whether a project has one module of a language at most, which no other one imports. */
export function standsAlone(files: readonly FixtureFile[]): boolean {
  const python = files.filter((file) => file.path.endsWith(".py")).length;
  return python < 2 && files.filter((file) => isSource(file.path)).length - python < 2;
}
