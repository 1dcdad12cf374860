import { printableJson } from "../render/printable.ts";
import type { Proposal, Survey } from "./survey.ts";

const NAMED_MODULES = 10;

/** A text as a YAML scalar on one line, whatever it holds. */
function scalar(text: string): string {
  return /^[A-Za-z0-9_./-]*[A-Za-z0-9_/]\**$/.test(text) && !/^[-.\d]/.test(text) ? text : printableJson(text);
}

function proposal({ capabilities, path }: Proposal): string[] {
  return [
    `#  - path: ${scalar(path)}`,
    `#    capabilities: [${capabilities.join(", ")}]`,
    `#    owner: <team>         # who answers for it`,
    `#    note: <why>           # what it talks to, and for whom`,
  ];
}

function counted(count: number, more = ""): string {
  return `${count} ${more}${count === 1 ? "module" : "modules"}`;
}

function surveyLines({ languages }: Survey): string[] {
  if (languages.length === 0) return ["# No module of this tree does any I/O yet."];
  return [`# Modules with a capability when this was written: ${languages.map(([language, modules]) => `${modules} ${language}`).join(", ")} (agentgate caps).`];
}

function portLines({ folders, modules }: Survey): string[] {
  const lines = [
    "# Ports: the modules that may do I/O, with a human's licence. Everything else is reported.",
    "# A capability covers only itself; fs, db, cloud and env cover their .read, .write and .delete.",
  ];
  if (folders.length + modules.length === 0) return [...lines, ...SAMPLE_PORT];
  lines.push("# What follows was read from the tree. Keep what is meant to be so, name an owner and a reason, delete the rest.", "#ports:");
  for (const folder of folders) lines.push(...proposal(folder).map((line, index) => (index === 0 ? `${line}    # ${counted(folder.modules)}` : line)));
  const named = modules.slice(0, NAMED_MODULES);
  if (named.length > 0 && folders.length > 0) lines.push("# Outside such folders:");
  for (const module of named) lines.push(...proposal(module));
  if (modules.length > named.length) lines.push(`# and ${counted(modules.length - named.length, "more ")}: agentgate check lists them.`);
  return lines;
}

const SAMPLE_PORT = [
  "#ports:", "#  - path: src/adapters/ledger/**", "#    capabilities: [net]", "#    owner: <team>         # who answers for it",
  "#    note: <why>           # what it talks to, and for whom", "#    expires: 2027-01-31   # optional",
];

/** What judges writes, models and loops, as far as the tree has them. */
function judgementLines({ writing, calling }: Survey): string[] {
  const gates = writing === 0 ? [] : [
    `# Gates: wrappers whose callback may write. ${counted(writing)} can change files, data or services. Once one is`,
    "# declared, what writes beside it is reported everywhere outside the ports.",
    "#gates:", "#  - name: write_gate", "#    module: app.gate      # optional: where it is defined", "",
  ];
  const models = calling === 0 ? [] : [
    `# Models: ${counted(calling)} can call one. Names that a provider moves, and defaults that decide which model runs,`,
    "# are reported. With policy: registry only the modules of the registry may name models.",
    "#models:", "#  policy: pinned", "#  allow: []               # names that are let pass", "",
  ];
  const loops = writing + calling === 0 ? [] : [
    "# Loops: the largest constant number of attempts that still counts as a cap where calls are repeated.",
    "#loops:", "#  ceiling: 100", "",
  ];
  return [...gates, ...models, ...loops];
}

const REST = `# Files that are not judged. exclude replaces the default (tests, fixtures, scripts, vendored and built code),
# extendExclude adds to it. An excluded file that a judged module imports is judged all the same.
#extendExclude: [examples/**]

# Also report reading files, reading the environment and dispatching tools, writes outside of a gate in every module,
# and fetch without a signal.
#strict: false

# Larger files are not parsed, and that is reported.
#maxFileBytes: 1048576

# What the catalogue does not know, or knows otherwise than you do. pure is allowed.
#capabilities:
#  - api: acme_sdk.charges.create
#    capability: pay

# Severity of a rule: error, warning or off.
#rules:
#  no-dynamic-import: warning
`;

/** A commented `agentgate.yml` for a tree. Nothing in it is in force but the version: a licence is a human's to give. */
export function policyText(survey: Survey): string {
  const head = [
    "# What this code may do, and who licensed it. Read by agentgate.", ...surveyLines(survey), "version: 1", "", ...portLines(survey), "", ...judgementLines(survey),
  ];
  return `${head.join("\n")}\n${REST}`;
}
