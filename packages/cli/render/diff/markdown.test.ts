import type { DiffReport, DiffRun } from "@agentgate/engine";
import { describe, expect, it } from "vitest";
import { diffReport, difference, use } from "../../testing/sample.ts";
import { commentOf } from "./comment.ts";
import { renderDiffHtml } from "./html.ts";
import { codeSpan, renderMarkdown } from "./markdown.ts";

const PORTS: Readonly<Record<string, ReturnType<DiffRun["portFor"]>>> = { net: { path: "src/adapters/ledger/client.py", owner: "payments" } };
const run: DiffRun = { hadAtBase: () => new Set(), portFor: (_path, capability) => PORTS[capability] ?? null, unjudged: [], strict: false };
const markdown = (report: DiffReport, known: Partial<DiffRun> = {}): string => renderMarkdown(commentOf(report, { ...run, ...known }));
const FOOT = "Compared against `origin/main` (merge base `3f9c2a1`) by agentgate 1.0.0.";

describe("the review comment", () => {
  it("tells the new privilege, what must change with it and where it belongs, then all gains and losses", () => {
    const report = diffReport([
      difference({ contract: "tests/replay/refund.tools.json" }),
      difference({ path: "src/report.ts", gained: [use("fs.write", "node:fs.writeFile", 3, 9)], lost: [use("env.read", "process.env")], port: null }),
    ]);
    expect(markdown(report).split("\n")).toEqual([
      "**New privilege:** `src/refund.py` can now reach the network (`httpx.post`, line 41). It could not before.",
      "**What must change with it:** `tests/replay/refund.tools.json`, the contract that covers this module.",
      "**Where it belongs:** `src/adapters/ledger/client.py` is the port with `net` (owner `payments`).",
      "",
      "**New privilege:** `src/report.ts` can now write files (`node:fs.writeFile`, lines 3, 9). It could not before.",
      "**Where it belongs:** no port has `fs.write`. Take it out, or have its owner license it here: `agentgate permit src/report.ts fs.write --owner … --note \"…\"`.",
      "",
      "| module | gained | lost |",
      "| --- | --- | --- |",
      "| `src/refund.py` | net (`httpx.post`) |  |",
      "| `src/report.ts` | fs.write (`node:fs.writeFile`) | env.read (`process.env`) |",
      "",
      FOOT,
      "",
    ]);
  });

  it("joins what one module gained, and says what moved", () => {
    const moved = [{ ...use("proc", "subprocess.run", 7), from: "src/old.py" }];
    const text = markdown(diffReport([difference({ gained: [use(), use("net", "requests.get", 50)], moved })]));
    expect(text).toContain("can now reach the network (`httpx.post`, line 41; `requests.get`, line 50) and start processes (`subprocess.run`, line 7). It could not before. It moved here from `src/old.py`.");
    expect(text).toContain("| net (`httpx.post`), net (`requests.get`), proc (`subprocess.run`, moved from `src/old.py`) |");
  });

  it("calls no further API of a capability that was there a new privilege", () => {
    const text = markdown(diffReport([difference()]), { hadAtBase: () => new Set(["net"]) });
    expect(text).toMatch(/^\*\*No new privilege\.\*\* Modules have further ways to what they could do before/);
    expect(text).toContain("| net (`httpx.post`) |");
    expect(markdown(diffReport([difference({ lost: [use("net", "requests.get")] })]), { hadAtBase: () => null })).toMatch(/^\*\*No new privilege\.\*\*/);
  });

  it("says so where nothing was gained", () => {
    expect(markdown(diffReport([]))).toBe(`**No new privilege.** No module can do anything that it could not do before.\n\n${FOOT}\n`);
    expect(markdown(diffReport([difference({ gained: [], lost: [use()] })]))).toContain("|  | net (`httpx.post`) |");
  });

  it("is not silent where nothing could be compared", () => {
    const text = markdown(diffReport([], { base: null, error: { message: "`main` and @HEAD share no commit.", hint: "Run: git fetch --deepen=200 origin main" } }));
    expect(text).toMatch(/^\*\*Could not compare:\*\* `` `main` and @HEAD share no commit\. ``\n\*\*What to do:\*\* `Run: git fetch --deepen=200 origin main`/);
    expect(text).not.toContain("No new privilege");
    expect(markdown(diffReport([], { error: { message: "agentgate.yml of the base is no YAML.", hint: "Correct it." } }))).toMatch(/^\*\*Not everything could be compared:\*\*/);
  });

  it("names what could not be read, and claims nothing of it", () => {
    const text = markdown(diffReport([]), { unjudged: [{ path: "src/broken.ts", message: "" }, { path: "src/broken.ts", message: "" }, { path: "a|b.py", message: "" }] });
    expect(text.split("\n")[0]).toBe("**Not judged:** `src/broken.ts`, `a|b.py`. What cannot be read here can do anything; agentgate check says why and what to do.");
    expect(text).toContain("**No new privilege.** No module that could be read can do anything that it could not do before.");
  });

  it("names the port of each capability, and the command for those that no port has", () => {
    const gained = [use("net", "got", 3), use("fs.write", "node:fs.writeFile", 1), use("proc", "node:child_process", 2), use("env.read", "process.env", 4)];
    expect(markdown(diffReport([difference({ path: "src/report.ts", gained })])).split("\n").slice(0, 2)).toEqual([
      "**New privilege:** `src/report.ts` can now reach the network (`got`, line 3), write files (`node:fs.writeFile`, line 1) and start processes (`node:child_process`, line 2). It could not before.",
      "**Where it belongs:** `src/adapters/ledger/client.py` is the port with `net` (owner `payments`); no port has `fs.write` or `proc`. Take it out, or have its owner license it here: `agentgate permit src/report.ts fs.write proc --owner … --note \"…\"`.",
    ]);
  });

  it("tells five modules in full and counts the others, what only strict reports last", () => {
    const modules = [difference({ path: "env.py", gained: [use("env.read", "os.environ")] }), ...Array.from({ length: 7 }, (_, index) => difference({ path: `m${index}.py` }))];
    const text = markdown(diffReport(modules), { strict: true });
    expect(text.match(/\*\*New privilege:\*\*/g)).toHaveLength(5);
    expect(text).toContain("And 3 more modules with new privileges, in the table.");
    expect(text).not.toContain("read the environment");
    expect(text).toContain("| `env.py` | env.read (`os.environ`) |");
  });

  it("calls nothing a new privilege that is judged under strict only, and keeps it in the table", () => {
    const reads = diffReport([difference({ path: "env.py", gained: [use("env.read", "os.environ"), use("fs.read", "open")] })]);
    expect(markdown(reads)).toMatch(/^\*\*No new privilege\.\*\* Modules newly read files and read the environment, which is judged under strict only\.\n/);
    expect(markdown(reads)).toContain("| `env.py` | env.read (`os.environ`), fs.read (`open`) |");
    expect(markdown(reads, { strict: true })).toMatch(/^\*\*New privilege:\*\* `env\.py` can now read the environment[^\n]*\n\*\*Where it belongs:\*\* no port has `env\.read` or `fs\.read`\./);
    const both = diffReport([difference({ gained: [use("env.read", "os.environ"), use()] })]);
    expect(markdown(both)).toContain("can now reach the network (`httpx.post`, line 41). It could not before.");
  });

  it("asks nobody to license what only strict reports", () => {
    expect(markdown(diffReport([difference({ path: "env.py", gained: [use("env.read", "os.environ")] })]))).not.toContain("Where it belongs");
  });

  it("is never longer than a comment may be", () => {
    const long = "`|日@a/".repeat(800);
    const modules = Array.from({ length: 2000 }, (_, index) => difference({
      path: `${index}${long}`, gained: ["net", "proc", "mail", "pay", "code"].flatMap((capability) => Array.from({ length: 30 }, (_one, api) => use(capability, `${long}${api}`, 1, 2, 3, 4, 5))),
      lost: Array.from({ length: 50 }, () => use("queue", long)), port: long, contract: long,
    }));
    const text = markdown(diffReport(modules));
    expect(text.length).toBeLessThan(65_536);
    expect(Buffer.byteLength(text)).toBeLessThan(65_536);
    expect(text).toMatch(/And 19\d\d more modules: agentgate diff with --format json lists all\./);
    const many = markdown(diffReport(Array.from({ length: 2000 }, (_, index) => difference({ path: `m${index}.py` }))));
    expect(many).toContain("| `m299.py` |");
    expect(many).toContain("And 1700 more modules:");
  });
});

