import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";
import { noBannerComments } from "./tools/lint/no-banner-comments.mjs";
import { oneWayImports } from "./tools/lint/one-way-imports.mjs";

const house = { rules: { "one-way-imports": oneWayImports, "no-banner-comments": noBannerComments } };

const size = {
  "max-lines": ["error", { max: 300, skipBlankLines: true, skipComments: true }],
  "max-lines-per-function": ["error", { max: 40, skipBlankLines: true, skipComments: true }],
};

const general = {
  // The two parsers' trees say "absent" as null and as undefined; `== null` reads both.
  eqeqeq: ["error", "always", { null: "ignore" }],
  "no-var": "error",
  "prefer-const": "error",
  "no-console": "error",
  "no-restricted-exports": ["error", { restrictDefaultExports: { direct: true, named: true, defaultFrom: true, namedFrom: true, namespaceFrom: true } }],
  "agentgate/one-way-imports": "error",
  "agentgate/no-banner-comments": "error",
};

const typed = {
  // The facts are tables that refer to each other by index; a lookup by an index that the builder gave out cannot miss.
  "@typescript-eslint/no-non-null-assertion": "off",
  // A bracket says that the key comes from outside: a manifest, the environment.
  "@typescript-eslint/dot-notation": ["error", { allowIndexSignaturePropertyAccess: true }],
  "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
  "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
  "@typescript-eslint/no-unnecessary-condition": ["error", { allowConstantLoopConditions: "only-allowed-literals" }],
  // Spreading a string gives its code points: what Python counts in, and what a terminal's cells start from.
  "@typescript-eslint/no-misused-spread": ["error", { allow: ["string"] }],
  "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", ignoreRestSiblings: true }],
};

/** What hands the process an exit code or talks to a person at a terminal. */
const commandLine = ["tools/**", "bench/**"];

export default defineConfig(
  // The plugin's types are compiled by users only; test/eslint/types.test.ts does it as they do.
  { ignores: ["**/node_modules/", "**/dist/", "fixtures/", "docs/", "coverage/", ".cache/", "packages/eslint-plugin/types/"] },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  { files: ["**/*.{ts,js,mjs}"], plugins: { agentgate: house }, rules: { ...general, ...size } },
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: typed,
  },
  // A suite is one function; its tests are the functions.
  { files: ["**/*.test.ts"], rules: { "max-lines-per-function": "off", "agentgate/one-way-imports": ["error", { mayRead: true }] } },
  // What loads the grammar that ships with the package, and what only tests import.
  { files: ["parsers/python/runtime*.ts", "**/testing*.ts"], rules: { "agentgate/one-way-imports": ["error", { mayRead: true }] } },
  { files: commandLine, rules: { "no-console": "off" } },
  // Their tools ask for a default export.
  { files: ["eslint.config.js", "vitest.config.ts", "packages/eslint-plugin/index.ts", "packages/eslint-plugin/config.js"], rules: { "no-restricted-exports": "off" } },
);
