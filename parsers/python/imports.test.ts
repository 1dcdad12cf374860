import { describe, expect, it } from "vitest";
import type { Import } from "../facts.ts";
import { parsePython } from "./index.ts";

function imports(source: string): string[] {
  const shown = ({ form, specifier, names, typeChecking, optional }: Import): string => {
    const marks = [typeChecking && "type checking", optional && "optional"].filter((mark) => typeof mark === "string");
    return [`${form} ${specifier}`, ...names.map((name) => name.imported), ...marks].join(", ");
  };
  return parsePython(source).imports.map(shown);
}

describe("imports", () => {
  it.each([
    ["import a.b.c, d as e", ["import a.b.c, *", "import d, *"]],
    ["from . import a", ["from ., a"]],
    ["from ... a . b import (c as d,\n e)", ["from ...a.b, c, e"]],
    ["from a import *", ["from a, *"]],
    ["from __future__ import annotations", ["from __future__, annotations"]],
    ["import \\\n  os", ["import os, *"]],
    ["# harmless\rimport os", ["import os, *"]],
    ["\ufeffimport os\r\nimport sys\r\n", ["import os, *", "import sys, *"]],
    ["\fimport os", ["import os, *"]],
    ["def f():\n  class A:\n    import os", ["import os, *"]],
  ])("%j", (source, expected) => {
    expect(imports(source)).toEqual(expected);
  });

  it.each(["ImportError", "(A, ModuleNotFoundError)", "Exception as e", ""])("are optional under `except %s`", (caught) => {
    expect(imports(`try:\n  import a\n  def f(): import b\nexcept ${caught}: import c\n`)).toEqual(["import a, *, optional", "import b, *", "import c, *"]);
  });

  it("are not optional where another error is caught", () => {
    expect(imports("try: import a\nexcept ValueError: pass\ntry: import b\nfinally: pass\n")).toEqual(["import a, *", "import b, *"]);
  });

  it.each([
    ["from typing import TYPE_CHECKING\nif TYPE_CHECKING: import a\nelse: import b", ["import a, *, type checking", "import b, *"]],
    ["from typing import TYPE_CHECKING\nif not TYPE_CHECKING: import a\nelse: import b", ["import a, *", "import b, *, type checking"]],
    ["import typing as t\nif t.TYPE_CHECKING:\n  from a import b", ["from a, b, type checking"]],
    ["TYPE_CHECKING = False\nif TYPE_CHECKING: import a", ["import a, *, type checking"]],
    ["from typing import TYPE_CHECKING\nif TYPE_CHECKING or x: import a", ["import a, *"]],
  ])("are for type checkers only: %j", (source, expected) => {
    expect(imports(source).slice(-expected.length)).toEqual(expected);
  });

  it.each([
    "TYPE_CHECKING = True\nif TYPE_CHECKING: import a",
    "from x import TYPE_CHECKING\nif TYPE_CHECKING: import a",
    "if TYPE_CHECKING: import a",
    "import typing\ntyping.TYPE_CHECKING = True\nif typing.TYPE_CHECKING: import a",
    "import typing\nx, typing.TYPE_CHECKING = 1, True\nif typing.TYPE_CHECKING: import a",
    "from typing import TYPE_CHECKING\nTYPE_CHECKING |= True\nif TYPE_CHECKING: import a",
    "from typing import TYPE_CHECKING\nfor TYPE_CHECKING in [1]: pass\nif TYPE_CHECKING: import a",
  ])("run where the name is not what it seems: %j", (source) => {
    expect(imports(source).at(-1)).toBe("import a, *");
  });
});
