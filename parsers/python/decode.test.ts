import { describe, expect, it } from "vitest";
import { decodePython } from "./decode.ts";

const bytes = (text: string, encoding: BufferEncoding = "utf8"): Uint8Array => new Uint8Array(Buffer.from(text, encoding));
const BOM = [0xef, 0xbb, 0xbf];

describe("the encoding of a Python source", () => {
  it.each([
    ["UTF-8 by default", bytes("x = 'é😀'"), "x = 'é😀'"],
    ["a byte order mark", new Uint8Array([...BOM, ...bytes("é")]), "é"],
    ["a byte order mark and UTF-8", new Uint8Array([...BOM, ...bytes("# coding: utf8\né")]), "# coding: utf8\né"],
    ["Latin-1", bytes("# -*- coding: latin-1 -*-\n\x80é", "latin1"), "# -*- coding: latin-1 -*-\n\x80é"],
    ["Latin-1 under another name", bytes("#!/bin/x\n# vim: set fileencoding=ISO_8859-1-unix :\né", "latin1"), "#!/bin/x\n# vim: set fileencoding=ISO_8859-1-unix :\né"],
    ["a label of TextDecoder", new Uint8Array([...bytes("# coding: cp1251\n"), 0xc0]), "# coding: cp1251\nА"],
    ["ASCII", bytes("# coding: us-ascii\nx"), "# coding: us-ascii\nx"],
    ["no comment", bytes("coding = 'latin-1'\né"), "coding = 'latin-1'\né"],
    ["the third line", bytes("#\n#\n# coding: latin-1\né"), "#\n#\n# coding: latin-1\né"],
    ["a line of code before", bytes("x\n# coding: latin-1\né"), "x\n# coding: latin-1\né"],
  ])("%s", (_, source, text) => {
    expect(decodePython(source)).toEqual({ text, problems: [] });
  });

  it.each([
    ["an encoding that is not known", bytes("# coding: rot13\nimport os"), "an encoding that cannot be judged"],
    ["UTF-7", bytes("# coding: utf-7\nimport os"), "cannot be judged"],
    ["UTF-16", bytes("# coding: utf-16\nimport os"), "cannot be judged"],
    ["escape sequences", bytes("# coding: iso-2022-jp\nimport os"), "cannot be judged"],
    ["a mark and another encoding", new Uint8Array([...BOM, ...bytes("# coding: latin-1\nimport os")]), "byte order mark"],
    ["lines that are counted in two ways", bytes("#\r#\n# coding: latin-1\nimport os"), "as they are counted"],
    ["bytes that are not UTF-8", new Uint8Array([0x23, 0xff, 0x0a, ...bytes("import os")]), "not UTF-8"],
    ["bytes that are not ASCII", bytes("# coding: ascii\n# é\nimport os"), "not ascii"],
  ])("%s is a problem, and the rest is still there", (_, source, message) => {
    const { text, problems } = decodePython(source);
    expect(problems.map((problem) => problem.message)).toEqual([expect.stringContaining(message) as string]);
    expect(text).toContain("import os");
  });

  it("says where the bytes are", () => {
    expect(decodePython(new Uint8Array([0x61, 0x62, 0xff])).problems[0]?.span).toEqual([2, 3]);
    expect(decodePython(bytes("# coding: rot13\n")).problems[0]?.span).toEqual([10, 15]);
  });
});
