import { effectsOf } from "@agentgate/rules/effects";
import { gateNames, gatesOf } from "@agentgate/rules/gates";
import type { TreePath } from "../paths.ts";
import type { Policy } from "../policy/policy.ts";
import type { ChangeSide } from "./side.ts";

const RULE = "no-ungated-write";
/** How far below a changed module those that write are looked for where a gate binds the whole tree. */
const DEEPEST = 3;
/** Modules that are looked at for it. */
const MOST_LOOKED_AT = 300;

/**
 * Modules that write, are bound by a gate, and that changed modules call or may call through others, each with the
 * changed one: whether a write lies inside of the gate is decided by who calls its function, so that a call elsewhere
 * changes the verdict on them. Where the policy declares no gate for the whole tree, only what is loaded anyway is
 * looked at.
 */
export async function calledWriters(side: ChangeSide, changed: readonly TreePath[], policy: Policy): Promise<ReadonlyMap<TreePath, TreePath>> {
  if (policy.rules.get(RULE)?.severity === "off") return new Map();
  const bindsAll = policy.strict || policy.gates.some(({ scope }) => scope === "tree");
  const below = await modulesBelow(side, changed, bindsAll ? DEEPEST : 1);
  const names = gateNames(policy).map(({ segments }) => segments.at(-1)!);
  const candidates = [...below.keys()].filter((path) => {
    const text = side.module(path)?.text;
    return text !== undefined && (bindsAll || names.some((name) => text.includes(name)));
  });
  const writing = await side.settle(candidates, ({ facts }, contextOf) => {
    const context = contextOf();
    return gatesOf(facts, context) !== null && effectsOf(facts, context).own.some((effect) => effect.writes && effect.temporary !== true);
  });
  return new Map([...below].filter(([path]) => writing.get(path) === true));
}

/** What modules load, level by level, with the one that it starts from. */
async function modulesBelow(side: ChangeSide, changed: readonly TreePath[], deepest: number): Promise<ReadonlyMap<TreePath, TreePath>> {
  const from = new Map(changed.map((path) => [path, path]));
  let level = changed;
  for (let depth = 0; depth < deepest && level.length > 0; depth++) {
    const next: TreePath[] = [];
    for (const path of level) {
      const module = side.module(path);
      for (const target of module === null ? [] : side.targets(module)) {
        if (from.has(target) || !side.sources.has(target) || from.size - changed.length >= MOST_LOOKED_AT) continue;
        from.set(target, from.get(path)!);
        next.push(target);
      }
    }
    await side.load(next);
    level = next;
  }
  for (const path of changed) from.delete(path);
  return from;
}
