import { describe, expect, it } from "vitest";
import { factsOfSource, spelled } from "./testing-sources.ts";
import type { Language } from "./testing-sources.ts";

function writes(language: Language, source: string): string[] {
  const { uses } = factsOfSource(language, source);
  return uses.filter(({ role }) => role === "write").flatMap(({ references }) => references.map(spelled));
}

describe("what is written", () => {
  it.each<[string, Language, string, string[]]>([
    ["a variable of the environment", "python", 'import os\nos.environ["TOKEN"] = read()\n', ["os:environ.TOKEN"]],
    ["a variable of the environment", "typescript", "process.env.TOKEN = read();", ["globalThis:process.env.TOKEN"]],
    ["a variable by a name known at run time", "python", "import os\nos.environ[key] = read()\n", ["os:environ[?]"]],
    ["a variable by a name known at run time", "typescript", "process.env[key] = read();", ["globalThis:process.env[?]"]],
    ["the environment under another name", "python", "from os import environ as e\ne['A'] = '1'\n", ["os:environ.A"]],
    ["the environment under another name", "typescript", "const e = process.env; e.A = '1';", ["globalThis:process.env.A"]],
    ["an attribute that is given what is read", "python", "import os\nclass Client:\n    def __init__(self):\n        self.key = os.getenv('KEY')\n", []],
    ["an attribute that is given what is read", "typescript", "class Client { key; constructor() { this.key = process.env.KEY; } }", []],
  ])("%s (%s)", (_, language, source, expected) => {
    expect(writes(language, source)).toEqual(expected);
  });
});
