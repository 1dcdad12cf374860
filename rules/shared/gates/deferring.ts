import { referencesOf } from "@agentgate/parsers";
import type { ModuleFacts, ValueId } from "@agentgate/parsers";
import { isApi } from "../expressions.ts";

const PARTIALS = ["functools.partial", "functools.partialmethod"];

/** `httpx.AsyncClient().post(url)`: a coroutine of Python runs nothing before it is awaited. */
export function givesCoroutine(facts: ModuleFacts, callee: ValueId): boolean {
  if (facts.language !== "python") return false;
  const references = referencesOf(facts, callee);
  return references.length > 0 && references.every(({ module, path, instance }) => instance === true && (module.split(".").includes("asyncio") || path.slice(0, -1).some((name) => /^Async[A-Z]/.test(name))));
}

/** `functools.partial(f, x)`, `f.bind(null, x)`: nothing runs yet. */
export function isPartial(facts: ModuleFacts, callee: ValueId): boolean {
  const value = facts.values[callee];
  if (facts.language === "ecmascript") return value?.kind === "member" && value.property === "bind";
  return referencesOf(facts, callee).length > 0 && isApi(facts, callee, PARTIALS);
}
