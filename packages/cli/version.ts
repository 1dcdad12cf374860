import manifest from "./package.json" with { type: "json" };

export const VERSION: string = manifest.version;

/** `tool` of every JSON document. */
export const TOOL = { name: "agentgate", version: VERSION } as const;

/** Where the tool is explained. */
export const HOME = "https://www.npmjs.com/package/@agentgate/cli";
