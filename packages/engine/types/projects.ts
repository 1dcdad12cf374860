import { realpathSync } from "node:fs";
import path from "node:path";
import type { Span, Reference } from "@agentgate/parsers";
import type ts from "typescript";
import type { TreePath } from "../paths.ts";
import { guardedHost } from "./host.ts";
import type { GuardedHost } from "./host.ts";
import type { Overlay } from "./laid.ts";
import { compilerPath, receiverTypes } from "./receiver.ts";

type TypeScript = typeof ts;

/** Files of one configuration; of more, types are not worked out. */
const MOST_FILES = 20_000;

const JAVASCRIPT = /\.[cm]?jsx?$/;

/** One configuration of the compiler, and its program once somebody asked. */
interface Project {
  readonly file: string;
  readonly names: ReadonlySet<string>;
  readonly options: ts.CompilerOptions;
  readonly references: readonly string[];
  /** Files that were parsed: a second program shares them. */
  readonly sources: Map<string, ts.SourceFile | undefined>;
  /** Files that nest deeper than the compiler can. */
  readonly tooDeep: Set<string>;
  program: ts.Program | null;
  readonly losses: Losses;
}

/** What limits of time cost a project. */
export interface Losses {
  /** Whose types took too long. */
  readonly files: Set<TreePath>;
  milliseconds: number;
  /** Why no file of it is asked about any more. */
  givenUp: string | null;
}

/** The types of a tree, by the `tsconfig.json` files in it. */
export class TypeProjects {
  readonly #ts: TypeScript;
  readonly #root: string;
  readonly #host: GuardedHost;
  /** By file of the configuration; null for one that cannot be read. */
  readonly #projects = new Map<string, Project | null>();
  readonly #covering = new Map<string, Project | null>();

  /** `root` is absolute. */
  constructor(typescript: TypeScript, root: string, overlay: Overlay | null) {
    this.#ts = typescript;
    this.#root = compilerPath(realpathSync(root));
    this.#host = guardedHost(root, path.dirname(typescript.getDefaultLibFilePath({})), overlay);
  }

  /** Whether a file belongs to a configuration. */
  covers(file: TreePath): boolean {
    return this.#projectOf(this.#nameOf(file)) !== null;
  }

  /** Of the project that a file belongs to; null where no configuration has it. */
  lossesOf(file: TreePath): Losses | null {
    return this.#projectOf(this.#nameOf(file))?.losses ?? null;
  }

  /** Whether a file nests deeper than the compiler can, as far as it was read. */
  isTooDeep(file: TreePath): boolean {
    const name = this.#nameOf(file);
    return this.#projectOf(name)?.tooDeep.has(name) === true;
  }

  /** What is known of a file's expressions by their spans, its text being `text`; null where no configuration has it. */
  typesOf(file: TreePath, text: string): ((span: Span) => Reference | null | undefined) | null {
    const name = this.#nameOf(file);
    const project = this.#projectOf(name);
    if (project === null) return null;
    project.program ??= this.#program(project, null);
    const isOnDisk = project.program.getSourceFile(name)?.text === text;
    // Another version of the file is seen with everything else as it lies on the disk.
    return receiverTypes(isOnDisk ? project.program : this.#program(project, { name, text }), name);
  }

  /** As `typesOf`, asking a checker that nobody asked before; the files need not be parsed again. */
  typesAnew(file: TreePath, text: string): ReturnType<TypeProjects["typesOf"]> {
    const project = this.#projectOf(this.#nameOf(file));
    if (project !== null) project.program = this.#program(project, null);
    return this.typesOf(file, text);
  }

  /** Makes the program of a file anew when it is next asked about: one that was stopped half-way is in no known state. */
  forget(file: TreePath): void {
    const project = this.#projectOf(this.#nameOf(file));
    if (project === null) return;
    project.program = null;
    project.sources.clear();
  }

  #nameOf(file: TreePath): string {
    return this.#host.realpath(`${this.#root}/${file}`);
  }

