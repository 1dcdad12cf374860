import { parseEcmascript } from "@agentgate/parsers";
import { expect, it } from "vitest";
import { makeTree } from "../testing/index.ts";
import { Types } from "./index.ts";

const TEXT = 'import type { Held } from "./held.js";\nexport function run(held: Held): void {\n  held.client.send();\n}\n';
const TREE = {
  "tsconfig.json": '{ "compilerOptions": { "module": "nodenext" } }', "a.ts": TEXT,
  "held.ts": 'import type { Client } from "mailer";\nexport interface Held { readonly client: Client; readonly own: { send(): void } }\n',
  "node_modules/mailer/package.json": '{ "name": "mailer", "types": "index.d.ts" }', "node_modules/mailer/index.d.ts": "export declare class Client { send(): void }\n",
};
const job = { dialect: "typescript", text: TEXT } as const;
const untyped = parseEcmascript(TEXT, job);

it("adds what the checker knows to the facts, the same each time", async () => {
  const types = await Types.open(makeTree(TREE));
  const facts = types.typed("key", { path: "a.ts", job, facts: untyped });
  expect(facts.types?.map(({ reference }) => reference)).toEqual([null, { module: "mailer", path: ["Client"], instance: true, through: "annotation" }]);
  expect(facts.calls[0]!.references).toEqual([{ module: "mailer", path: ["Client", "send"], instance: true, through: "annotation" }]);
  expect(types.typed("key", { path: "a.ts", job, facts: untyped })).toEqual(facts);
  expect(types.late).toEqual([]);
});

it("leaves facts as they are where the types take too long, and says so", async () => {
  const types = await Types.open(makeTree(TREE), 1);
  expect(types.typed("key", { path: "a.ts", job, facts: untyped })).toBe(untyped);
  expect(types.late).toEqual(["a.ts was judged without types: working them out took more than 0.001 seconds."]);
});
