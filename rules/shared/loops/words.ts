/** The words of a name, in lower case: of `WatchError` they are watch and error. */
export function wordsOf(name: string): string[] {
  return name.replace(/([a-z])([A-Z])/g, "$1_$2").toLowerCase().split(/[^a-z]+/).filter((word) => word !== "");
}
