import { Linter } from "eslint";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { noBannerComments } from "./no-banner-comments.mjs";
import { oneWayImports } from "./one-way-imports.mjs";

const root = path.resolve(import.meta.dirname, "../..");

function lint(rule: string, code: string, file: string, options: object[] = []): string[] {
  const linter = new Linter({ cwd: root });
  const plugin = { rules: { "one-way-imports": oneWayImports, "no-banner-comments": noBannerComments } };
  const config: Linter.Config = { files: ["**/*.ts"], plugins: { house: plugin }, rules: { [`house/${rule}`]: ["error", ...options] } };
  return linter.verify(code, [config], path.join(root, file)).map((message) => message.messageId ?? message.message);
}

describe("one-way-imports", () => {
  it.each([
    ["parsers/facts.ts", `import { x } from "@agentgate/rules";`, ["upward"]],
    ["rules/rule.ts", `export { x } from "@agentgate/engine";`, ["upward"]],
    ["packages/engine/index.ts", `const cli = import("@agentgate/cli");`, ["upward"]],
    ["rules/rule.ts", `import { x } from "@agentgate/rules";`, ["upward"]],
    ["packages/cli/main.ts", `import { x } from "@agentgate/parsers";`, []],
    ["rules/rule.ts", `import { x } from "../parsers/facts.ts";`, ["relative"]],
    ["test/a.test.ts", `import { x } from "../parsers/facts.ts";`, ["relative"]],
    ["test/a.test.ts", `import { x } from "../tools/a.ts";`, []],
    ["rules/rule.ts", `import { x } from "./catalogue/classify";`, ["ending"]],
    ["rules/rule.ts", `import { readFileSync } from "node:fs";`, ["impure"]],
    ["parsers/python/index.ts", `import net from "net";`, ["impure"]],
    ["packages/engine/index.ts", `import fs from "node:fs";`, []],
  ])("%s: %s", (file, code, expected) => {
    expect(lint("one-way-imports", code, file)).toEqual(expected);
  });

  it("lets a file read that is named in the configuration", () => {
    expect(lint("one-way-imports", `import fs from "node:fs";`, "parsers/python/runtime.ts", [{ mayRead: true }])).toEqual([]);
  });
});

describe("no-banner-comments", () => {
  it("refuses rulers and lets prose pass", () => {
    expect(lint("no-banner-comments", "// ---------- helpers ----------\n/* why: a -- b */", "rules/rule.ts")).toEqual(["banner"]);
  });
});
