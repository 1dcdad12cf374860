import type { Repository } from "./repository.ts";

/** Where a ref can be fetched from. `branch`: the name at the remote, without `refs/heads/`. */
export interface Source {
  readonly remote: string;
  readonly branch: string;
}

/** The remote that git would take: `origin`, else the first one; null where there is none. */
export function defaultRemote({ configuration }: Repository): string | null {
  const names = configuration.remotes.map((remote) => remote.name);
  return names.includes("origin") ? "origin" : names[0] ?? null;
}

/** What to name to `git fetch` for a full ref name, a full id or HEAD: the remote, then possibly one word more. */
export function fetchWords(repository: Repository, name: string): readonly string[] | null {
  const tracking = remoteOfTracking(repository, name);
  if (tracking !== null) return [tracking.remote, tracking.branch];
  const remote = defaultRemote(repository);
  if (name.startsWith("refs/heads/")) {
    const branch = name.slice("refs/heads/".length);
    const upstream = repository.configuration.upstreams.get(branch);
    if (upstream !== undefined) return [upstream.remote, withoutHeads(upstream.ref)];
    return remote === null ? null : [remote, branch];
  }
  if (remote === null) return null;
  return name === "HEAD" || name.startsWith("refs/remotes/") ? [remote] : [remote, name];
}

/** The source of a remote-tracking branch, by what the remote is configured to fetch, else by its name. */
export function remoteOfTracking({ configuration }: Repository, name: string): Source | null {
  for (const remote of configuration.remotes) {
    for (const { source, target } of remote.fetch) {
      const branch = matched(source, target, name);
      if (branch !== null) return { remote: remote.name, branch: withoutHeads(branch) };
    }
  }
  const named = configuration.remotes.filter((remote) => name.startsWith(`refs/remotes/${remote.name}/`));
  const [longest] = named.sort((left, right) => right.name.length - left.name.length);
  return longest === undefined ? null : { remote: longest.name, branch: name.slice(`refs/remotes/${longest.name}/`.length) };
}

/** A refspec's two sides hold one `*` each, or none (git-fetch manual page). */
function matched(source: string, target: string, name: string): string | null {
  const star = target.indexOf("*");
  if (star === -1) return target === name ? source : null;
  const [before, after] = [target.slice(0, star), target.slice(star + 1)];
  if (name.length < before.length + after.length || !name.startsWith(before) || !name.endsWith(after)) return null;
  return source.replace("*", () => name.slice(before.length, name.length - after.length));
}

function withoutHeads(name: string): string {
  return name.startsWith("refs/heads/") ? name.slice("refs/heads/".length) : name;
}
