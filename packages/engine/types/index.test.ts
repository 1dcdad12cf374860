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
  expect(types.failure("key", { path: "a.ts", job, facts: untyped })).toBe(null);
});

it("leaves facts as they are where the project cannot be read in time, and says why", async () => {
  const types = await Types.open(makeTree(TREE), { limit: 1 });
  expect(types.typed("key", { path: "a.ts", job, facts: untyped })).toBe(untyped);
  expect(types.failure("key", { path: "a.ts", job, facts: untyped })).toBe("reading its project for types took more than 0.003 seconds");
});

const ENDLESS = `type Grown<T extends any[], N extends number> = T["length"] extends N ? T : Grown<[...T, 1], N> | Grown<[...T, 2], N>;\ntype Large = Grown<[], 22>;\nexport function large(one: Large): void {\n  one.at("u");\n}\n${TEXT}`;

it("leaves out the expression that takes too long, and gives a project up that has two such files", { timeout: 120_000 }, async () => {
  const types = await Types.open(makeTree({ ...TREE, "b.ts": ENDLESS, "c.ts": ENDLESS }), { limit: 4000 });
  const endless = { dialect: "typescript", text: ENDLESS } as const;
  const asked = (path: string) => ({ path, job: endless, facts: parseEcmascript(ENDLESS, endless) });
  const references = types.typed("long", asked("b.ts")).types?.flatMap(({ reference }) => reference?.path ?? []);
  expect(references).toEqual(["Client"]);
  expect(types.failure("long", asked("b.ts"))).toBe("working out the type of one took more than 2 seconds");
  expect(types.failure("long", asked("c.ts"))).toBe("working out the type of one took more than 2 seconds");
  expect(types.failure("key", { path: "a.ts", job, facts: untyped })).toBe("working out the types of b.ts and c.ts took too long, so no other file of the project was given any");
});
