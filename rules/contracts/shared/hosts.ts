/** A host as the WHATWG URL rules read it, without port, user and trailing dot: `0x7f.1` as `127.0.0.1`. Null for none. */
export function hostOf(text: string): string | null {
  const bare = text.trim().replace(/^[a-z][a-z0-9+.-]*:\/\//i, "");
  if (bare === "") return null;
  try {
    const { hostname } = new URL(`http://${bare}`);
    return hostname.toLowerCase().replace(/\.$/, "");
  } catch {
    return null;
  }
}

const WORD = /[a-z0-9]/;

function isWord(text: string, index: number): boolean {
  return WORD.test(text.charAt(index));
}

/**
 * Offsets at which a host literal counts in a text: not inside of a longer name. `lab.` hits `gpu-lab.corp.example` and
 * not `collab.corp.example`; `127.0.0.1` does not hit `127.0.0.10`. A blank literal hits nothing.
 */
export function hostHits(text: string, literal: string): number[] {
  const needle = literal.trim().toLowerCase();
  const hay = text.toLowerCase();
  const hits: number[] = [];
  if (needle === "") return hits;
  for (let index = hay.indexOf(needle); index !== -1; index = hay.indexOf(needle, index + 1)) {
    const end = index + needle.length;
    if (isWord(hay, index - 1)) continue;
    if (isWord(needle, needle.length - 1) && isWord(hay, end)) continue;
    if (needle.endsWith(".") && !isWord(hay, end)) continue;
    hits.push(index);
  }
  return hits;
}
