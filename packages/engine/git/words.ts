/**
 * A name as one line can show it: control characters and marks that turn the direction of text become `\u{…}`, so that
 * a name can neither break the line nor hide a part of it.
 */
export function shown(name: string): string {
  return name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

/** A command line for a shell to take word by word; what is more than plain letters is put in single quotes. */
export function commandLine(words: readonly string[]): string {
  return words.map((word) => (/^[\w./:=@%,+-]+$/.test(word) ? word : `'${shown(word).replaceAll("'", "'\\''")}'`)).join(" ");
}

/** The first line that git wrote to its standard error, without its own prefix. */
export function firstLine(stderr: string): string {
  const line = stderr.split("\n").find((text) => text.trim() !== "") ?? "it gave no reason";
  return shown(line.replace(/^(?:fatal|error|warning): /, "").trim());
}
