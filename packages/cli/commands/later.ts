import { Failure, notInThisVersion } from "../failure.ts";

/** The commands that the help names and that come later, with what to do meanwhile. */
export const LATER_COMMANDS: readonly { readonly name: string; readonly summary: string; readonly meanwhile: string }[] = [
  { name: "lock", summary: "compute the digests that contracts pin", meanwhile: "Leave the digests of contracts as they are." },
];

/** The failure of a command that comes later. */
export function laterCommand(name: string): Failure {
  const known = LATER_COMMANDS.find((command) => command.name === name);
  return notInThisVersion(`agentgate ${name}`, known?.meanwhile ?? "See agentgate --help.");
}
