import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { ChangeOptions, Report } from "@agentgate/engine";
import { changeTester, commit, git, makeTree } from "@agentgate/engine/testing";
import { describe, expect, it } from "vitest";
import { write } from "../laundering/attempts.ts";
import type { Contents } from "../laundering/attempts.ts";
import { commitOn, expectReport, net, proc, pure, repositoryOf } from "./repositories.ts";
import type { Expected } from "./repositories.ts";
import { agentgate, expectFailure, reportOf } from "../cli/harness.ts";

const { check, diff } = changeTester("change-policy");

function port(at: string, ...capabilities: readonly string[]): string {
  return `version: 1\nports:\n  - { path: ${at}, capabilities: [${capabilities.join(", ")}], owner: payments, note: talks to the ledger }\n`;
}

const A = "no-invented-io src/a.py:1";
const PERMITTED = { permitted: ["no-invented-io src/a.py by port"] } as const;

/** A change that gains `net` in src/a.py; `tip` is what the base has in addition by now. */
function gaining(base: Contents, tip: Contents = {}, patch: Contents = {}): string {
  const root = repositoryOf({ "src/a.py": pure("a"), ...base }, { "src/a.py": net("a"), ...patch });
  if (Object.keys(tip).length === 0) return root;
  commitOn(root, "main", tip);
  git(root, "checkout", "--quiet", "topic");
  return root;
}

describe("the policy of the base's tip", () => {
  it.each<[string, Contents, Contents, Expected]>([
    ["licenses", {}, { "agentgate.yml": port("src/a.py", "net") }, PERMITTED],
    ["licenses what the branch point did not", { "agentgate.yml": port("src/b.py", "net") }, { "agentgate.yml": port("src/a.py", "net") }, PERMITTED],
    ["licenses nothing that only the branch point did", { "agentgate.yml": port("src/a.py", "net") }, { "agentgate.yml": null }, { found: [A] }],
    ["excludes what is not judged", {}, { "agentgate.yml": "version: 1\nextendExclude: [src/a.py]\n" }, { unscanned: ["src/a.py excluded"] }],
    ["turns rules off", {}, { "agentgate.yml": "version: 1\nrules: { no-invented-io: off }\n" }, {}],
    ["was broken at the branch point only", { "agentgate.yml": "version: [\n" }, { "agentgate.yml": port("src/a.py", "net") }, PERMITTED],
  ])("%s", async (_, base, tip, expected) => {
    expectReport(await check(gaining(base, tip)), expected);
  });

  it("that came to say what head's own says is weakened by nothing", async () => {
    const policy = port("src/a.py", "net");
    const root = gaining({}, { "agentgate.yml": policy, ".github/workflows/gate.yml": "on: push\n" }, { "agentgate.yml": policy });
    expectReport(await check(root), PERMITTED);
    commitOn(root, "topic", { "agentgate.yml": port("src/a.py", "net", "proc") });
    expectReport(await check(root), { ...PERMITTED, found: ["gate-weakened agentgate.yml:1"] });
    const stricter = gaining({ "agentgate.yml": port("src/**", "net") }, { "agentgate.yml": "version: 1\n" });
    expectReport(await check(stricter), { found: [A] });
    git(stricter, "merge", "--quiet", "--strategy=ours", "--no-edit", "main");
    expectReport(await check(stricter), { found: [A, "gate-weakened agentgate.yml:3"] });
  });

  it.each<[string, Contents, RegExp]>([
    ["no YAML", { "agentgate.yml": "version: [1\n" }, /^agentgate\.yml of main /],
    ["of another version", { "agentgate.yml": "version: 2\n" }, /^agentgate\.yml of main .*version/],
    ["a list", { "agentgate.yml": "- 1\n" }, /^agentgate\.yml of main /],
    ["no UTF-8", { "agentgate.yml": Buffer.from([0x76, 0xff, 0xfe]) }, /^agentgate\.yml of main is not encoded in UTF-8\.$/],
    ["too large", { "agentgate.yml": `version: 1\n#${"x".repeat(1_048_577)}\n` }, /^agentgate\.yml of main has more than 1048576 bytes\.$/],
    ["a link", { "agentgate.yml": { to: "docs/gate.yml" }, "docs/gate.yml": port("src/a.py", "net") }, /^agentgate\.yml of main is no regular file\.$/],
    ["with a baseline that is no JSON", { "agentgate-baseline.json": "{" }, /^agentgate-baseline\.json /],
    ["with a baseline of another version", { "agentgate-baseline.json": '{\n  "version": 9,\n  "modules": [],\n  "findings": []\n}\n' }, /^agentgate-baseline\.json /],
    ["with a baseline that is a link", { "agentgate-baseline.json": { to: "docs/x.json" } }, /^agentgate-baseline\.json of main is no regular file\.$/],
  ])("that cannot be read (%s) is exit 2, and the report is written still", async (_, tip, why) => {
    expectReport(await check(gaining({}, tip)), { found: [A], refused: [why, /./] });
  });

  it("that cannot be read is exit 2 for the command and for the diff too", async () => {
    const root = gaining({}, { "agentgate.yml": "version: [1\n" });
    const ran = agentgate(root, ["check", "--base", "main", "--format", "json"]);
    expectFailure(ran, /agentgate\.yml of main/);
    expectReport(reportOf(ran), { found: [A], refused: [/agentgate\.yml of main/, /./] });
    expect((await diff(root)).error?.message).toMatch(/agentgate\.yml of main/);
  });

  it("that has problems holds for the rest, and the change does not answer for them", async () => {
    expectReport(await check(gaining({}, { "agentgate.yml": `${port("src/a.py", "net")}stirct: true\n` })), PERMITTED);
  });
});

