import ordinary from "./ordinary-methods.json" with { type: "json" };

const ORDINARY: ReadonlySet<string> = new Set(ordinary.names);

/**
 * Whether a method's name can tell who defines it: what every text, list and table has tells nothing, whoever defines it
 * too. Other letters than those of ASCII can be written in several ways, so that a search of texts would not find them all.
 */
export function canTell(name: string): boolean {
  return name.length <= 100 && /^[A-Za-z_$][\w$]*$/.test(name) && !/^__\w+__$/.test(name) && name !== "constructor" && !ORDINARY.has(name);
}
