import { dialectOf, moduleKindOf, parseEcmascript, parsePython, type ModuleFacts } from "@agentgate/parsers";
import { CODE_RULES, aloneContext, type RuleContext } from "@agentgate/rules";
import { cpus } from "node:os";
import process from "node:process";
import { readCorpus, type SourceText } from "./corpus.ts";
import { measure, type Measured, type Stage } from "./measure.ts";
import { rawEcmascript, rawPython, type RawParse } from "./raw.ts";

/** Rounds that count; the figure is the best of them. */
const ROUNDS = 5;

function factsOf({ path, text }: SourceText): ModuleFacts {
  if (path.endsWith(".py")) return parsePython(text);
  const moduleKind = moduleKindOf(path);
  return parseEcmascript(text, { dialect: dialectOf(path), ...(moduleKind !== undefined && { moduleKind }) });
}

/** A tree that holds the one module: every import leads to a package. */
function contextOf(path: string): RuleContext {
  return aloneContext(path);
}

function findingsOf(source: SourceText): number {
  const facts = factsOf(source);
  return CODE_RULES.reduce((sum, rule) => sum + rule.check(facts, contextOf(source.path)).length, 0);
}

function stagesOf(sources: readonly SourceText[], raw: RawParse): Stage[] {
  const over = (make: (source: SourceText) => number) => () => sources.reduce((sum, source) => sum + make(source), 0);
  return [
    { name: "raw parse", run: over(raw) },
    { name: "facts", run: over((source) => factsOf(source).uses.length) },
    { name: "whole check", run: over(findingsOf) },
  ];
}

function print(language: string, sources: readonly SourceText[], measured: readonly Measured[]): void {
  const characters = sources.reduce((sum, { text }) => sum + text.length, 0);
  console.log(`\n${language}: ${sources.length} files, ${(characters / 1e6).toFixed(1)} M characters`);
  for (const { name, seconds, made } of measured) {
    const speed = `${(characters / 1e6 / seconds).toFixed(2)} MB/s`;
    const share = (measured[0]!.seconds / seconds).toFixed(2);
    console.log(`  ${name.padEnd(12)} ${seconds.toFixed(2).padStart(7)} s  ${speed.padStart(12)}  ${share} of raw parse  (${made})`);
  }
}

const corpus = readCorpus(process.cwd(), process.argv.slice(2));
console.log(`Node ${process.version}, ${cpus()[0]?.model.trim() ?? "unknown processor"}; CPU seconds, best of ${ROUNDS}`);
if (corpus.python.length > 0) print("Python", corpus.python, measure(stagesOf(corpus.python, await rawPython()), ROUNDS));
if (corpus.ecmascript.length > 0) print("TypeScript and JavaScript", corpus.ecmascript, measure(stagesOf(corpus.ecmascript, rawEcmascript), ROUNDS));
