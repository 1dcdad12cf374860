import { changeTester, cloneOf, git } from "@agentgate/engine/testing";
import { beforeAll, describe } from "vitest";
import { commitOn, idOf, judged, net, pure, repositoryOf } from "./repositories.ts";
import type { Case } from "./repositories.ts";

const { check } = changeTester("change-revisions");

const GAIN = "no-invented-io src/a.py:1";
const NO_NAME = [/is no name of a branch or tag and no full id\./, /^Give HEAD, a branch such as origin\/main, a tag or a full id/] as const;

let clone: string;
let ids: { readonly main: string; readonly topic: string };

beforeAll(() => {
  const root = repositoryOf({ "src/a.py": pure("a"), "src/b.py": pure("b") }, { "src/a.py": net("a") });
  commitOn(root, "main", { "src/b.py": pure("bb") });
  git(root, "checkout", "--quiet", "topic");
  clone = cloneOf(root, "--branch", "topic");
  ids = { main: idOf(clone, "origin/main"), topic: idOf(clone, "topic") };
  git(clone, "branch", "--no-track", "local", "origin/main");
  git(clone, "branch", "--no-track", "folder/inner", "origin/main");
  git(clone, "tag", "light", "origin/main");
  git(clone, "tag", "--annotate", "--message", "x", "heavy", "origin/main");
  git(clone, "-c", "advice.nestedTag=false", "tag", "--annotate", "--message", "x", "heavier", "heavy");
  git(clone, "tag", "--annotate", "--message", "x", "topic-tag", "topic");
  git(clone, "tag", "of-a-tree", "origin/main^{tree}");
  git(clone, "tag", "of-a-file", "origin/main:src/a.py");
  for (const name of ["twice", "thrice"]) git(clone, "branch", "--no-track", name, "origin/main");
  for (const name of ["twice", "thrice"]) git(clone, "tag", name, "origin/main");
  git(clone, "update-ref", "refs/remotes/thrice", "origin/main");
  git(clone, "update-ref", `refs/heads/${idOf(clone, "origin/main~1")}`, "topic");
  git(clone, "update-ref", "refs/notes/hidden", "origin/main");
});