const HOSTILE = [
  "a`b", "``", "`", "a|b", "a\\|b", "a\\", "a\nb", "a\r\nb", "[x](https://evil.example)", "![x](https://evil.example/x.png)", "<img src=x onerror=alert(1)>", "<!-- x", "</code>", "@octocat", "org/repo#123", "#123",
  "https://evil.example/?a=b", "www.evil.example", "a@evil.example", "::error::x", "##[error]x", "\u202egnp.exe", "a\u200bb", "a\u200db", "a\ufe0fb", "\u001b[31mred", "**bold**", "__init__.py", "~~x~~", "$x$", ":tada:", "&lt;b&gt;", " lead", "trail ", "  ", "", "- [ ] x", "> quote", "# head", "| a | b |", "---", "{{x}}", "\ud800",
];

/** What is left of a line without its code spans, read as CommonMark reads them: equal runs of backticks pair up. */
function withoutCode(line: string): { readonly rest: string; readonly spans: string[] } {
  const spans: string[] = [];
  let rest = "";
  let at = 0;
  while (at < line.length) {
    const run = /^`+/.exec(line.slice(at))?.[0];
    if (run === undefined) {
      rest += line.charAt(at++);
      continue;
    }
    const close = [...line.slice(at + run.length).matchAll(/`+/g)].find(([candidate]) => candidate.length === run.length);
    if (close === undefined) throw new Error(`an open code span: ${line}`);
    spans.push(line.slice(at + run.length, at + run.length + close.index));
    at += run.length * 2 + close.index;
    rest += "§";
  }
  return { rest, spans };
}

