import type { Reference } from "@agentgate/parsers";
import type { ArgumentsView } from "./arguments.ts";
import { actionOf } from "./action.ts";
import { classify, type Classification } from "./classify.ts";

/** Helpers for the catalogue's tests: names as people write them. */

/** `node:fs.readFile`, `@scope/name/sub.a.b`: the module ends at the first dot after its last slash, or at `#`. */
export function ecmascript(text: string): Reference {
  const [named = "", members] = text.split("#");
  if (members !== undefined) return { module: named, path: members.split(".") };
  const slash = text.lastIndexOf("/");
  const dot = text.indexOf(".", slash + 1);
  return dot < 0 ? { module: text, path: [] } : { module: text.slice(0, dot), path: text.slice(dot + 1).split(".") };
}

/** As `import a` and `a.b.c` give it. */
export function python(text: string): Reference {
  const [module = "", ...path] = text.split(".");
  return { module, path };
}

/** A call whose arguments are these constants; `null`: does not fold. */
export function call(positional: readonly (string | number | boolean | null)[] = [], named: Readonly<Record<string, string | number | boolean | null>> = {}): ArgumentsView {
  return {
    constants(index, name) {
      const given = name !== null && Object.hasOwn(named, name) ? named[name] : index !== null && index < positional.length ? positional[index] : undefined;
      if (given === undefined) return "absent";
      return given === null ? null : [given];
    },
  };
}

/** `net`, `fs.read fs.write`, `pure`, `unclassified`. */
export function shown(result: Classification): string {
  return result.kind === "capability" ? result.capabilities.join(" ") : result.kind;
}

export function ofPython(text: string, view?: ArgumentsView): string {
  return shown(classify("python", python(text), [], view));
}

export function ofEcmascript(text: string, view?: ArgumentsView): string {
  return shown(classify("ecmascript", ecmascript(text), [], view));
}

export function ofGlobal(text: string, view?: ArgumentsView): string {
  return shown(classify("ecmascript", { module: "globalThis", path: text.split(".") }, [], view));
}

/** `read`, `write`, `pure`, or `unknown` where nothing tells. */
export function actionIn(language: "python" | "ecmascript", text: string, view?: ArgumentsView): string {
  const reference = language === "python" ? python(text) : ecmascript(text);
  return actionOf(language, reference, [], view) ?? "unknown";
}