describe("head's own policy", () => {
  it.each<[string, Contents, readonly string[]]>([
    ["with an unknown key", { "agentgate.yml": `${port("src/b.py", "net")}stirct: true\n` }, ["config agentgate.yml:4"]],
    ["with a bad glob and a bad capability", { "agentgate.yml": `${port("src/b.py", "net")}  - { path: "[", capabilities: [nett], owner: x, note: x }\n` }, ["config agentgate.yml:4", "config agentgate.yml:4"]],
    ["no YAML", { "agentgate.yml": "version: [1\n" }, ["config agentgate.yml:1", "gate-weakened agentgate.yml:1"]],
    ["of another version", { "agentgate.yml": "version: 2\n" }, ["config agentgate.yml:1", "gate-weakened agentgate.yml:1"]],
    ["below the root", { "src/agentgate.yml": "version: 1\n" }, ["config src/agentgate.yml:1"]],
  ])("%s is a finding and exit 1", async (_, patch, expected) => {
    const report = await check(repositoryOf({ "agentgate.yml": port("src/b.py", "net") }, patch));
    expect(report.error).toBeNull();
    const found = report.findings.map(({ rule, path: at, start }) => `${rule} ${at}:${start.line}`);
    expect(new Set(found)).toEqual(expect.objectContaining(new Set(expected)));
    expect(report.findings.filter(({ severity }) => severity === "error").length).toBeGreaterThan(0);
  });

  it("that was as bad before is not the change's", async () => {
    expectReport(await check(repositoryOf({ "agentgate.yml": "version: 1\nstirct: true\n", "a.py": pure("a") }, { "a.py": `${pure("a")}x = 1\n` })), {});
  });
});

