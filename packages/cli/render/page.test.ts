import { expect, it } from "vitest";
import { PLAIN } from "./paint.ts";
import { renderPage } from "./page.ts";

const PAGE = "# a-rule\n\n<!-- generated -->\n\nSome **bold** words and [a link](x.md) that\ngo on for longer than the line is.\n\n- an item that goes on for longer than\n  the line is wide\n- another\n\n```python\nimport httpx  # a line of code that is longer than the line is wide\n```\n";

it("prints the page as it is in a pipe", () => {
  expect(renderPage(PAGE, { columns: null, paint: PLAIN })).toBe(PAGE.replace("<!-- generated -->\n\n", ""));
});

it("wraps prose and sets code apart on a terminal", () => {
  expect(renderPage(PAGE, { columns: 40, paint: PLAIN }).split("\n")).toEqual([
    "a-rule", "", "Some bold words and a link that go on", "for longer than the line is.", "", "- an item that goes on for longer than", "  the line is wide", "- another", "",
    "    import httpx  # a line of code that is longer than the line is wide", "",
  ]);
});
