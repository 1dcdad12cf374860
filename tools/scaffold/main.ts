import process from "node:process";
import { ScaffoldError, onlyId, scaffoldRule } from "./scaffold.ts";

/** `npm run new-rule -- <id>` */
try {
  const written = scaffoldRule(process.cwd(), onlyId(process.argv.slice(2)));
  console.log([...written, "", "Next: npm run docs, then CONTRIBUTING.md, “Add a rule in ten minutes”."].join("\n"));
} catch (error) {
  if (!(error instanceof ScaffoldError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
