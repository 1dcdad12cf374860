import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { editBetween } from "./edit.ts";
import { EditedPython, parsePython } from "./index.ts";
import { standardLibraryFiles } from "./testing-stdlib.ts";

/** Numbers from 0 to below 1, the same in each run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state / 2 ** 32;
  };
}

const PIECES = ["\n", "    ", "x", "# a remark\n", "if x:\n    pass\n", "(", ")", '"""', "'", "def f():\n    return 1\n", "\t", "é", "😀", "\r\n", ":", "[T = int]", "\\\n", "async "];

/** Comparing in one go is much faster; what differs is then shown. */
function expectSameFacts(edited: EditedPython, text: string): void {
  const [actual, expected] = [edited.read(text), parsePython(text)];
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected);
}

const library = standardLibraryFiles();

describe("a text with a little changed", () => {
  it("is described as one change between what is the same before and after", () => {
    expect(editBetween("a = 1\nb = 2\nc = 3\n", "a = 1\nb = 20\nlast = b\nc = 3\n")).toEqual({
      startIndex: 11, oldEndIndex: 11, newEndIndex: 21,
      startPosition: { row: 1, column: 5 }, oldEndPosition: { row: 1, column: 5 }, newEndPosition: { row: 2, column: 8 },
    });
  });

  it("is described where what is repeated could lie on either side", () => {
    const { startIndex, oldEndIndex, newEndIndex } = editBetween("aa", "aaa");
    expect([startIndex, oldEndIndex, newEndIndex]).toEqual([2, 2, 3]);
  });

  it.skipIf(library.length === 0).each([1, 2])("has the facts of the whole text (%i)", (seed) => {
    const random = numbers(seed);
    const edited = new EditedPython();
    const files = library.map(({ text }) => text).filter((text) => text.length > 0 && text.length < 8_000);
    for (let file = 0; file < 6; file++) {
      let text = files[Math.floor(random() * files.length)]!;
      for (let edit = 0; edit < 25; edit++) {
        // An edit is undone at times, as people do, so that texts are whole again.
        const before = text;
        const at = Math.floor(random() * text.length);
        const removed = random() < 0.4 ? Math.floor(random() * 30) : 0;
        text = text.slice(0, at) + PIECES[Math.floor(random() * PIECES.length)]! + text.slice(at + removed);
        expectSameFacts(edited, text);
        if (random() < 0.6) {
          text = before;
          expectSameFacts(edited, text);
        }
      }
    }
    edited.close();
  });

  it("goes on after a text that the parser gives up on, and after another file", () => {
    const edited = new EditedPython();
    expect(edited.read("a = 1\n").problems).toEqual([]);
    expect(edited.read("import os\nos.system('x')\n")).toEqual(parsePython("import os\nos.system('x')\n"));
    edited.close();
    expect(edited.read("a = 2\n")).toEqual(parsePython("a = 2\n"));
  });
});
