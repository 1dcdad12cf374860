import { parseEcmascript, parsePython } from "@agentgate/parsers";
import { describe, expect, it } from "vitest";
import { noUnpinnedModel } from "../../no-unpinned-model.ts";
import { contextOf } from "../testing.ts";

function judged(language: "python" | "typescript", source: string): string[] {
  const facts = language === "python" ? parsePython(source) : parseEcmascript(source, { dialect: "typescript" });
  return noUnpinnedModel.check(facts, contextOf()).map(({ message }) => message.split(" The ")[0]!.split(" No date")[0]!);
}

const TYPESCRIPT = (test: string): string => `function resolved(input: string) { if (${test}) return "anthropic/claude-opus-4-8"; return input; }\nexport function settings(options: any) { return { model: options.fast || resolved(options.model) }; }`;
const PYTHON = (test: string): string => `def resolved(name):\n    if ${test}:\n        return "anthropic/claude-opus-4-8"\n    return name\ndef settings(options):\n    return dict(model=options.fast or resolved(options.model))`;

describe("what a function returns for a model's name", () => {
  it.each([
    ["typescript", TYPESCRIPT('input === "opus" || input === "inherit"')],
    ["python", PYTHON('name == "opus" or name == "inherit"')],
  ] as const)("is no default (%s)", (language, source) => { expect(judged(language, source)).toEqual([]); });

  it.each([
    ["typescript", TYPESCRIPT("!input")],
    ["python", PYTHON("not name")],
    ["typescript", TYPESCRIPT('!input || input === "opus"')],
    ["python", PYTHON('name is None or name == "opus"')],
    ["typescript", TYPESCRIPT("!input").replace("return input;", 'if (input === "opus") return "anthropic/claude-opus-4-8"; return input;')],
  ] as const)("is one where nothing is given (%s)", (language, source) => {
    expect(judged(language, source)).toEqual(["Where model is not set, anthropic/claude-opus-4-8 runs."]);
  });

  it.each([
    ["typescript", TYPESCRIPT('input === "haiku"').replace("opus-4-8", "haiku-4-5")],
    ["python", PYTHON('name == "haiku"').replace("opus-4-8", "haiku-4-5")],
  ] as const)("may still move (%s)", (language, source) => {
    expect(judged(language, source)).toEqual(["anthropic/claude-haiku-4-5 is called."]);
  });
});
