import listed from "../../data/idempotency-keys.json" with { type: "json" };

/** What a key's name demands of the call that it is given to. */
export interface KeyName {
  /** As written in the code. */
  readonly shown: string;
  /** Absent: the name tells by itself. */
  readonly onlyFor?: LibraryName;
}

/** The calls that a name which says little by itself is a key of. */
export interface LibraryName {
  readonly capabilities: readonly string[];
  readonly roots: readonly string[];
  /** Fields that may hold the table with the name; below any other field it is an id of the data. */
  readonly inside?: readonly string[];
  /** The call takes data and options, and only the options name a key. */
  readonly options?: boolean;
}

const ENDINGS = listed.endings.map(({ words }) => words.replaceAll(" ", ""));
/** Few names end with one of these: the others need not be spelled. */
const LAST_LETTERS = new Set(ENDINGS.map((ending) => ending.at(-1)!));
const LONGEST = 80;

const LIBRARY_NAMES = new Map<string, LibraryName>(listed.libraryNames.flatMap(
  ({ names, ...told }) => names.map((name) => [name, told] as const),
));
const FIELD_NAMES = new Map(listed.fieldNames.flatMap(({ names, beside }) => names.map((name) => [name, new Set(beside)] as const)));

/** Whether a header, option, field or parameter of this name holds what repeated writes are recognised by. */
export function keyName(written: string): KeyName | null {
  if (written.length > LONGEST || written.length < 2) return null;
  const onlyFor = LIBRARY_NAMES.get(written);
  if (onlyFor !== undefined) return { shown: written, onlyFor };
  if (!LAST_LETTERS.has(written.at(-1)!.toLowerCase()) && /[a-z0-9]$/i.test(written)) return null;
  const letters = written.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  return ENDINGS.some((ending) => letters.endsWith(ending)) ? { shown: written } : null;
}

/** The other fields of which a record must have one for its field of this name to be a key; null where no record makes it one. */
export function fieldsBeside(written: string): ReadonlySet<string> | null {
  return FIELD_NAMES.get(written) ?? null;
}

const SETTERS = new Set(listed.setters.names);
const KEEPERS = new Set(listed.keepers.names);

/** `headers.set(name, value)`: a method that puts its second argument under its first. */
export function isSetter(method: string): boolean {
  return SETTERS.has(method);
}

/** A method that leaves a value in place which is there already. */
export function isKeeper(method: string): boolean {
  return KEEPERS.has(method);
}

const LOGS = new Set(listed.logs.names);

/** A function or method of this name, called for nothing that it gives, writes a line of a log. */
export function isLogger(method: string): boolean {
  return LOGS.has(method);
}

const WRITE_WORDS = new Set(listed.writeWords.words);
const VERBS = new Set(listed.writeWords.verbs);

/** Whether a call path reads like the making of a payment or message: `client.payments.create`, `createPayment`. */
export function readsLikeWrite(path: readonly string[]): boolean {
  const last = wordsOf(path.at(-1) ?? "");
  const verb = last.find((word) => VERBS.has(word));
  if (verb === undefined) return false;
  return path.slice(-4).flatMap(wordsOf).some((word) => WRITE_WORDS.has(word)) || (last.length === 1 && (verb === "post" || verb === "publish"));
}

/** `createPayment`, `create_payment`: create, payment. */
export function wordsOf(name: string): readonly string[] {
  return name.slice(0, LONGEST).replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase().split(/[^a-z0-9]+/).filter((word) => word !== "");
}

const SCREENS = { python: new Set(listed.screens.python), ecmascript: new Set(listed.screens.ecmascript) };

/** Whether a module belongs to a toolkit whose handlers run once for each press. */
export function isScreenToolkit(language: "python" | "ecmascript", specifier: string): boolean {
  return SCREENS[language].has(specifier) || SCREENS[language].has(specifier.split(language === "python" ? "." : "/")[0]!);
}