describe("--config", () => {
  it("inside of the repository is read from the tip, whatever lies on the disk", async () => {
    const root = gaining({ "gate/ports.yml": "version: 1\n" }, { "gate/ports.yml": port("src/a.py", "net") });
    expectReport(await check(root, { config: "gate/ports.yml" }), PERMITTED);
    expectReport(await check(path.join(root, "gate"), { config: "ports.yml" }), PERMITTED);
    expectReport(await check(path.join(root, "src"), { config: "../gate/ports.yml" }), PERMITTED);
    expectReport(await check(root, { config: path.join(root, "gate/ports.yml") }), PERMITTED);
    expectReport(await check(root), { found: [A] });
    write(root, { gate: null });
    expectReport(await check(root, { config: "gate/ports.yml" }), { ...PERMITTED, found: ["gate-weakened gate/ports.yml:1"] });
  });

  it("inside of the repository and not at the tip is exit 2, though the patch has it", async () => {
    const root = gaining({}, {}, { "gate/ports.yml": port("src/a.py", "net") });
    expectReport(await check(root, { config: "gate/ports.yml" }), { found: [A, "gate-weakened gate/ports.yml:1"], refused: [/^gate\/ports\.yml does not exist at main, and the policy is read from there\.$/, /Name a file that the base has, or one outside the repository\./] });
  });

  it("outside of the repository is taken as it lies", async () => {
    const root = gaining({ "agentgate.yml": "version: 1\n" });
    const outside = makeTree({ "ports.yml": port("src/a.py", "net"), "broken.yml": "version: [\n" });
    expectReport(await check(root, { config: path.join(outside, "ports.yml") }), PERMITTED);
    expectReport(await check(root, { config: path.relative(root, path.join(outside, "ports.yml")) }), PERMITTED);
    expectReport(await check(root, { config: path.join(outside, "broken.yml") }), { found: [A], refused: [/broken\.yml /, /./] });
    expectReport(await check(root, { config: path.join(outside, "nowhere.yml") }), { found: [A], refused: [/nowhere\.yml does not exist/, /./] });
  });

  it("through a link that the patch set is the base's still", async () => {
    const outside = makeTree({ "ports.yml": port("src/a.py", "net") });
    for (const to of [outside, "loose", path.relative("/tmp/x", outside)]) {
      const root = gaining({ "gate/ports.yml": "version: 1\n", "loose/ports.yml": port("src/a.py", "net") }, {}, { gate: { to } });
      const link = path.join(makeTree({}), "link");
      symlinkSync(root, link);
      for (const cwd of [root, link]) {
        const report = await check(cwd, { config: "gate/ports.yml" });
        expect([report.error, report.permitted]).toEqual([null, []]);
        expect(report.findings.map(({ rule }) => rule)).toContain("no-invented-io");
      }
      expect((await check(root, { config: path.join(link, "gate/ports.yml") })).permitted).toEqual([]);
    }
  });

  it("through a link of the base is refused, and through one beside the repository is read from the tip", async () => {
    const root = gaining({ "gate/ports.yml": "version: 1\n", on: { to: "gate" } }, { "gate/ports.yml": port("src/a.py", "net") });
    expectReport(await check(root, { config: "on/ports.yml" }), { found: [A], refused: [/^on\/ports\.yml does not exist at main/, /./] });
    const beside = path.join(makeTree({}), "beside");
    symlinkSync(path.join(root, "gate"), beside);
    expectReport(await check(root, { config: path.join(beside, "ports.yml") }), PERMITTED);
  });
});

describe("the baseline of the base's tip", () => {
  it("is what the command writes: an old tree is silent after it", async () => {
    const root = repositoryOf({ "src/a.py": net("a"), "src/b.py": proc("b") });
    git(root, "checkout", "--quiet", "main");
    expect(agentgate(root, ["baseline"]).code).toBe(0);
    commit(root, "baseline");
    git(root, "checkout", "--quiet", "-B", "topic");
    commitOn(root, "topic", { "src/a.py": `${net("a")}x = 1\n`, "src/b.py": pure("b") });
    commitOn(root, "topic", { "src/b.py": proc("b") });
    const report = await check(root);
    expect([report.error, report.findings]).toEqual([null, []]);
    expect((await check(root, { base: "topic", head: "topic" })).findings).toEqual([]);
  });

  it("permits what it holds, even where the merge base had it no more", async () => {
    const root = repositoryOf({ "src/b.py": proc("b") });
    git(root, "checkout", "--quiet", "main");
    expect(agentgate(root, ["baseline"]).code).toBe(0);
    commitOn(root, "main", { "src/b.py": pure("b") });
    git(root, "checkout", "--quiet", "-B", "topic");
    commitOn(root, "topic", { "src/b.py": proc("b") });
    expectReport(await check(root), { permitted: ["no-invented-io src/b.py by baseline"] });
  });

  it("that head grows permits nothing", async () => {
    const root = repositoryOf({ "src/a.py": pure("a"), "src/b.py": net("b") });
    git(root, "checkout", "--quiet", "main");
    expect(agentgate(root, ["baseline"]).code).toBe(0);
    commit(root, "baseline");
    git(root, "checkout", "--quiet", "-B", "topic");
    write(root, { "src/a.py": net("a"), "agentgate-baseline.json": null });
    expect(agentgate(root, ["baseline"]).code).toBe(0);
    const report = await check(root);
    expect(report.permitted).toEqual([]);
    expect(report.findings.map(({ rule, path: at }) => `${rule} ${at}`).sort()).toEqual(["gate-weakened agentgate-baseline.json", "no-invented-io src/a.py"]);
  });
});

