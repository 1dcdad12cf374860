/** A configuration by itself: `eslint -c node_modules/eslint-plugin-agentgate/config.js .` lints Python, JavaScript and TypeScript. */
import agentgate from "./dist/index.js";

export default agentgate.configs.recommended;
