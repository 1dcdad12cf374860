import { describe, expect, it } from "vitest";
import { linesThatCount } from "./places.ts";

const PYTHON = `import httpx


@retry
def send(order):
    while True:
        httpx.post(
            "https://pay.example",
            json=order,
        )


OTHER = 1
`;

const SCRIPT = `import axios from "axios";
export const ask = async (
  id: string,
) => axios.get(id);
axios.get(
  "later",
);
`;

function covered(rule: string, path: string, text: string, line: number): number[] {
  const places = linesThatCount({ path, line, rule }, [{ path, text }]);
  const lines = text.split("\n").map((_, index) => index + 1);
  return lines.filter((one) => places.some(({ first, last }) => first <= one && one <= last));
}

describe("where a finding counts", () => {
  it("is the function around the line, with its decorators", () => {
    expect(covered("no-unbounded-loop", "one.py", PYTHON, 6)).toEqual([4, 5, 6, 7, 8, 9, 10]);
    expect(covered("require-timeout", "one.ts", SCRIPT, 4)).toEqual([2, 3, 4]);
  });

  it("is the whole statement of a line that stands in no function", () => {
    expect(covered("require-timeout", "one.ts", SCRIPT, 6)).toEqual([5, 6, 7]);
    expect(covered("no-dynamic-import", "one.py", PYTHON, 13)).toEqual([13]);
  });

  it("is the whole file for rules whose place is a convention", () => {
    expect(covered("no-invented-io", "one.ts", SCRIPT, 1)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it("is the line alone in a file that is no code", () => {
    expect(covered("gate-weakened", "agentgate.yml", "version: 1\nrules: {}\n", 2)).toEqual([2]);
  });
});