describe("--accept", () => {
  const BASE = { "agentgate.yml": port("src/b.py", "net"), "src/a.py": pure("a"), "src/b.py": net("b"), "src/c.py": pure("c") };
  const WIDER = port("src/a.py", "net");
  const PATCH = { "agentgate.yml": WIDER, "src/a.py": net("a") };
  const digestOf = ({ findings }: Report): string => /--accept ([0-9a-f]{64})/.exec(findings.find(({ rule }) => rule === "gate-weakened")?.message ?? "")?.[1] ?? "none";
  const digest = async (root: string, options: Partial<ChangeOptions> = {}): Promise<string> => digestOf(await check(root, options));

  it("of exactly what was shown permits exactly that, and puts head's policy in force", async () => {
    const root = repositoryOf(BASE, { ...PATCH, "src/c.py": proc("c") });
    const before = await check(root);
    const weakened = before.findings.filter(({ rule }) => rule === "gate-weakened");
    expect(weakened.length).toBeGreaterThan(0);
    expect(before.findings.map(({ path: at, rule }) => `${rule} ${at}`)).toEqual(expect.arrayContaining([A.slice(0, -2), "no-invented-io src/c.py"]));
    const accepted = await check(root, { accept: digestOf(before) });
    expectReport(accepted, {
      found: ["no-invented-io src/c.py:1"],
      permitted: [...weakened.map(({ path: at }) => `gate-weakened ${at} by accept`), "no-invented-io src/a.py by port"],
    });
    expect(accepted.permitted.filter(({ by }) => by.kind === "accept").map(({ fingerprint }) => fingerprint).sort()).toEqual(weakened.map(({ fingerprint }) => fingerprint).sort());
    expect(accepted.permitted.find(({ by }) => by.kind === "port")?.by).toMatchObject({ path: "agentgate.yml", line: 3, owner: "payments" });
  });

  it("of a baseline or of what is judged puts head's in force", async () => {
    const grown = repositoryOf({ "src/a.py": pure("a"), "src/b.py": net("b") });
    git(grown, "checkout", "--quiet", "main");
    expect(agentgate(grown, ["baseline"]).code).toBe(0);
    commit(grown, "baseline");
    git(grown, "checkout", "--quiet", "-B", "topic");
    write(grown, { "src/a.py": net("a"), "agentgate-baseline.json": null });
    expect(agentgate(grown, ["baseline"]).code).toBe(0);
    expectReport(await check(grown, { accept: await digest(grown) }), { permitted: ["gate-weakened agentgate-baseline.json by accept", "no-invented-io src/a.py by baseline"] });
    const excluding = repositoryOf(BASE, { "agentgate.yml": `${BASE["agentgate.yml"]}extendExclude: [src/a.py]\n`, "src/a.py": net("a") });
    expectReport(await check(excluding, { accept: await digest(excluding) }), { permitted: ["gate-weakened agentgate.yml by accept"], unscanned: ["src/a.py excluded"] });
  });

  it("of anything else permits nothing", async () => {
    const root = repositoryOf(BASE, PATCH);
    const none = await check(root);
    const right = digestOf(none);
    for (const accept of ["0".repeat(64), right.slice(1) + right[0]!, "", right.slice(0, 63)]) expect(await check(root, { accept })).toEqual(none);
    const honest = repositoryOf(BASE, { "src/c.py": `${pure("c")}x = 1\n` });
    expectReport(await check(honest, { accept: right }), {});
  });

  it("of an older version of the patch permits nothing of the newer one", async () => {
    const root = repositoryOf(BASE, PATCH);
    const old = await digest(root);
    commitOn(root, "topic", { "agentgate.yml": port("src/a.py", "net", "proc"), "src/a.py": `${net("a")}${proc("a")}` });
    const report = await check(root, { accept: old });
    expect(report.permitted).toEqual([]);
    expect(digestOf(report)).not.toBe(old);
    expect(digestOf(report)).not.toBe("none");
    // Taken back, the old digest stands for the patch again.
    commitOn(root, "topic", PATCH);
    expect(await digest(root)).toBe(old);
  });

  it("stays the same over rebase, split, squash, staging and a change that weakens nothing", async () => {
    const root = repositoryOf(BASE, PATCH);
    const first = await digest(root);
    commitOn(root, "main", { "src/d.py": pure("d"), "docs/e.txt": "e\n" });
    git(root, "checkout", "--quiet", "topic");
    expect(await digest(root)).toBe(first);
    git(root, "rebase", "--quiet", "main");
    expect(await digest(root)).toBe(first);
    git(root, "checkout", "--quiet", "-b", "split", "main");
    commitOn(root, "split", { "agentgate.yml": WIDER });
    commitOn(root, "split", { "src/a.py": net("a") });
    expect(await digest(root)).toBe(first);
    commitOn(root, "split", { "src/c.py": `${pure("c")}x = 1\n`, "src/new.py": net("new") });
    expect(await digest(root)).toBe(first);
    git(root, "reset", "--quiet", "--soft", "main");
    for (const options of [{}, { staged: true }]) expect(await digest(root, options)).toBe(first);
    git(root, "commit", "--quiet", "--message", "squashed");
    expect(await digest(root, { head: "split" })).toBe(first);
    const clone = makeTree({});
    git(clone, "clone", "--quiet", "--branch", "split", root, ".");
    expect(await digest(path.join(clone, "src"), { base: "origin/main" })).toBe(first);
  });

  it("does not read a policy of head that cannot be read", async () => {
    const root = repositoryOf(BASE, { "agentgate.yml": "version: [\n", "src/a.py": net("a") });
    const accepted = await check(root, { accept: await digest(root) });
    expect(accepted.error).toBeNull();
    expect(accepted.findings.map(({ rule, path: at }) => `${rule} ${at}`).sort()).toEqual(["config agentgate.yml", "no-invented-io src/a.py"]);
  });
});

describe("--require-change", () => {
  it("is exit 2 where head has nothing that the base does not have", async () => {
    const refused = [/^Head has nothing that main does not have, so there is no change to judge\.$/, /leave out --require-change\.$/] as const;
    const equal = repositoryOf({ "a.py": net("a") });
    expectReport(await check(equal, { requireChange: true }), { refused });
    expectReport(await check(equal), {});
    commitOn(equal, "main", { "a.py": pure("a") });
    git(equal, "checkout", "--quiet", "topic");
    for (const options of [{}, { staged: true }, { head: "topic" }]) expectReport(await check(equal, { ...options, requireChange: true }), { refused });
    writeFileSync(path.join(equal, "b.txt"), "b\n");
    expectReport(await check(equal, { requireChange: true }), {});
    expectReport(await check(equal, { requireChange: true, staged: true }), { refused });
    mkdirSync(path.join(equal, "empty"));
    chmodSync(path.join(equal, "a.py"), 0o755);
    git(equal, "add", "a.py");
    expectReport(await check(equal, { requireChange: true, staged: true }), {});
  });
});