  #projectOf(name: string): Project | null {
    let project = this.#covering.get(name);
    if (project === undefined) this.#covering.set(name, (project = this.#nearest(name)));
    return project;
  }

  /** The nearest configuration above that has the file, itself or through one that it refers to. */
  #nearest(name: string): Project | null {
    for (let folder = path.posix.dirname(name); folder.startsWith(this.#root); folder = path.posix.dirname(folder)) {
      const project = this.#read(`${folder}/tsconfig.json`);
      const found = project === null ? null : [project, ...project.references.map((file) => this.#read(file))].find((one) => one?.names.has(name) === true);
      if (found != null) return found;
    }
    return null;
  }

  #read(file: string): Project | null {
    let project = this.#projects.get(file);
    if (project === undefined) this.#projects.set(file, (project = this.#host.fileExists(file) ? this.#parse(file) : null));
    return project;
  }

  #parse(file: string): Project | null {
    const { config } = this.#ts.readConfigFile(file, (name) => this.#host.readFile(name)) as { readonly config?: unknown };
    if (config === undefined) return null;
    const listed: string[] = [];
    const readDirectory: GuardedHost["readDirectory"] = (...asked) => {
      const found = this.#host.readDirectory(...asked);
      listed.push(...found);
      return [...found];
    };
    const parsed = this.#ts.parseJsonConfigFileContent(config, { ...this.#host, readDirectory }, path.posix.dirname(file), undefined, file);
    // Where JavaScript is allowed it is listed, and the compiler passes over what is beside a file of TypeScript of the same name, which runs all the same.
    const fileNames = [...new Set([...parsed.fileNames, ...listed.filter((name) => JAVASCRIPT.test(name))])];
    if (fileNames.length > MOST_FILES) return null;
    const references = (parsed.projectReferences ?? []).map(({ path: place }) => (place.endsWith(".json") ? place : `${place}/tsconfig.json`));
    return { file, names: new Set(fileNames.map((name) => this.#host.realpath(name))), options: optionsFrom(parsed.options), references, sources: new Map(), tooDeep: new Set(), program: null, losses: { files: new Set(), milliseconds: 0, givenUp: null } };
  }

  #program(project: Project, other: Overlaid | null): ts.Program {
    const { names, options, program } = project;
    return this.#ts.createProgram({ rootNames: [...names], options, host: this.#compilerHost(project, other), ...(program === null ? {} : { oldProgram: program }) });
  }

  #compilerHost({ options, sources, tooDeep }: Project, other: Overlaid | null): ts.CompilerHost {
    const { createSourceFile, getDefaultLibFilePath } = this.#ts;
    const library = path.dirname(getDefaultLibFilePath(options));
    const read = (name: string, version: Parameters<ts.CompilerHost["getSourceFile"]>[1]): ts.SourceFile | undefined => {
      const text = this.#host.readFile(name);
      return text === undefined ? undefined : parsed(name, text, version);
    };
    // What nests too deep for the compiler is not there: the other files have types all the same.
    const parsed = (...[name, text, version]: Parameters<TypeScript["createSourceFile"]>): ts.SourceFile | undefined => {
      try {
        return createSourceFile(name, text, version);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        tooDeep.add(name);
        return undefined;
      }
    };
    return {
      ...this.#host,
      getSourceFile: (name, version) => {
        if (name === other?.name) return parsed(name, other.text, version);
        if (!sources.has(name)) sources.set(name, read(name, version));
        return sources.get(name);
      },
      getDefaultLibFileName: () => getDefaultLibFilePath(options), getDefaultLibLocation: () => library,
      writeFile: () => undefined, getCurrentDirectory: () => this.#root, getCanonicalFileName: (name) => name,
      useCaseSensitiveFileNames: () => true, getNewLine: () => "\n",
    };
  }
}

/** A file whose text is not the one on the disk. */
interface Overlaid {
  readonly name: string;
  readonly text: string;
}

/** What has to do with output, or names a program to load. */
const LEFT_OUT = ["plugins", "incremental", "composite", "tsBuildInfoFile", "declaration", "declarationMap", "emitDeclarationOnly", "isolatedDeclarations"];

function optionsFrom(options: ts.CompilerOptions): ts.CompilerOptions {
  const kept = Object.fromEntries(Object.entries(options).filter(([name]) => !LEFT_OUT.includes(name)));
  return { ...kept, noEmit: true, skipLibCheck: true, skipDefaultLibCheck: true };
}
