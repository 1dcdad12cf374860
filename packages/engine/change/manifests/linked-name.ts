/** No address is longer; patterns are only tried on so much. */
const LONGEST = 2000;

/** The package that a version range of npm leads to where it names one: by `npm:`, or by the repository or archive of a link. */
export function linkedName(written: string): string | null {
  const range = written.slice(0, LONGEST);
  const alias = /^npm:((?:@[^/@]+\/)?[^/@]+)/.exec(range)?.[1];
  if (alias !== undefined) return alias;
  if (/^[\w.-]+\/[\w.-]+(?:#|$)/.test(range)) return repositoryName(range);
  return isLink(range) ? repositoryName(range) : null;
}

/** Whether text is an address that a package is taken from. */
export function isLink(text: string): boolean {
  return /^(?:git\+|git:|git@|https?:|ssh:|github:|gitlab:|bitbucket:|hg\+|svn\+)/.test(text);
}

/** The name in the last part of an address: of a repository, or of an archive with its version taken off. */
export function repositoryName(written: string): string | null {
  const address = written.slice(0, LONGEST);
  const egg = /[#&]egg=([\w.-]+)/.exec(address)?.[1];
  if (egg !== undefined) return egg;
  const path = address.replace(/[#?].*$/, "").replace(/@[^/@]*$/, "").replace(/\/+$/, "");
  const last = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf(":")) + 1).replace(/\.(?:git|tgz|zip|whl|tar\.gz|tar\.bz2)$/, "");
  const name = last.replace(/-v?\d.*$/, "");
  return /^[\w][\w.-]*$/.test(name) && !/^v?\d/.test(name) ? name : null;
}

/** Whether two names are of different packages; scopes of mirrors and the spelling of Python's names make no difference. */
export function isOtherPackage(name: string, target: string): boolean {
  const [one, other] = [bareName(name), bareName(target)];
  return one !== "" && other !== "" && one !== other;
}

function bareName(name: string): string {
  // `@jsr/scope__name` is how npm spells `@scope/name` of JSR.
  const jsr = /^@jsr\/([^_]+)__(.+)$/.exec(name);
  const whole = jsr === null ? name : `@${jsr[1]!}/${jsr[2]!}`;
  return whole.toLowerCase().replaceAll(/[_.]/g, "-");
}
