import { describe, expect, it } from "vitest";
import { PLAIN } from "./paint.ts";
import { renderCaps, renderCapsHtml } from "./caps.ts";
import { widthOf } from "./width.ts";

const sites = [{ line: 3, column: 1 }, { line: 41, column: 11 }];
const report = {
  version: 1, tool: { name: "agentgate", version: "1.0.0" }, base: null, error: null,
  modules: [{ path: "src/a\u001b.py", capabilities: [{ capability: "net", api: "httpx", sites }, { capability: "fs.write", api: "builtins.open", sites: sites.slice(1) }] }],
} as const;

describe("caps", () => {
  it("prints a table on a terminal", () => {
    expect(renderCaps(report, { columns: 80, paint: PLAIN }, false).split("\n")).toEqual([
      "src/a\\x1b.py", "  net       httpx          3:1, 41:11", "  fs.write  builtins.open  41:11", "", "1 module with a capability · fs.write, net", "",
    ]);
  });

  it("prints one line a capability in a pipe", () => {
    expect(renderCaps(report, { columns: null, paint: PLAIN }, false).split("\n")).toEqual([
      "src/a\\x1b.py:3:1: net httpx (also 41:11)", "src/a\\x1b.py:41:11: fs.write builtins.open", "1 module with a capability · fs.write, net", "",
    ]);
  });

  it("keeps many places within the width", () => {
    const many = Array.from({ length: 40 }, (_, index) => ({ line: index * 1000 + 1, column: 1 }));
    const wide = { ...report, modules: [{ path: "a.py", capabilities: [{ capability: "net", api: "httpx", sites: many }] }] };
    for (const line of renderCaps(wide, { columns: 50, paint: PLAIN }, true).split("\n")) expect(widthOf(line)).toBeLessThanOrEqual(50);
    expect(renderCaps(wide, { columns: 50, paint: PLAIN }, false)).toContain("and 30 more");
  });

  it("prints a page in which every name is text", () => {
    const page = renderCapsHtml({ ...report, modules: [{ path: "<script>x</script>\u202e.py", capabilities: report.modules[0].capabilities }] });
    expect(page).toContain("<tr><td><code>&lt;script&gt;x&lt;/script&gt;\\u{202e}.py</code></td><td>net</td><td><code>httpx</code></td><td>3:1, 41:11</td></tr>");
    expect(page).not.toContain("<script");
    expect(renderCapsHtml({ ...report, modules: [] })).toContain("no module with a capability");
  });

  it("is not silent where no module can do anything", () => {
    expect(renderCaps({ ...report, modules: [] }, { columns: null, paint: PLAIN }, false)).toBe("no module with a capability\n");
  });
});
