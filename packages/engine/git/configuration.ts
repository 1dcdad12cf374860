import { isPlainName } from "../paths.ts";
import { unknownFilter } from "./problems.ts";
import { splitAtNul } from "./run.ts";

export interface Remote {
  readonly name: string;
  /** As `remote.<name>.fetch` has them, a leading `+` dropped. */
  readonly fetch: readonly { readonly source: string; readonly target: string }[];
  /** Whether objects were left out when it was cloned, to be fetched when they are needed. */
  readonly promisor: boolean;
}

/** What of a repository's configuration matters to the gate. */
export interface Configuration {
  /** In the order in which they are configured. */
  readonly remotes: readonly Remote[];
  /** By name of a local branch: what `git pull` takes. */
  readonly upstreams: ReadonlyMap<string, { readonly remote: string; readonly ref: string }>;
  /** Names of content filters that would run a program. */
  readonly filters: readonly string[];
}

/**
 * Reads what `git config --list -z` prints. Names of sections and keys are lower case there. Throws a GateError where a
 * filter has a name that no command line can say, as it could not be switched off.
 */
export function readConfiguration(output: Buffer): Configuration {
  const settings = splitAtNul(output).map((bytes) => {
    const entry = bytes.toString("utf8");
    if (entry.startsWith("filter.") && !isPlainName(bytes, entry)) throw unknownFilter();
    return settingOf(entry);
  });
  const of = (section: string): Map<string, Setting[]> => bySubsection(settings.filter((setting) => setting.section === section));
  return {
    remotes: [...of("remote")].map(([name, own]) => remoteOf(name, own)),
    upstreams: new Map([...of("branch")].flatMap(([name, own]) => {
      const [remote, ref] = [valueOf(own, "remote"), valueOf(own, "merge")];
      return remote === undefined || ref === undefined || remote === "." ? [] : [[name, { remote, ref }] as const];
    })),
    filters: [...of("filter")].flatMap(([name, own]) => (own.some((setting) => ["clean", "smudge", "process"].includes(setting.key)) ? [name] : [])),
  };
}

interface Setting {
  readonly section: string;
  readonly subsection: string | null;
  readonly key: string;
  readonly value: string;
}

/** `section.subsection.key\nvalue`; the subsection may hold dots, and a key with no value counts as true. */
function settingOf(entry: string): Setting {
  const end = entry.indexOf("\n");
  const name = end === -1 ? entry : entry.slice(0, end);
  const [first, last] = [name.indexOf("."), name.lastIndexOf(".")];
  const subsection = first === last ? null : name.slice(first + 1, last);
  return { section: name.slice(0, first), subsection, key: name.slice(last + 1), value: end === -1 ? "true" : entry.slice(end + 1) };
}

function bySubsection(settings: readonly Setting[]): Map<string, Setting[]> {
  const groups = new Map<string, Setting[]>();
  for (const setting of settings) {
    if (setting.subsection === null) continue;
    const group = groups.get(setting.subsection);
    if (group === undefined) groups.set(setting.subsection, [setting]);
    else group.push(setting);
  }
  return groups;
}

function valueOf(settings: readonly Setting[], key: string): string | undefined {
  return settings.findLast((setting) => setting.key === key)?.value;
}

function remoteOf(name: string, settings: readonly Setting[]): Remote {
  const fetch = settings.filter((setting) => setting.key === "fetch").flatMap(({ value }) => {
    const [source, target] = value.replace(/^\+/, "").split(":");
    return source === undefined || target === undefined ? [] : [{ source, target }];
  });
  const promisor = valueOf(settings, "promisor") === "true" || valueOf(settings, "partialclonefilter") !== undefined;
  return { name, fetch, promisor };
}
