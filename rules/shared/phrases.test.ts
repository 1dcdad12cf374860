import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { permitCommand } from "./phrases.ts";

describe("the command that writes a licence", () => {
  it("names an ordinary path as it is", () => {
    expect(permitCommand("src/refund.py", "net")).toBe('agentgate permit src/refund.py net --owner … --note "…"');
    expect(permitCommand("packages/@org/a+b.ts", "fs.write")).toContain(" packages/@org/a+b.ts fs.write ");
  });

  it.each(["a b.py", "app/[id]/page.tsx", "it's.py", "$(touch x).py", "`id`.py", "a;b.py", "a\nb.py", '"a".py', "~a.py", "*.py", "é.py", "a\\b.py", "''", "a&b.py", "!a.py", "{a,b}.py"])("is one word for a shell where the path is %j", (path) => {
    const command = permitCommand(path, "net").replace(/^agentgate permit /, "printf '<%s>' ");
    expect(execFileSync("sh", ["-c", command], { encoding: "utf8" })).toBe(`<${path}><net><--owner><…><--note><…>`);
  });

  it("does not let a path be an option", () => {
    expect(permitCommand("--config=x.py", "net")).toContain(" ./--config=x.py ");
  });
});
