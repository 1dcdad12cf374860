import { parseEcmascript, parsePython, type ModuleFacts } from "@agentgate/parsers";
import { CODE_RULES, aloneContext } from "@agentgate/rules";
import process from "node:process";
import { measure } from "./measure.ts";
import { SHAPES, type Shape } from "./shapes.ts";

/** The larger source is so many times the smaller one; linear work takes as many times as long. */
const TIMES = 4;
/** About what brings the larger one to a quarter of a MiB, or 5,000 entries. */
const SMALL = 1250;
const ROUNDS = 3;
/** More than this above linear is told as such. */
const BOUND = 2;

type Language = "python" | "ecmascript";

function factsOf(language: Language, shape: Shape, size: number): { readonly facts: () => ModuleFacts; readonly characters: number } {
  const text = shape[language](size);
  return { facts: () => (language === "python" ? parsePython(text) : parseEcmascript(text, { dialect: "javascript" })), characters: text.length };
}

/** What a rule makes of fresh facts: nothing that another run worked out is at hand. */
function seconds(language: Language, shape: Shape, size: number, rule: (typeof CODE_RULES)[number] | null): number {
  const { facts } = factsOf(language, shape, size);
  const fresh = Array.from({ length: ROUNDS + 1 }, () => facts());
  let round = 0;
  const stage = { name: shape.name, run: () => {
    const subject = fresh[round++]!;
    if (rule !== null) return rule.check(subject, aloneContext("main")).length;
    return CODE_RULES.reduce((sum, one) => sum + one.check(subject, aloneContext("main")).length, 0);
  } };
  return measure([stage], ROUNDS)[0]!.seconds;
}

function line(language: Language, shape: Shape): string {
  const [small, large] = [seconds(language, shape, SMALL, null), seconds(language, shape, SMALL * TIMES, null)];
  const growth = large / Math.max(small, 0.001) / TIMES;
  const slow = growth <= BOUND ? "" : ` · above linear: ${CODE_RULES.filter((rule) => seconds(language, shape, SMALL * TIMES, rule) / Math.max(seconds(language, shape, SMALL, rule), 0.001) > BOUND * TIMES).map((rule) => rule.meta.id).join(", ")}`;
  const { characters } = factsOf(language, shape, SMALL * TIMES);
  return `${language.padEnd(10)} ${shape.name.padEnd(42)} ${small.toFixed(3)} s → ${large.toFixed(3)} s (${(characters / 1000).toFixed(0)} k characters)  ${growth.toFixed(2)} × linear${slow}`;
}

function main(): void {
  const wanted = process.argv[2] ?? "";
  console.log(`All rules about code on sources of ${SMALL} and ${SMALL * TIMES} parts, CPU seconds without parsing, best of ${ROUNDS}`);
  for (const shape of SHAPES) {
    if (!shape.name.includes(wanted)) continue;
    for (const language of ["python", "ecmascript"] as const) console.log(line(language, shape));
  }
}

main();
