import type { Capability } from "../catalogue/capability.ts";
import type { RuleContext } from "../rule.ts";

/** What a module with the capability can do, to go after "it can". */
const ABLE: Record<Capability, string> = {
  "net": "reach the network",
  "proc": "start processes",
  "fs.read": "read files",
  "fs.write": "write files",
  "fs.delete": "delete files",
  "env.read": "read the environment",
  "env.write": "change the environment",
  "db.read": "read a database",
  "db.write": "write to a database",
  "cloud.read": "read from a cloud service",
  "cloud.write": "change a cloud service",
  "queue": "publish messages",
  "mail": "send mail",
  "notify": "notify people",
  "pay": "move money",
  "model": "call a model provider",
  "tool": "dispatch agent tools",
  "native": "run native code",
  "code": "run text or data as code",
  "opaque": "reach what only its run decides",
};

/** `reach the network`: what comes after "can". */
export function ableTo(capability: Capability): string {
  return ABLE[capability];
}

/** `reach the network and start processes`. */
export function ableToAll(capabilities: readonly Capability[]): string {
  const phrases = [...new Set(capabilities)].map(ableTo);
  return phrases.length < 2 ? phrases.join("") : `${phrases.slice(0, -1).join(", ")} and ${phrases.at(-1)!}`;
}

/** The step that settles a capability: the port that should own the call, or the command that licenses it here. */
export function licenceAdvice(capability: Capability, context: RuleContext): string {
  const port = context.portsFor(capability)[0];
  const move = port === undefined ? `No module of its language is a port for ${capability}: leave it out` : `Move the call behind ${port.path}, the port that has ${capability}`;
  return `${move}, or have its owner license it: ${permitCommand(context.path, capability)}.`;
}

/** The command that writes the licence, to be copied into a shell; owner and reason are for a person to fill in. */
export function permitCommand(path: string, capability: Capability): string {
  return `agentgate permit ${shellWord(path)} ${capability} --owner … --note "…"`;
}

/** A path as one word of a POSIX shell, and no option. */
function shellWord(path: string): string {
  const plain = path.startsWith("-") ? `./${path}` : path;
  return /^[\w./@%+,:=-]+$/.test(plain) ? plain : `'${plain.replaceAll("'", String.raw`'\''`)}'`;
}
