import type { RuleMeta } from "./rule.ts";

export const parseError: RuleMeta = {
  id: "parse-error",
  severity: "error",
  summary: "A file is not valid source, so that what it does could not be read.",
  category: "input",
  suppressible: false,
  configurable: false,
  techniques: [
    { name: "broken-syntax", summary: "A statement that no grammar accepts.", kind: "true" },
    { name: "unclosed-bracket", summary: "A bracket or string that never ends.", kind: "true" },
    { name: "python-2", summary: "`print x`, `exec x`, `<>` or a comma in `raise`.", kind: "true" },
    { name: "unknown-encoding", summary: "An encoding line that names no encoding we can decode.", kind: "true" },
    { name: "undecodable-bytes", summary: "Bytes that the file's encoding does not allow.", kind: "true" },
    { name: "binary", summary: "A file with NUL bytes under a source file's name.", kind: "true" },
    { name: "newest-syntax", summary: "Syntax of the newest supported language version.", kind: "look-alike" },
    { name: "byte-order-mark", summary: "A UTF-8 byte order mark.", kind: "look-alike" },
    { name: "declared-encoding", summary: "A source in latin-1 that says so.", kind: "look-alike" },
  ],
};
