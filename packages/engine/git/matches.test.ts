import { expect, test } from "vitest";
import { idOf, makeHistory } from "../testing/history.ts";
import type { Files } from "../testing/tree.ts";
import { filesByWord, filesThatMayDefine } from "./matches.ts";
import { openRepository } from "./repository.ts";

async function defining(files: Files, names: readonly string[]): Promise<Record<string, readonly string[]>> {
  const root = makeHistory(files);
  const repository = await openRepository(root);
  try {
    const [commit, index] = [await filesThatMayDefine(repository, idOf(root, "HEAD"), names), await filesThatMayDefine(repository, "index", names)];
    expect(index).toEqual(commit);
    return Object.fromEntries(commit ?? []);
  } finally {
    repository.close();
  }
}

test("every way to define a function is found", async () => {
  const forms = [
    "def post(self): pass", "async def  post(self): pass", "def post[T](x: T): pass", "def\tpost (self): pass", "def \\\n  post(self): pass",
    "function post() {}", "async function* post() {}", "class A { post() {} }", "class A { async post<T>(x: T) {} }", "class A { get post() { return 1 } }", "class A{post(){}}",
    "class A { 'post'() {} }", "class A { ['post']() {} }", "class A { [`post`]() {} }", "class A { post?(): void }", "class A { post\n() {} }", "class A { post /* it */ () {} }", "class A { post = async () => 1 }",
    "class A { post: (x: string) => void = () => 1 }", "const post = () => 1", "const post: F = function () {}", "const a = { post: () => 1 }", "const a = { post() {} }", "const a = { \"post\": () => 1 }",
    "a.post = () => 1", "A.prototype.post = function () {}", "exports.post =\n  () => 1", "let post=()=>1", "class A { post!: F; }", "if (x) { post\r\n() }",
  ];
  const files = Object.fromEntries(forms.map((text, index) => [`${String(index).padStart(2, "0")}.txt`, `${text}\n`]));
  expect(await defining(files, ["post", "other"])).toEqual({ post: Object.keys(files) });
});

test("what only uses a name is no candidate", async () => {
  const uses = ["client.post(url)", "client?.post(url)", "client.post", "posts(1)", "repost(1)", "$post(1)", "def posted(): pass", "from a import post, b", "// post it"];
  const files = Object.fromEntries(uses.map((text, index) => [`${index}.txt`, `${text}\n`]));
  expect(await defining(files, ["post"])).toEqual({});
});

test("names with signs of expressions, several in a line, and files with strange names", async () => {
  const files = { "a\nb.ts": "const $a = { get$: () => 1, b() {}, _c: 1 }\n", "ü.py": "def b(): pass\n\0def $a(): pass\n" };
  expect(await defining(files, ["$a", "get$", "b", "_c"])).toEqual({ $a: ["a\nb.ts", "ü.py"], get$: ["a\nb.ts"], b: ["a\nb.ts", "ü.py"], _c: ["a\nb.ts"] });
});

test("the files of each word", async () => {
  const root = makeHistory({ "a.py": "import helper\nhelpers\n", "b.py": "a.b [x] $ü\n", "c.py": "axb\n", "d\n.py": "import other, helper" });
  const repository = await openRepository(root);
  try {
    const words = ["helper", "helpers", "a.b", "[x]", "$ü", "absent", "", "other\nhelper"];
    for (const where of [idOf(root, "HEAD"), "index"]) {
      expect(Object.fromEntries(await filesByWord(repository, where, words) ?? [])).toEqual({ helper: ["a.py", "d\n.py"], helpers: ["a.py"], "a.b": ["b.py"], "[x]": ["b.py"], $ü: ["b.py"], other: ["d\n.py"] });
    }
  } finally {
    repository.close();
  }
});

test("more names than one pattern takes", async () => {
  const names = Array.from({ length: 1001 }, (_, index) => `name${index}`);
  const found = await defining({ "a.py": names.map((name) => `def ${name}(): pass\n`).join("") }, names);
  expect(Object.keys(found).sort()).toEqual([...names].sort());
});
