import { CODE_RULES } from "@agentgate/rules";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { examplesOf } from "../tools/docs/examples.ts";
import { judgeFiles } from "./judging.ts";

const root = path.resolve(import.meta.dirname, "..");
const scratch = mkdtempSync(path.join(tmpdir(), "agentgate-pages-"));
afterAll(() => rmSync(scratch, { recursive: true }));

describe.each(CODE_RULES.map((rule) => rule.meta.id))("the page of %s", (id) => {
  const examples = examplesOf(readFileSync(path.join(root, `docs/rules/${id}.md`), "utf8"));

  it.each(examples.map((example) => [example.heading, example] as const))("shows what is %s", async (heading, example) => {
    const findings = await judgeFiles(path.join(scratch, id, heading), example.files);
    const reported = new Set(findings.filter((finding) => finding.rule === id).map((finding) => finding.path));
    const code = example.files.map((file) => file.path).filter((file) => file !== "agentgate.yml");
    expect(code.length).toBeGreaterThan(1);
    expect([...reported].sort()).toEqual(heading === "Wrong" ? code.sort() : []);
  });
});
