import type { Artifact, ArtifactLocation, PhysicalLocation } from "sarif";
import type { ReportPosition } from "@agentgate/engine";
import { uriOf } from "./text.ts";

/** The name of the root in `originalUriBaseIds`. */
export const ROOT = "%SRCROOT%";

/** A place in a file: where it starts and ends, both 1-based. */
export interface Span {
  readonly start: ReportPosition;
  readonly end: ReportPosition;
}

const LANGUAGES: Readonly<Record<string, string>> = { py: "python", ts: "typescript", tsx: "typescript", mts: "typescript", cts: "typescript", js: "javascript", jsx: "javascript", mjs: "javascript", cjs: "javascript" };

/** The files of a run. A location's index is its place in their sorted list. */
export class Artifacts {
  readonly #paths: readonly string[];
  readonly #index: ReadonlyMap<string, number>;

  constructor(paths: Iterable<string>) {
    this.#paths = [...new Set(paths)].sort();
    this.#index = new Map(this.#paths.map((path, index) => [path, index]));
  }

  list(): Artifact[] {
    return this.#paths.map((path) => {
      const language = LANGUAGES[path.slice(path.lastIndexOf(".") + 1)];
      return { location: { uri: uriOf(path), uriBaseId: ROOT }, roles: ["analysisTarget"], ...(language === undefined ? {} : { sourceLanguage: language }) };
    });
  }

  location(path: string): ArtifactLocation {
    const index = this.#index.get(path);
    return { uri: uriOf(path), uriBaseId: ROOT, ...(index === undefined ? {} : { index }) };
  }

  /** Columns count UTF-16 code units; a place that would end before it starts ends where it starts. */
  place(path: string, { end, start }: Span): PhysicalLocation {
    const ordered = end.line > start.line || (end.line === start.line && end.column >= start.column);
    const last = ordered ? end : start;
    return { artifactLocation: this.location(path), region: { startLine: start.line, startColumn: start.column, endLine: last.line, endColumn: last.column } };
  }
}
