import type { FunctionFacts, ModuleFacts } from "@agentgate/parsers";
import type { Giving } from "@agentgate/rules";

/** A parameter as a caller sees it. */
export interface Given {
  readonly name: string;
  readonly required: boolean;
}

/** How a function is called. */
export interface Signature {
  readonly positional: readonly Given[];
  /** Those that only a keyword gives. */
  readonly keyword: readonly Given[];
  readonly takesMore: boolean;
  readonly takesOtherKeywords: boolean;
  /** Python: every parameter can be given by its name. */
  readonly named: boolean;
}

/** How two signatures of one function differ; `what` is the end of a sentence that begins with its name. */
export interface SignatureDrift {
  readonly kind: "lost" | "reordered" | "required" | "renamed";
  readonly what: string;
}

/** `x?: T`, with the words that may stand before it in a constructor. */
const OPTIONAL = /^\s*(?:(?:public|private|protected|readonly|override)\s+)*[\w$]+\s*\?/;

export function signatureOf(facts: ModuleFacts, text: string, told: FunctionFacts): Signature {
  const named = facts.language === "python";
  const untyped = facts.dialect === "javascript" || facts.dialect === "jsx";
  const own = named && told.class !== -1 && told.static !== true ? told.parameters.slice(1) : told.parameters;
  const given = (kind: string): Given[] => own.filter((each) => each.kind === kind)
    .map(({ name, default: value, span }) => ({ name, required: !untyped && value === null && (named || !OPTIONAL.test(text.slice(span[0], span[1]))) }));
  return {
    positional: given("positional"), keyword: given("keyword"), named,
    takesMore: own.some(({ kind }) => kind === "rest"), takesOtherKeywords: own.some(({ kind }) => kind === "keyword-rest"),
  };
}

/** What a caller of the old form has to know; null where every call of it is one of the new form too. */
export function driftBetween(before: Signature, after: Signature): SignatureDrift | null {
  return lost(before, after) ?? reordered(before, after) ?? required(before, after);
}

function lost(before: Signature, after: Signature): SignatureDrift | null {
  if (!before.named) return after.takesMore || after.positional.length >= before.positional.length ? null : { kind: "lost", what: `takes ${counted(after.positional.length)} and took ${before.positional.length}` };
  if (after.takesOtherKeywords) return null;
  const names = new Set([...after.positional, ...after.keyword].map(({ name }) => name));
  const gone = [...before.positional, ...before.keyword].filter(({ name }) => !names.has(name));
  const [first] = gone;
  if (first === undefined) return null;
  const index = before.positional.indexOf(first);
  const now = after.positional[index];
  const known = new Set([...before.positional, ...before.keyword].map(({ name }) => name));
  if (gone.length === 1 && now !== undefined && !known.has(now.name)) return { kind: "renamed", what: `calls its parameter ${first.name} ${now.name} now` };
  return { kind: "lost", what: `lost its parameter ${gone.map(({ name }) => name).join(", ")}` };
}

function reordered(before: Signature, after: Signature): SignatureDrift | null {
  const names = before.positional.map(({ name }) => name);
  const common = after.positional.map(({ name }) => name).filter((name) => names.includes(name));
  const old = names.filter((name) => common.includes(name));
  const first = old.findIndex((name, index) => common[index] !== name);
  return first === -1 ? null : { kind: "reordered", what: `takes ${common.join(", ")} in another order than before (${old.join(", ")})` };
}

function required(before: Signature, after: Signature): SignatureDrift | null {
  const all = [...before.positional, ...before.keyword];
  const needed = [...after.positional, ...after.keyword].filter(({ required: now }) => now);
  const added = needed.filter(({ name }, index) => {
    const old = all.find((each) => each.name === name);
    // By position a new name may be the old parameter.
    const sameplace = old ?? (before.named ? undefined : before.positional[index]);
    return sameplace === undefined ? !isRenamed(before, after, name) : !sameplace.required;
  });
  return added.length === 0 ? null : { kind: "required", what: `needs ${added.map(({ name }) => name).join(", ")} now` };
}

function isRenamed(before: Signature, after: Signature, name: string): boolean {
  const index = after.positional.findIndex((each) => each.name === name);
  const old = before.positional[index];
  return old !== undefined && old.required && !after.positional.some((each) => each.name === old.name);
}

function counted(parameters: number): string {
  return parameters === 1 ? "1 parameter" : `${parameters} parameters`;
}

/**
 * Whether what a place gives can no longer be what it was. Where it is not all that is given, what misses may come later. `isNew`: it
 * was written with the new form in view, so that its places are those of now.
 */
export function breaks({ arguments: given, isPartial }: Giving, { before, after, isNew }: { readonly before: Signature; readonly after: Signature; readonly isNew: boolean }): boolean {
  const positional = given.filter(({ name }) => name === undefined).length;
  const names = new Set(given.flatMap(({ name }) => (name === undefined ? [] : [name])));
  if (positional > after.positional.length && !after.takesMore) return true;
  if (after.named && !after.takesOtherKeywords && [...names].some((name) => ![...after.positional, ...after.keyword].some((each) => each.name === name))) return true;
  const missing = isPartial !== true && [...after.positional.slice(positional), ...after.keyword].some((each) => each.required && !names.has(each.name));
  return missing || !isNew && changesPlace(before, after, positional);
}

/** Values that are given by place come to another parameter of the same function. */
function changesPlace(before: Signature, after: Signature, positional: number): boolean {
  return before.positional.slice(0, positional).some(({ name }, index) => {
    const place = after.positional.findIndex((each) => each.name === name);
    return place !== -1 && place !== index;
  });
}
