import { constantHead, constantsOf, referencesOf } from "@agentgate/parsers";
import type { Call, ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import { argumentOf } from "./arguments.ts";
import { apiName, callsApi, originsOf, someIngredient } from "./expressions.ts";

const OWN_PLACES = new Set(["__file__", "__path__", "__dirname", "__filename"]);
const OWN_PACKAGE = new Set(["__name__", "__package__", "__spec__"]);
const IMPORT_META = /^globalThis\.import\.meta\.(?:url|dirname|filename)$/;

/** Whether a path is made from the place of the file itself: `__file__`, `__dirname`, `import.meta.url`. */
export function isFromOwnPlace(facts: ModuleFacts, path: ValueId): boolean {
  return someIngredient(facts, path, (value, id) =>
    (value.kind === "name" && value.binding === -1 && OWN_PLACES.has(value.name))
    || (value.kind === "member" && referencesOf(facts, id).some((reference) => IMPORT_META.test(apiName(reference)))));
}

/** Whether an expression is the name of the module's own package (`__name__`, `__package__`, `__spec__.parent`). */
export function isOwnPackage(facts: ModuleFacts, id: ValueId): boolean {
  return someIngredient(facts, id, (value) => value.kind === "name" && value.binding === -1 && OWN_PACKAGE.has(value.name), 20);
}

/** How a text begins that does not fold. `own`: with the module's own package, or inside the file's own folder. */
export interface Head {
  readonly text: string;
  readonly own: boolean;
}

/** How a module name or path begins, on every way to it; null where that is not known. */
export function headsOf(facts: ModuleFacts, id: ValueId): readonly Head[] | null {
  const origins = originsOf(facts, id);
  if (!origins.complete) return null;
  const heads: Head[] = [];
  for (const origin of origins.values) {
    const head = headOf(facts, origin);
    const named = head === null ? modulesAhead(facts, origin) ?? walkedHeads(facts, origin) : [head];
    if (named === null) return null;
    heads.push(...named);
  }
  return heads;
}

function headOf(facts: ModuleFacts, id: ValueId): Head | null {
  const text = constantHead(facts, id) || filledHead(facts, id);
  if (text !== "") return { text, own: false };
  const first = firstPiece(facts, id);
  if (first !== id && isOwnPackage(facts, first)) return { text: "", own: true };
  if (!isFromOwnPlace(facts, id)) return null;
  const leaves = someIngredient(facts, id, (value) => value.kind === "call" && mayLeave(facts, facts.calls[value.call]));
  return leaves ? null : { text: "", own: true };
}

/** How `"app.parts.%s" % name` and `"app.parts.{}".format(name)` begin. */
function filledHead(facts: ModuleFacts, id: ValueId): string {
  const value = facts.values[id];
  const callee = value?.kind === "call" ? facts.values[facts.calls[value.call]!.callee] : undefined;
  const text = value?.kind === "binary" && value.operator === "%" ? value.left
    : callee?.kind === "member" && callee.property === "format" ? callee.object : undefined;
  const written = text === undefined ? undefined : constantsOf(facts, text);
  return written?.length === 1 ? String(written[0]!.value).split(/[%{]/)[0]! : "";
}

/** `f"{module.__name__}.{name}"`: the names of the modules that it begins with, and the dot; null where it does not. */
function modulesAhead(facts: ModuleFacts, id: ValueId): readonly Head[] | null {
  const first = facts.values[firstPiece(facts, id)];
  if (first?.kind !== "member" || first.property !== "__name__" || first.subscript === true || !hasDotBehind(facts, id)) return null;
  const modules = referencesOf(facts, first.object).filter(({ through }) => through !== "annotation");
  const isPlain = modules.length > 0 && modules.every((each) => each.through === undefined && each.computed !== true && each.instance !== true);
  return isPlain ? modules.map(({ module, path }) => ({ text: `${[module, ...path].join(".")}.`, own: false })) : null;
}

const WALKERS = ["pkgutil.walk_packages", "pkgutil.iter_modules"];

/** A name that a walk through a package gives: `for _, name, _ in walk_packages(app.__path__, prefix="app.")`; null where it is none. */
function walkedHeads(facts: ModuleFacts, id: ValueId): readonly Head[] | null {
  const value = facts.values[id];
  const isName = (value?.kind === "item" && value.index === 1) || (value?.kind === "member" && value.property === "name");
  const [item] = value?.kind === "item" ? [value.of] : value?.kind === "member" ? originsOf(facts, value.object).values : [];
  const each = item === undefined || !isName ? undefined : facts.values[item];
  const walk = each?.kind === "item" && each.index === null ? facts.values[originsOf(facts, each.of).values[0] ?? -1] : undefined;
  const call = walk?.kind === "call" ? facts.calls[walk.call]! : undefined;
  if (call === undefined || !callsApi(call, WALKERS)) return null;
  const [path, prefix] = [argumentOf(facts, call, 0, "path"), argumentOf(facts, call, 1, "prefix")];
  if (typeof path !== "number" || typeof prefix !== "number") return null;
  const written = facts.values[originsOf(facts, path).values[0] ?? -1];
  const isOwnPath = (written?.kind === "member" && written.property === "__path__") || isFromOwnPlace(facts, path);
  const text = constantsOf(facts, prefix)?.map((constant) => String(constant.value));
  return isOwnPath ? text?.map((each) => ({ text: each, own: false })) ?? headsOf(facts, prefix) : null;
}

function hasDotBehind(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[id];
  if (value?.kind === "template") return facts.values[value.parts[1] ?? -1]?.kind === "string" && constantHead(facts, value.parts[1]!).startsWith(".");
  // Of `a + "." + b` the inner sum is the left one.
  let sum: Value | undefined = value;
  while (sum?.kind === "binary" && facts.values[sum.left]?.kind === "binary") sum = facts.values[sum.left];
  return sum?.kind === "binary" && sum.operator === "+" && constantHead(facts, sum.right).startsWith(".");
}

/** The leftmost piece of a template, concatenation, `"{}.x".format(…)` or `".".join([…])`. */
function firstPiece(facts: ModuleFacts, id: ValueId): ValueId {
  let current = id;
  for (let step = 0; step < 64; step++) {
    const value = facts.values[current];
    const next = value?.kind === "template" ? value.parts[0]
      : value?.kind === "binary" && value.operator === "+" ? value.left
        : value?.kind === "call" ? formatted(facts, facts.calls[value.call]) : undefined;
    if (next === undefined) return current;
    current = next;
  }
  return current;
}

function formatted(facts: ModuleFacts, call: Call | undefined): ValueId | undefined {
  const callee = call === undefined ? undefined : facts.values[call.callee];
  const argument = call?.arguments[0]?.value;
  if (callee?.kind !== "member" || argument === undefined) return undefined;
  const text = facts.values[callee.object];
  if (callee.property === "format") return text?.kind === "string" && text.value.startsWith("{") ? argument : undefined;
  const list = facts.values[argument];
  return callee.property === "join" && list?.kind === "list" ? list.items[0] : undefined;
}

/**
 * Whether a call that joins a path may climb out of the file's folder: a written `..` beside a part that is only
 * known at run time, or `resolve` with such a part, which an absolute one replaces altogether.
 */
function mayLeave(facts: ModuleFacts, call: Call | undefined): boolean {
  if (call === undefined || facts.language === "python") return false;
  const callee = facts.values[call.callee];
  const name = callee?.kind === "member" ? callee.property : callee?.kind === "name" ? callee.name : null;
  if (name !== "join" && name !== "resolve") return false;
  const folded = call.arguments.slice(1).map((argument) => constantsOf(facts, argument.value));
  if (!folded.includes(null)) return false;
  return name === "resolve" || folded.some((texts) => texts?.some((text) => typeof text.value === "string" && text.value.startsWith("..")));
}

/** Whether a head keeps the whole text inside the tree: `./dir/`, `.sub`, an own package and its dot. */
export function staysInside(head: Head, language: ModuleFacts["language"], isOwn: (specifier: string) => boolean): boolean {
  if (head.own) return true;
  const { text } = head;
  if (language === "ecmascript") return text.startsWith("./") && text.endsWith("/") && !text.includes("..");
  if (text.startsWith(".")) return true;
  const dot = text.lastIndexOf(".");
  return dot > 0 && isOwn(text.slice(0, dot));
}
