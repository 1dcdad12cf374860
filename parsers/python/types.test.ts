import { describe, expect, it } from "vitest";
import { parsePython } from "./index.ts";

/** The roles in which `httpx.Client` is used, in source order. */
function roles(source: string): string[] {
  return parsePython(`import httpx\nfrom typing import TypeAlias, Union\n${source}\n`)
    .uses.filter(({ references }) => references.some(({ module, path }) => module === "httpx" && path.join(".") === "Client"))
    .map(({ role }) => role);
}

describe("what only names a type", () => {
  it.each([
    ["an annotation", "def f(client: httpx.Client) -> None: ..."],
    ["an annotation as text", "def f(client: 'httpx.Client | None') -> None: ..."],
    ["a type argument of a base", "class Provider(Base[httpx.Client]): ..."],
    ["one of several type arguments of a base", "class Provider(Base[str, list[httpx.Client]]): ..."],
    ["an alias that says so", "Client: TypeAlias = httpx.Client"],
    ["a union that is an alias", "Client: TypeAlias = Union[str, httpx.Client] | None"],
    ["what is asked of an object's class", "isinstance(x, httpx.Client)"],
    ["one of the classes asked of an object", "isinstance(x, (str, httpx.Client))"],
    ["a cast", "from typing import cast\nclient = cast(httpx.Client, found)"],
    ["the bound of a type variable", "import typing as t\nC = t.TypeVar('C', bound=httpx.Client)"],
    ["a type statement", "type Client = httpx.Client | None"],
  ])("%s", (_, source) => {
    expect(roles(source)).toEqual(["type"]);
  });

  it("is no use of an alias: what is called by the new name is", () => {
    expect(roles("Client: TypeAlias = httpx.Client\nClient()")).toEqual(["type", "call"]);
  });

  it.each([
    ["Literal['httpx.Client']", "httpx.Client"],
    ["Literal['sonar']", "sonar"],
    ["typing.Optional[typing.Literal['gpt-4o']]", "gpt-4o"],
    ["Literal['a', None] | None", "a"],
  ])("is not what %s writes: a text", (type, text) => {
    const facts = parsePython(`import httpx\nimport typing\nfrom typing import Literal\nclass A:\n    b: ${type} = c\n`);
    expect(facts.values.filter((value) => value.kind === "string").map(({ value }) => value)).toEqual([text]);
    expect(facts.uses.some(({ references }) => references.some(({ module }) => module === "httpx"))).toBe(false);
  });

  it.each([
    ["a base", "class Provider(httpx.Client): ...", ["base"]],
    ["a default", "def f(make=httpx.Client): ...", ["value"]],
    ["an argument of a function called like one that takes types", "def isinstance(x, make): return make(x)\nisinstance(1, httpx.Client)", ["call", "value"]],
    ["a key of a table", "made = MAKERS[httpx.Client]", ["value"]],
    ["an argument of a call in a base", "class Provider(base(httpx.Client)): ...", ["value"]],
  ])("%s is more than a type", (_, source, expected) => {
    expect(roles(source)).toEqual(expected);
  });
});
