/** Names of one type in Python's two spellings (PEP 585, PEP 604). */
const SPELLINGS = new Map([["List", "list"], ["Dict", "dict"], ["Tuple", "tuple"], ["Set", "set"], ["FrozenSet", "frozenset"], ["Type", "type"], ["Text", "str"]]);

/** Whether a function that returned the one type and returns the other may surprise a caller: not where it returns less of the same. */
export function returnsOther(before: string, after: string): boolean {
  const old = partsOf(before);
  return !partsOf(after).every((part) => old.includes(part));
}

/** The members of a union, spelled alike. */
function partsOf(type: string): string[] {
  return membersOf(type.replaceAll(/["'\s]/g, "").replaceAll(/\b(?:typing|t|typing_extensions|collections\.abc)\./g, "").replaceAll(/\b[A-Z]\w+\b/g, (name) => SPELLINGS.get(name) ?? name).replace(/;$/, ""));
}

/** As `partsOf`, of a type without quotes and spaces; what a member holds is spelled alike too. */
function membersOf(plain: string): string[] {
  const members = splitAt(plain, "|");
  if (members.length > 1) return [...new Set(members.flatMap(membersOf))];
  const [, name, inner] = /^([\w.]+)[[<](.*)[\]>]$/.exec(plain) ?? [];
  if (name === undefined || inner === undefined) return [plain];
  const held = splitAt(inner, ",");
  if (name === "Union") return [...new Set(held.flatMap(membersOf))];
  if (name === "Optional") return [...new Set([...membersOf(inner), "None"])];
  return [`${name}[${held.map((each) => membersOf(each).sort().join("|")).join(",")}]`];
}

/** Splits where no bracket is open. */
function splitAt(text: string, separator: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text[index]!;
    if ("([{<".includes(character)) depth++;
    else if (")]}>".includes(character) && text[index - 1] !== "=") depth--;
    else if (character === separator && depth === 0) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...parts, text.slice(start)].filter((part) => part !== "");
}
