import type { RuleMeta } from "./rule.ts";

export const unusedPort: RuleMeta = {
  id: "unused-port",
  severity: "warning",
  summary: "A port licenses capabilities that no module it matches has.",
  category: "policy",
  suppressible: true,
  configurable: true,
  techniques: [
    { name: "no-module", summary: "Its glob matches no judged module.", kind: "true" },
    { name: "no-capability", summary: "The modules it matches have none of its capabilities.", kind: "true" },
    { name: "part-of-the-tree", summary: "Only a part of the tree was judged.", kind: "look-alike" },
    { name: "read-only", summary: "It licenses a capability that is not reported without `strict`, and a module has it.", kind: "look-alike" },
  ],
};
