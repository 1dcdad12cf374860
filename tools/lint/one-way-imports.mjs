import path from "node:path";

/** The workspaces from the bottom up: each may import those before it, by package name, and none after it. */
const ORDER = ["parsers", "rules", "packages/engine", "packages/cli"];
const PACKAGES = new Map(ORDER.map((folder) => [`@agentgate/${path.posix.basename(folder)}`, folder]));

/** What parsers and rules must not reach: they are pure, the engine does the reading and writing. */
const IMPURE = new Set([
  "fs", "fs/promises", "child_process", "cluster", "dgram", "dns", "dns/promises", "http", "http2", "https", "inspector",
  "net", "tls", "worker_threads",
]);
const PURE_FOLDERS = new Set(["parsers", "rules"]);

const messages = {
  upward: "{{from}} must not import {{to}}: imports go one way, {{order}}.",
  relative: "Import another workspace by its package name, not by a relative path.",
  ending: "Write the ending of a relative import: `{{specifier}}.ts`.",
  impure: "{{from}} does no I/O: leave `{{specifier}}` to packages/engine.",
};

/** @typedef {{ messageId: keyof typeof messages, data?: Record<string, string> } | null} Problem */

/**
 * @param {string} file
 * @param {string} root
 */
function workspaceOf(file, root) {
  const relative = path.relative(root, file).split(path.sep).join("/");
  return ORDER.find((folder) => relative.startsWith(`${folder}/`)) ?? null;
}

/**
 * @param {string} specifier
 * @param {import("eslint").Rule.RuleContext} context
 * @param {string | null} from
 * @returns {Problem}
 */
function relativeProblem(specifier, context, from) {
  const target = path.resolve(path.dirname(context.filename), specifier);
  if (workspaceOf(target, context.cwd) !== from) return { messageId: "relative" };
  if (path.extname(specifier) === "") return { messageId: "ending", data: { specifier } };
  return null;
}

/**
 * @param {string} specifier
 * @param {import("eslint").Rule.RuleContext} context
 * @returns {Problem}
 */
function problemOf(specifier, context) {
  const from = workspaceOf(context.filename, context.cwd);
  if (specifier.startsWith(".")) return relativeProblem(specifier, context, from);
  if (from === null) return null;
  const to = PACKAGES.get(specifier.split("/").slice(0, 2).join("/"));
  if (to !== undefined && ORDER.indexOf(to) >= ORDER.indexOf(from)) {
    return { messageId: "upward", data: { from, to, order: ORDER.join(" ← ") } };
  }
  const mayRead = /** @type {{ mayRead?: boolean } | undefined} */ (context.options[0])?.mayRead === true;
  const isImpure = !mayRead && PURE_FOLDERS.has(from) && IMPURE.has(specifier.replace(/^node:/, ""));
  return isImpure ? { messageId: "impure", data: { from, specifier } } : null;
}

/**
 * Keeps the workspaces layered, so that data flows one way: text, facts, findings, reports. `mayRead` lifts the ban on
 * I/O for the files that load the grammar and for tests.
 * @type {import("eslint").Rule.RuleModule}
 */
export const oneWayImports = {
  meta: { type: "problem", schema: [{ type: "object", properties: { mayRead: { type: "boolean" } }, additionalProperties: false }], messages },
  create(context) {
    /** @param {import("estree").Node | null | undefined} node */
    const check = (node) => {
      if (node?.type !== "Literal" || typeof node.value !== "string") return;
      const problem = problemOf(node.value, context);
      if (problem !== null) context.report({ node, ...problem });
    };
    return {
      ImportDeclaration: (node) => { check(node.source); },
      ImportExpression: (node) => { check(node.source); },
      ExportAllDeclaration: (node) => { check(node.source); },
      ExportNamedDeclaration: (node) => { check(node.source); },
    };
  },
};
