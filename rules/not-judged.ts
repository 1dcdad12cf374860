import type { RuleMeta } from "./rule.ts";

export const notJudged: RuleMeta = {
  id: "not-judged",
  severity: "error",
  summary: "A file of the tree could not be judged, or a place in it not to the end: unreadable, too large, crashed, timed out, cut off.",
  category: "input",
  suppressible: false,
  configurable: false,
  techniques: [
    { name: "unreadable", summary: "A file that may not be read.", kind: "true" },
    { name: "removed", summary: "A file that was removed while the tree was being judged.", kind: "true" },
    { name: "link-out-of-the-tree", summary: "A symbolic link that leaves the tree, or ends nowhere.", kind: "true" },
    { name: "no-regular-file", summary: "A socket, pipe or device under a source file's name.", kind: "true" },
    { name: "too-large", summary: "A file over `maxFileBytes`.", kind: "true" },
    { name: "crash", summary: "Source that kills the parser.", kind: "true" },
    { name: "timeout", summary: "Source that the parser does not finish in five seconds.", kind: "true" },
    { name: "behind-many-calls", summary: "A verdict that depends on what lies behind more calls than are followed.", kind: "true" },
    { name: "link-inside", summary: "A symbolic link to a file of the tree, which is judged once.", kind: "look-alike" },
    { name: "empty-file", summary: "A file with no bytes.", kind: "look-alike" },
  ],
};
