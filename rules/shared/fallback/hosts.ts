import listed from "../../data/deny-hosts.json" with { type: "json" };

const LOOPBACK = new Set(listed.machine[0]!.hosts);
const MACHINE = new Set(listed.machine.flatMap(({ hosts }) => hosts));
const RESERVED = listed.endings.flatMap(({ only }) => only ?? []);
const TUNNELS = listed.endings.filter(({ only }) => only === undefined).flatMap(({ hosts }) => hosts);
const LABELS = new Set(listed.labels.words);
const EXCEPTIONS = new Set(listed.exceptions.flatMap(({ hosts }) => hosts));
const LONGEST = 512;

/** The host that an address names, in lower case and without its port; null where the text is no address. */
export function hostOf(text: string): string | null {
  if (text.length > LONGEST) return null;
  const found = /^(?:https?|wss?|grpcs?|tcp|ftp):\/\/(?:[^/?#@\s]*@)?(\[[0-9a-f:.]+\]|[^/?#:@\s[\]{}$]+)/i.exec(text);
  return found === null ? null : found[1]!.toLowerCase().replace(/\.$/, "");
}

/** A host written without a scheme: `localhost`, `127.0.0.1:8080`, `api.staging.example.com`. */
export function bareHostOf(text: string): string | null {
  if (text.length > LONGEST) return null;
  const found = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::\d{1,5})?(?:\/.*)?$/i.exec(text);
  return found === null ? null : found[1]!.toLowerCase();
}

/** Why a host is denied: the policy lists it, it is a tunnel, or a name for trials. */
export type Denial = "policy" | "tunnel" | "name";

/**
 * Why a host is on the deny list, or null. `more` are the hosts that agentgate.yml adds; each stands for the hosts below it
 * too. This machine is denied by these alone: what runs beside the program is asked there.
 */
export function denialOf(host: string, more: readonly string[]): Denial | null {
  if (more.some((each) => isBelow(host, each.toLowerCase()))) return "policy";
  if (EXCEPTIONS.has(host) || isOnThisMachine(host)) return null;
  if (TUNNELS.some((ending) => isBelow(host, ending))) return "tunnel";
  if (RESERVED.some((ending) => isBelow(host, ending))) return "name";
  // The last two labels are the domain itself: `dev` is a public ending.
  return host.split(".").slice(0, -2).some((label) => LABELS.has(label)) ? "name" : null;
}

/** Whether a host is the machine that the program itself runs on. */
export function isThisMachine(host: string): boolean {
  return LOOPBACK.has(host) || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** The same, or the machine around the container: `host.docker.internal`. */
export function isOnThisMachine(host: string): boolean {
  return isThisMachine(host) || MACHINE.has(host) || host.endsWith(".localhost");
}

function isBelow(host: string, ending: string): boolean {
  return host === ending || host.endsWith(`.${ending}`);
}

const COMMON = new Set(listed.common.words);

/** Other names that the owner of a host goes by: of `login.microsoftonline.com` azure. */
export function ownerNames(host: string): readonly string[] {
  const labels = host.split(/[.-]/);
  return listed.owners.filter((owner) => owner.labels.some((label) => labels.includes(label))).flatMap((owner) => owner.names);
}

/** The labels of a host that tell whose it is: of `api.openai.com` openai. */
export function distinctiveLabels(host: string): readonly string[] {
  const labels = host.split(/[.-]/).filter((label) => label.length > 2 && !COMMON.has(label));
  return [...labels, ...ownerNames(host)];
}
