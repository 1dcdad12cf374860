import { parseEcmascript } from "@agentgate/parsers";
import { describe, expect, it } from "vitest";
import { noDynamicImport } from "../no-dynamic-import.ts";
import { contextOf } from "./testing.ts";

/** The message for what a script element is given. */
function said(write: string): string {
  const source = `export function mount(version: string, own: boolean) {\n  const script = document.createElement("script");\n  script.${write};\n}\n`;
  const findings = noDynamicImport.check(parseEcmascript(source, { dialect: "typescript" }), contextOf());
  expect(findings.map(({ severity, capability }) => [severity, capability])).toEqual([["error", "code"]]);
  return findings[0]!.message;
}

describe("a script put into a page", () => {
  it.each(['src = "https://cdn.example.com/x.js"', 'src = "//cdn.example.com/x.js"', 'src = "HTTPS://cdn.example.com"', 'src = own ? "/x.js" : "https://cdn.example.com/x.js?v=1"'])("names the host that is written out: %s", (write) => {
    expect(said(write)).toBe(
      "script.src puts a script from cdn.example.com into the page. What is served there runs here and is not part of what was reviewed. Import the package instead, or keep a reviewed copy in the tree.",
    );
  });

  it.each(['src = "/assets/x.js"', 'text = "start()"', 'textContent = "https://cdn.example.com/"'])("claims no run time where all is written out: %s", (write) => {
    expect(said(write)).toMatch(/^script\.\w+ puts a script into the page\. Every tool that reads imports looks past what it runs\./);
  });

  it.each(["src = `https://cdn.example.com/${version}/x.js`", "text = version", 'text += "start()"'])("says so where run time decides: %s", (write) => {
    expect(said(write)).toContain("is decided at run time, where no reviewer sees it");
  });
});
