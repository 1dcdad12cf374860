import { positionAt } from "@agentgate/parsers";
import type { Call, ModuleFacts } from "@agentgate/parsers";
import type { Told } from "./entry.ts";

/** Commands of its own that a setup.py brings to installing and building: what `setup` is given as `cmdclass`. */
export function toldBySetup(facts: ModuleFacts | null): readonly Told[] {
  return facts === null ? [] : facts.calls.flatMap((call) => toldByCall(facts, call));
}

function toldByCall(facts: ModuleFacts, call: Call): readonly Told[] {
  const isSetup = call.references.some(({ module, path }) => path.at(-1) === "setup" && /^(?:setuptools|distutils\.core|skbuild)$/.test(module));
  const given = call.arguments.find(({ name }) => name === "cmdclass");
  const value = given === undefined ? undefined : facts.values[given.value];
  if (!isSetup || value === undefined) return [];
  const names = value.kind === "table" ? value.entries.map(({ key }) => (key === null ? "**" : nameOf(facts, key))) : ["**"];
  const [start, end] = value.span;
  const { line, column } = positionAt(facts.lines, start);
  const last = positionAt(facts.lines, end);
  const entry = { keys: ["cmdclass"], value: names.join(" "), line, column, endColumn: last.line === line ? last.column : column + 1 };
  return names.map((name) => ({
    key: "cmdclass", value: name, entry,
    message: `setup is given a command of its own${name === "**" ? "" : ` for ${name}`}, which runs when the package is installed or built, since this change. What it does then happens outside of the program, with the rights of whoever installs. Have an owner of the file look at it, or build without it.`,
  }));
}

function nameOf(facts: ModuleFacts, key: number): string {
  const value = facts.values[key];
  return value?.kind === "string" ? value.value : "**";
}