describe("hostile names", () => {
  const everywhere = (text: string): DiffReport => diffReport([
    difference({ path: text, gained: [use("net", text)], lost: [use("proc", text)], moved: [{ ...use("mail", text), from: text }], port: text, contract: text }),
    difference({ path: `b${text}`, port: null }),
  ], { base: { ref: text, tip: "b".repeat(40), mergeBase: "c".repeat(40) }, error: { message: text, hint: text } });

  const named = (text: string): Partial<DiffRun> => ({ portFor: (path, capability) => (capability === "net" && path === text ? { path: text, owner: text } : null), unjudged: [{ path: text, message: text }] });

  const OURS = new RegExp(`^(?:${[
    "\\*\\*[A-Z][A-Za-z ]+[:.]\\*\\* [A-Za-z§ ,.:;()0-9]*", "\\| module \\| gained \\| lost \\|", "\\| --- \\| --- \\| --- \\|", "\\| § \\| [a-z§ ,.()]* \\| [a-z§ ,.()]* \\|", "Compared against § \\(merge base §\\) by agentgate 1\\.0\\.0\\.", "",
  ].join("|")})$`);

  it.each(HOSTILE)("%j is a name and nothing else", (text) => {
    const comment = markdown(everywhere(text), named(text));
    expect(comment).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufe0f]|\p{Cs}|##\[|^\s*::/mu);
    for (const line of comment.split("\n")) {
      const { rest, spans } = withoutCode(line);
      expect(rest).toMatch(OURS);
      if (line.startsWith("|")) for (const span of spans) expect(span).not.toContain("|");
    }
  });

  it.each(HOSTILE)("%j shows as it is, or as its escapes", (text) => {
    const { spans } = withoutCode(codeSpan(text));
    expect(spans).toHaveLength(1);
    const shown = /^ .*[^ ].* $/.test(spans[0]!) ? spans[0]!.slice(1, -1) : spans[0]!;
    if (text !== "" && !/[\u0000-\u001f\u200b-\u202e\ufe0f\ud800]|::|##\[/.test(text)) expect(shown).toBe(text);
  });

  it("are in no command that is to be copied", () => {
    const nowhere = { portFor: () => null };
    expect(markdown(diffReport([difference({ path: "a; rm -rf ~", port: null })]), nowhere)).toContain("`agentgate permit PATH net --owner … --note \"…\"`");
    expect(markdown(diffReport([difference({ path: "-rf.py", port: null })]), nowhere)).toContain("`agentgate permit PATH net");
  });

  it.each(HOSTILE)("%j is text in the page too", (text) => {
    const page = renderDiffHtml(commentOf(everywhere(text), { ...run, ...named(text) }));
    expect(page).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202a-\u202e]|<(?!\/?(?:html|head|meta|title|style|body|p|strong|br|code|table|thead|tbody|tr|th|td|footer)\b|!doctype)/);
    const tags = [...page.matchAll(/<(?!\/|!doctype)[^>]*>/g)].map(([tag]) => tag).filter((tag) => !/^<[a-z]+>$/.test(tag));
    expect(tags).toHaveLength(4);
  });
});
