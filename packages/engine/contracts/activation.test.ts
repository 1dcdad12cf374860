import { CONTRACT_SYSTEMS } from "@agentgate/rules/contracts";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { CONTRACTS } from "../policy/schema.ts";
import places from "../weakening/contract-places.json" with { type: "json" };
import { activate } from "./activation.ts";
import { DiskTree } from "./disk-tree.ts";

const scratch = realpathSync(mkdtempSync(path.join(tmpdir(), "agentgate-activation-")));
afterAll(() => rmSync(scratch, { recursive: true }));

it("finds a contract where gate-weakened guards it", () => {
  for (const { id, place } of CONTRACT_SYSTEMS) {
    const guarded = places[id as keyof typeof places];
    expect(guarded.files.some((file) => file === place || (place.endsWith("/") && [...guarded.files, ...guarded.evidence].some((one) => one.startsWith(place)))), id).toBe(true);
  }
});

it("judges only contracts that the policy may name", () => {
  expect(CONTRACT_SYSTEMS.map(({ id }) => id).filter((id) => !CONTRACTS.includes(id))).toEqual([]);
});

it.each(["file", "link out", "folder"] as const)("takes a contract that is a folder for active where a %s lies in its place", (kind) => {
  const root = path.join(scratch, kind.replace(" ", "-"));
  const place = path.join(root, "artifacts/receipts");
  mkdirSync(path.dirname(place), { recursive: true });
  if (kind === "file") writeFileSync(place, "");
  else if (kind === "link out") symlinkSync(scratch, place);
  else mkdirSync(place);
  expect(activate(new DiskTree(root), new Map(), []).active.map(({ path: at, system }) => `${system.id} ${at}`)).toEqual(["receipts artifacts/receipts"]);
});
