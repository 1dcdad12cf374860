import { changeTester, git, makeTree } from "@agentgate/engine/testing";
import { describe, expect, it } from "vitest";
import { commitOn, expectReport, foundIn, net, pure, repositoryOf } from "./repositories.ts";

const { check } = changeTester("change-reach");

const PYTHON = { "src/app/__init__.py": "", "src/app/client.py": net("client"), "src/app/middle.py": "from .client import send_client\n\n\ndef pay(order):\n    return send_client(order)\n", "src/app/user.py": pure("user") };
const CALL = `from app.middle import pay\n\n${pure("user")}\n\ndef go(order):\n    return pay(order)\n`;
const TYPESCRIPT = {
  "package.json": '{ "name": "root", "private": true, "workspaces": ["packages/*"] }\n', "packages/lib/package.json": '{ "name": "@x/lib", "exports": "./src/index.ts" }\n',
  "packages/lib/src/index.ts": 'export * from "./send.js";\n', "packages/lib/src/send.ts": 'import got from "got";\nexport const send = (x: string) => got(x);\n', "packages/app/package.json": '{ "name": "@x/app" }\n', "packages/app/src/a.ts": "export const a = 1;\n",
};
const CALLS = 'import { send } from "@x/lib";\nexport const a = 1;\nexport const go = () => send("x");\n';

describe("--reach", () => {
  it.each([["Python", PYTHON, { "src/app/user.py": CALL }, "no-invented-io src/app/user.py:9"], ["TypeScript", TYPESCRIPT, { "packages/app/src/a.ts": CALLS }, "no-invented-io packages/app/src/a.ts:3"]])("follows calls of %s in whatever head", async (_, base, patch, finding) => {
    const root = repositoryOf(base, patch);
    for (const options of [{}, { staged: true }, { head: "topic" }]) {
      expectReport(await check(root, { ...options, reach: true }), { found: [finding] });
      expectReport(await check(root, options), {});
    }
    const [found] = (await check(root, { reach: true })).findings;
    expect(found?.related.map(({ path }) => path)).toEqual(expect.arrayContaining(Object.keys(base).filter((name) => /client\.py|send\.ts/.test(name))));
    expectReport(await check(root, { base: "topic", reach: true }), {});
  });

  it("does not see anew what is renamed, or what came in from the base", async () => {
    const root = repositoryOf({ ...PYTHON, "src/app/user.py": CALL }, { "src/app/client.py": null, "src/app/http.py": net("client"), "src/app/middle.py": PYTHON["src/app/middle.py"].replace(".client", ".http") });
    expectReport(await check(root, { reach: true }), {});
    commitOn(root, "main", { "src/app/other.py": CALL });
    git(root, "checkout", "--quiet", "topic");
    git(root, "merge", "--quiet", "--no-edit", "main");
    expectReport(await check(root, { reach: true }), {});
  });

  it("gives the same with a cache that is empty, one that is full and none", async () => {
    const root = repositoryOf(PYTHON, { "src/app/user.py": CALL });
    const cache = makeTree({});
    const reports = [];
    for (const options of [{}, { cache }, { cache }]) reports.push(JSON.stringify(await check(root, { ...options, reach: true })));
    expect(new Set(reports).size).toBe(1);
    // What the callee can do is judged by its content: another one is another answer.
    commitOn(root, "topic", { "src/app/client.py": pure("client"), "src/app/middle.py": PYTHON["src/app/middle.py"].replaceAll("send_client", "total_client") });
    expect(foundIn(await check(root, { cache, reach: true }))).toEqual([]);
  });
});
