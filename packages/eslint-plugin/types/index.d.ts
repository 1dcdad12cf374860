import type { ESLint, Linter } from "eslint";

/** The plugin, for `plugins: { agentgate }`. Its configs are lists: spread them, or name them in `extends`. */
declare const agentgate: Omit<ESLint.Plugin, "configs"> & {
  readonly meta: { readonly name: string; readonly version: string; readonly namespace: string };
  readonly configs: {
    /** All rules; what a module can do is reported where the policy speaks of ports. */
    readonly recommended: Linter.Config[];
    /** All rules; what a module can do is always reported, with all that a strict policy reports. */
    readonly strict: Linter.Config[];
    /** All rules; what a module can do is reported where it could not at HEAD. */
    readonly editor: Linter.Config[];
  };
};

export default agentgate;
