import type { ModuleFacts } from "@agentgate/parsers";
import type { Influence } from "../../rule.ts";
import { repeatsParameter } from "../attempts/index.ts";
import { keyGivers } from "./candidates.ts";
import { freshApi } from "./fresh.ts";
import { givesFresh } from "./mints.ts";
import { parameterNames } from "./sites.ts";

/** What importers' keys depend on: functions that make keys or fresh values, take keys, or run again what they are given. */
export function keyInfluences(facts: ModuleFacts): readonly Influence[] {
  const makesFresh = facts.calls.some((call) => freshApi(facts, call) !== null);
  return facts.functions.flatMap((subject, id): readonly Influence[] => {
    if (id === 0 || subject.name === "") return [];
    const told = [
      ...(keyGivers(facts).has(id) ? [`fresh ${keyGivers(facts).get(id)!.shown.toLowerCase()}`] : makesFresh && givesFresh({ facts, function: id }) ? ["fresh"] : []),
      ...(repeatsParameter(facts).has(id) ? ["repeats"] : []),
      ...subject.parameters.flatMap(({ name, binding }) => (parameterNames(facts).has(binding) ? [`takes ${name}`] : [])),
    ];
    return told.length === 0 ? [] : [{ name: subject.name, key: told.join(" "), span: subject.nameSpan }];
  });
}
