import type { Call, ModuleFacts } from "@agentgate/parsers";
import data from "../../data/package-installs.json" with { type: "json" };
import { originsOf } from "../expressions.ts";
import { commandLines } from "./command.ts";
import { installsManifest } from "./match.ts";
import { programName, wordsOf } from "./vocabulary.ts";

const { programs, elsewhere, builds } = data.manifests;

/** Whether a call installs what the manifest of a project lists: `yarn install`, `npm ci`, `poetry install --no-root`. What is spread into the words may name a package. */
export function installsProject(facts: ModuleFacts, call: Call): boolean {
  const given = call.arguments.map((argument) => ({ argument, origins: originsOf(facts, argument.value).values.map((origin) => facts.values[origin]) }));
  if (given.some(({ origins }) => origins.some((origin) => origin?.kind === "list" && origin.items.some((item) => facts.values[item]?.kind === "spread")))) return false;
  const words = given.filter(({ origins }) => !origins.some((origin) => origin?.kind === "table")).map(({ argument }) => argument);
  return commandLines(facts, { ...call, arguments: words }).some((line) =>
    installsManifest(line) && programs.includes(programName(line[0]?.text ?? "")) && !line.some(({ text }) => elsewhere.includes(text ?? "")));
}

/** Whether a file is a command for building or deploying, by its name or folder below those of commands: `commands/deploy/render.js`. */
export function isBuildCommand(path: string): boolean {
  const parts = path.split("/");
  const folder = parts.slice(0, -1).findIndex((part) => data.commands.folders.includes(part));
  return folder !== -1 && parts.slice(folder + 1).some((part) => builds.includes(wordsOf(part.replace(/\.[^.]*$/, ""))[0] ?? ""));
}
