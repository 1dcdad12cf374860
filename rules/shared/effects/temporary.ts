import { referencesOf } from "@agentgate/parsers";
import type { Call, ModuleFacts, ValueId } from "@agentgate/parsers";
import { argumentOf } from "../arguments.ts";
import { apiName, someIngredient } from "../expressions.ts";
import { receiverOf } from "./chain.ts";
import { TEMPORARY_APIS, TEMPORARY_FOLDERS } from "./vocabulary.ts";

const EXACT = new Set(TEMPORARY_APIS.filter((api) => !api.endsWith(".*")));
const PREFIXES = TEMPORARY_APIS.filter((api) => api.endsWith(".*")).map((api) => api.slice(0, -1));
/** Calls whose second argument is what they write to. */
const INTO_SECOND = new Set(["copy", "copy2", "copyfile", "copytree", "move", "rename", "copyFile", "cp", "symlink", "link", "replace"]);

/** Whether a call writes or deletes in a temporary folder: its own (`tempfile.mkdtemp`), or at a path built from one. */
export function isTemporary(facts: ModuleFacts, call: Call, name: string): boolean {
  if (isMadeTemporary(facts, call.callee)) return true;
  const plain = name.replace(/Sync$/, "");
  const second = INTO_SECOND.has(plain) ? argumentOf(facts, call, 1, "dst") : "absent";
  if (typeof second === "number") return isMadeTemporary(facts, second);
  const first = argumentOf(facts, call, 0, "path");
  if (typeof first === "number" && isMadeTemporary(facts, first)) return true;
  const receiver = receiverOf(facts, call);
  return receiver !== null && isMadeTemporary(facts, receiver);
}

function isMadeTemporary(facts: ModuleFacts, id: ValueId): boolean {
  return someIngredient(facts, id, (value, each) => {
    if (value.kind === "string") return TEMPORARY_FOLDERS.some((folder) => value.value === folder || value.value.startsWith(`${folder}/`));
    if (value.kind !== "name" && value.kind !== "member") return false;
    return referencesOf(facts, each).some((reference) => {
      const api = apiName(reference);
      return EXACT.has(api) || PREFIXES.some((prefix) => api.startsWith(prefix));
    });
  });
}