describe("a base", () => {
  judged(() => clone, check, ["origin/main", "local", "folder/inner", "light", "heavy", "heavier"].map((base): Case => ({ name: `is ${base}`, options: { base }, found: [GAIN] })));

  judged(() => clone, (root, { base, ...options } = {}) => check(root, { ...options, base: base!.replace("MAIN", ids.main.toUpperCase()).replace("main", ids.main) }), [
    { name: "is a full id", options: { base: "main" }, found: [GAIN] },
    { name: "is a full id in capitals", options: { base: "MAIN" }, found: [GAIN] },
  ]);

  judged(() => clone, check, [
    { name: "is HEAD, which the working tree equals", options: { base: "HEAD" } },
    { name: "is HEAD, where a change is required", options: { base: "HEAD", requireChange: true }, refused: [/Head has nothing that HEAD does not have/, /--require-change/] },
    { name: "is what head is itself", options: { base: "origin/topic", head: "topic-tag" } },
    { name: "is ahead of head", options: { base: "topic", head: "origin/topic" } },
  ]);

  judged(() => clone, check, [
    { name: "is a branch and a tag", options: { base: "twice" }, refused: [/^twice can mean several things: refs\/heads\/twice, refs\/tags\/twice\.$/, /^Give the full id of the one meant; this prints one: git rev-parse --verify/] },
    { name: "is a branch, a tag and a branch of a remote", options: { base: "thrice" }, refused: [/refs\/heads\/thrice, refs\/remotes\/thrice, refs\/tags\/thrice/, /full id/] },
    { name: "is a tag of a folder", options: { base: "of-a-tree" }, refused: [/^of-a-tree names a tree and no commit\.$/, /^Give HEAD/] },
    { name: "is a tag of a file", options: { base: "of-a-file" }, refused: [/^of-a-file names a blob and no commit\.$/, /^Give HEAD/] },
    { name: "is missing", options: { base: "nowhere" }, refused: [/^No branch, tag or full id is called nowhere in this clone/, /^Run: git fetch origin \+refs\/heads\/nowhere:refs\/remotes\/origin\/nowhere and give origin\/nowhere\.$/] },
    { name: "is missing at its remote too", options: { base: "origin/nowhere" }, refused: [/origin\/nowhere/, /^Run: git fetch origin \+refs\/heads\/nowhere:refs\/remotes\/origin\/nowhere$/] },
    { name: "lacks its remote", options: { base: "main" }, refused: [/called main in this clone; it has origin\/main/, /^Give origin\/main, if that is the one meant\.$/] },
    { name: "has a letter amiss", options: { base: "loacl" }, refused: [/it has local/, /^Give local/] },
    { name: "is a folder of branches", options: { base: "folder" }, refused: [/called folder/, /./] },
    { name: "is a full name of git", options: { base: "refs/heads/local" }, refused: [/refs\/heads\/local/, /^Give local\.$/] },
    { name: "is a ref of another kind", options: { base: "notes/hidden" }, refused: [/notes\/hidden/, /./] },
    { name: "is an id that nothing has", options: { base: "0123456789".repeat(4) }, refused: [/^The object (?:0123456789){4} is not in this clone\.$/, /^Run: git fetch origin (?:0123456789){4}$/] },
    { name: "is in other letters", options: { base: "LOCAL" }, refused: [/LOCAL/, /^Give local/] },
    { name: "is another head of git", options: { base: "ORIG_HEAD" }, refused: [/ORIG_HEAD/, /git rev-parse --verify ORIG_HEAD$/] },
    { name: "is @", options: { base: "@" }, refused: [/^@ is no name/, /^Give HEAD\.$/] },
  ]);

  judged(() => clone, (root, { base, ...options } = {}) => check(root, { ...options, base: ids[base as "main" | "topic"].slice(0, 12) }), [
    { name: "is an abbreviated id", options: { base: "main" }, refused: [/No branch, tag or full id is called [0-9a-f]{12} /, /git rev-parse --verify [0-9a-f]{12}$/] },
  ]);

  const expressions = [
    "", " ", "-", "--all", "--help", "-n1", "--output=/tmp/x", "local..topic", "local...topic", "^local", "local~1", "local^", "local^{commit}", "local^{tree}", "@{upstream}", "local@{1}", "HEAD~1", "HEAD^", "HEAD@{0}",
    ":/change", ":src/a.py", "local:src/a.py", "local topic", "local\ntopic", "local\ttopic", "lo*", "lo?al", "lo[c]al", "lo\\cal", "/local", "local/", "origin//main", "local.lock", ".local", "local.",
  ];
  judged(() => clone, check, expressions.map((base): Case => ({ name: `is no expression: ${JSON.stringify(base)}`, options: { base }, refused: NO_NAME })));
});

describe("a head", () => {
  judged(() => clone, (root, options) => check(root, { base: "origin/main", ...options }), [
    ...["HEAD", "topic", "origin/topic", "topic-tag"].map((head): Case => ({ name: `is ${head}`, options: { head }, found: [GAIN] })),
    { name: "is the base", options: { head: "origin/main" } },
    { name: "is behind the base", options: { head: "local", base: "topic" } },
    { name: "is ambiguous", options: { head: "twice" }, refused: [/^twice can mean several things/, /full id/] },
    { name: "is missing", options: { head: "nowhere" }, refused: [/nowhere/, /^Run: git fetch origin/] },
    { name: "is a range", options: { head: "local..topic" }, refused: NO_NAME },
    { name: "is an option", options: { head: "--all" }, refused: NO_NAME },
    { name: "is nothing", options: { head: "" }, refused: NO_NAME },
    { name: "is asked for beside the index", options: { head: "topic", staged: true }, refused: [/not both/, /--head or --staged/] },
  ]);

  judged(() => clone, (root, options) => check(root, { base: "origin/main", ...options, head: ids.topic }), [{ name: "is a full id", found: [GAIN] }]);
});

describe("a name that is an id too", () => {
  judged(() => clone, (root) => check(root, { base: idOf(clone, "origin/main~1") }), [
    { name: "is refused", refused: [/^[0-9a-f]{40} can mean several things: refs\/heads\/[0-9a-f]{40}, [0-9a-f]{40}\.$/, /full id/] },
  ]);
});
