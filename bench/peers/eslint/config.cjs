"use strict";
const { io, installers, models } = require("../names.json");

/*
 * Favourable: every rule of the security plugin, the core rules about late evaluation, and with the core's own rules for
 * local bans (imports, globals, members, syntax) what a team can say without a plugin of its own. Each message says for
 * which of our rules it stands.
 */
// Found by NODE_PATH, where the runner has installed it.
const security = require("eslint-plugin-security");
const parser = require("@typescript-eslint/parser");

const banned = (rule) => `banned: ${rule}`;
const ban = (rule, ...selectors) => selectors.map((selector) => ({ selector, message: banned(rule) }));

const MODEL = `/^(?:${models.join("|")})/`;
const DATED = "/\\d{4}-?\\d{2}-?\\d{2}|@sha/";
const MINTING = "/^(?:randomUUID|randomBytes|nanoid|uuid|uuidv4|v4|ulid)$/";
const WRITE = "/^(?:post|put|patch|delete|insert|update|save|create|publish|send|sendMail|writeFile|writeFileSync|unlink|rm|appendFile|charge)$/";
const CLIENT = `/axios|ky|got|http|client|api|prisma|db|database|stripe|s3|dynamo|redis|producer|queue|mail|transport|session|requests|cursor|conn|topic|publisher|table|bucket|crm|ledger|pay|fs|path|charges|customer|order|refund|invoice|intents/i`;
const FRESH = `:matches(CallExpression[callee.name=${MINTING}], CallExpression[callee.property.name=${MINTING}], CallExpression[callee.object.name='Date'][callee.property.name='now'])`;

const syntax = [
  ...ban("no-dynamic-import",
    "ImportExpression[source.type!='Literal']", "CallExpression[callee.name='require'][arguments.0.type!='Literal']",
    "CallExpression[callee.property.name='getBuiltinModule']", "CallExpression[callee.name='createRequire']", "CallExpression[callee.property.name='createRequire']",
    "MemberExpression[object.name=/^(?:globalThis|global|window|self)$/][computed=true]", "MemberExpression[property.name='constructor'] > MemberExpression", "CallExpression[callee.property.name='constructor']",
    "CallExpression[callee.name=/^set(?:Timeout|Interval)$/][arguments.0.type=/Literal/]", "NewExpression[callee.name='Worker']:has(Property[key.name='eval'])", "MemberExpression[object.name='module'][property.name='require']",
    "MemberExpression[object.name='require'][property.name=/^(?:call|apply|bind|main)$/]", "MemberExpression[property.name=/^(?:_load|_compile|dlopen|mainModule)$/]", "CallExpression > Identifier.arguments[name=/^(?:require|eval|Function)$/]",
    "VariableDeclarator > Identifier.init[name=/^(?:require|eval|Function)$/]", "CallExpression[callee.object.name='Reflect'][callee.property.name=/^(?:get|apply|construct)$/]"),
  ...ban("no-invented-io",
    "CallExpression[callee.name='fetch']", "VariableDeclarator > Identifier.init[name='fetch']", "AssignmentPattern > Identifier.right[name='fetch']", "Property > Identifier.value[name='fetch']", "CallExpression > Identifier.arguments[name='fetch']",
    "MemberExpression[property.name='fetch'][object.name=/^(?:globalThis|window|self|global)$/]", "NewExpression[callee.name=/^(?:WebSocket|XMLHttpRequest|EventSource|WebTransport)$/]", "MemberExpression[property.name='sendBeacon']",
    "MemberExpression[object.name=/^(?:Bun|Deno)$/]", "MemberExpression[object.name='process'][property.name=/^(?:kill|dlopen|binding)$/]", "AssignmentExpression > MemberExpression.left[object.object.name='process'][object.property.name='env']"),
  ...ban("no-unbounded-loop",
    "WhileStatement[test.value=true]", "ForStatement[test=null]", "DoWhileStatement[test.value=true]", "WhileStatement:has(AwaitExpression)", "DoWhileStatement:has(AwaitExpression)", "CallExpression[callee.name='setInterval']", "CallExpression[callee.property.name='setInterval']"),
  ...ban("no-ungated-write", `CallExpression[callee.property.name=${WRITE}]:matches([callee.object.name=${CLIENT}], [callee.object.property.name=${CLIENT}], [callee.object.callee.name=${CLIENT}])`, "Property[key.name='method'] > Literal[value=/^(?:POST|PUT|PATCH|DELETE)$/]"),
  ...ban("no-unpinned-model", `Literal[value=${MODEL}]:not([value=${DATED}])`, `TemplateElement[value.raw=${MODEL}]:not([value.raw=${DATED}])`),
  ...ban("no-fresh-idempotency-key",
    `Property[key.value=/idempotency/i] ${FRESH}`, `Property[key.name=/idempotency/i] ${FRESH}`, `:matches(WhileStatement, ForStatement, DoWhileStatement, ForOfStatement) VariableDeclarator[id.name=/key/i] ${FRESH}`,
    `CallExpression[arguments.0.value=/idempotency/i] ${FRESH}`),
  ...ban("no-fallback-endpoint",
    "CatchClause CallExpression[callee.name='fetch']", "CatchClause CallExpression[callee.object.name=/^(?:axios|ky|got|http|https)$/]", "CatchClause Literal[value=/^https?:/]", "CatchClause TemplateElement[value.raw=/^https?:/]",
    "CallExpression[callee.property.name='catch'] CallExpression[callee.name='fetch']", "LogicalExpression[operator=/^(?:\\|\\||\\?\\?)$/] > Literal.right[value=/^https?:/]", `CatchClause Literal[value=${MODEL}]`),
  ...ban("require-timeout",
    "CallExpression[callee.object.name='axios']:not(:has(Property[key.name=/^(?:timeout|signal)$/]))", "CallExpression[callee.name='axios']:not(:has(Property[key.name=/^(?:timeout|signal)$/]))", "CallExpression[callee.name='fetch']:not(:has(Property[key.name='signal']))",
    "CallExpression[callee.object.name=/^https?$/]:not(:has(Property[key.name=/^(?:timeout|signal)$/]))", "Property[key.name='timeout'][value.value=0]"),
  ...ban("no-runtime-install",
    `CallExpression[callee.name=/^(?:exec|execSync|spawn|spawnSync|execFile|execFileSync|execa)$/] > Literal[value=/^(?:${installers.join("|")})\\b/]`,
    `CallExpression[callee.property.name=/^(?:exec|execSync|spawn|spawnSync|execFile|execFileSync)$/] > Literal[value=/^(?:${installers.join("|")})\\b/]`,
    "CallExpression > ArrayExpression > Literal[value=/^(?:install|add|ci)$/]"),
];

module.exports = [
  { linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: "off" } },
  {
    files: ["**/*.{js,mjs,cjs,ts,mts,cts,tsx,jsx}"],
    languageOptions: { parser },
    plugins: { security },
    rules: {
      ...Object.fromEntries(Object.keys(security.rules).map((rule) => [`security/${rule}`, "error"])),
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-new-func": "error",
      "no-script-url": "error",
      "no-constant-condition": ["error", { checkLoops: "all" }],
      "no-unmodified-loop-condition": "error",
      "no-restricted-imports": ["error", { paths: io.map((name) => ({ name, message: banned("no-invented-io"), allowTypeImports: true })), patterns: [{ group: ["@aws-sdk/*", "@google-cloud/*", "@azure/*", "@ai-sdk/*"], message: banned("no-invented-io") }] }],
      "no-restricted-syntax": ["error", ...syntax],
    },
  },
];
