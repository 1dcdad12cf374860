import { describe, expect, it } from "vitest";
import { RULE_METAS } from "@agentgate/rules";
import { WEAKENING_KINDS, weakeningDigest } from "./index.ts";
import { weakeningsBetween } from "./testing/change.ts";

describe("the digest", () => {
  it("is SHA-256 over the sorted records, one a line", () => {
    const records = [{ record: "b\0x\0\0" }, { record: "a\0y\0\0" }];
    expect(weakeningDigest(records)).toBe(weakeningDigest([...records].reverse()));
    expect(weakeningDigest(records)).toMatch(/^[0-9a-f]{64}$/);
    expect(weakeningDigest([])).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  });

  it("differs with each record and with their number", () => {
    const one = { record: "a\0y\0\0" };
    const digests = [[], [one], [one, one], [{ record: "a\0y\0\0" + "1" }]].map(weakeningDigest);
    expect(new Set(digests).size).toBe(4);
  });

  it("cannot be made equal by names that hold line ends or NUL", async () => {
    const names = ["a\nb.py", "a\\nb.py", "a\0b.py"];
    const digests = await Promise.all(names.map(async (name) => weakeningDigest(await weakeningsBetween({ [`src/${name}`]: "x = 1\n" }, { [`tests/${name}`]: "x = 1\n" }))));
    expect(new Set(digests).size).toBe(names.length);
  });

  it("keeps no line and no commit: what stands above makes no difference to a key", async () => {
    const policy = (more: string): string => `version: 1\n${more}strict: false\n`;
    const found = await Promise.all(["", "# a comment\n"].map((more) => weakeningsBetween({ "agentgate.yml": "version: 1\nstrict: true\n" }, { "agentgate.yml": policy(more) })));
    expect(found[0]?.map((one) => one.key)).toEqual(found[1]?.map((one) => one.key));
  });
});

it("every kind of the closed list is a technique of the rule, with its sentence", () => {
  const techniques = RULE_METAS.find((meta) => meta.id === "gate-weakened")!.techniques.filter((technique) => technique.kind === "true");
  expect(Object.fromEntries(techniques.map(({ name, summary }) => [name, summary]))).toEqual(WEAKENING_KINDS);
});
