import type { ModuleFacts, ValueId } from "@agentgate/parsers";
import { memberWrites } from "./consumers.ts";
import { isApi, originsOf } from "./expressions.ts";
import { ownFoldersOf } from "./load-patterns.ts";
import { decidingArgument, loaderOf } from "./loaders.ts";

const MOST_FOLDERS = 20;

/**
 * What the imports of a file can name in the folders beside it that it adds to the places where modules are looked
 * for, as specifiers in which a path ends in `*`: `sys.path.insert(0, os.path.join(os.path.dirname(__file__), "lib"))`
 * and `import page` give `./lib/page.py*` and `./lib/page/__init__.py*`.
 */
export function searchedSpecifiers(facts: ModuleFacts, imported: readonly string[]): readonly string[] {
  if (facts.language !== "python") return [];
  const folders = [...new Set(addedPlaces(facts).flatMap((place) => entriesOf(facts, place)).flatMap((entry) => ownFoldersOf(facts, entry)))].slice(0, MOST_FOLDERS);
  if (folders.length === 0) return [];
  const paths = [...new Set(imported)].filter((name) => name !== "" && !name.startsWith(".")).map((name) => name.replaceAll(".", "/"));
  return folders.flatMap((folder) => paths.flatMap((path) => [`${folder}${path}.py*`, `${folder}${path}/__init__.py*`]));
}

/** What is given to `sys.path.insert` and its like, or assigned to `sys.path`. */
function addedPlaces(facts: ModuleFacts): ValueId[] {
  const given = facts.calls.flatMap((call) => call.references.flatMap((reference) => {
    const loader = loaderOf("python", reference);
    const argument = loader?.kind === "search-path" ? decidingArgument(facts, call, loader) : "absent";
    return typeof argument === "number" ? [argument] : [];
  }));
  if (!facts.uses.some((use) => use.references.some((reference) => reference.module === "sys" && reference.path[0] === "path"))) return given;
  const written = memberWrites(facts).flatMap(({ target, statement }) => {
    const member = facts.values[target];
    const isPlace = member?.kind === "member" && (isApi(facts, target, ["sys.path"]) || isApi(facts, member.object, ["sys.path"]));
    return isPlace ? [statement.value] : [];
  });
  return [...given, ...written];
}

/** The entries of a list, or of lists that are joined; a value that is none stands for itself. */
function entriesOf(facts: ModuleFacts, place: ValueId): ValueId[] {
  const entries: ValueId[] = [];
  const pending = [place];
  const seen = new Set<ValueId>();
  for (let id = pending.pop(); id !== undefined && entries.length < MOST_FOLDERS; id = pending.pop()) {
    for (const origin of originsOf(facts, id).values) {
      if (seen.has(origin)) continue;
      seen.add(origin);
      const value = facts.values[origin];
      if (value?.kind === "list") pending.push(...value.items);
      else if (value?.kind === "binary" && value.operator === "+") pending.push(value.left, value.right);
      entries.push(origin);
    }
  }
  return entries;
}
