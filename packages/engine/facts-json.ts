import type { ModuleFacts, Value } from "@agentgate/parsers";

/** Facts as one JSON text, for a pipe or a cache. Numbers that JSON lacks are kept. */
export function encodeFacts(facts: ModuleFacts): string {
  const values = facts.values.some(isBeyondJson) ? facts.values.map(encodeValue) : facts.values;
  return JSON.stringify(values === facts.values ? facts : { ...facts, values });
}

/** The facts that `encodeFacts` wrote. Tables by name have no prototype: `constructor` is a name like any other. */
export function decodeFacts(text: string): ModuleFacts {
  const facts = JSON.parse(text) as ModuleFacts;
  for (const scope of facts.scopes) Object.setPrototypeOf(scope.names, null);
  for (const one of facts.classes) Object.setPrototypeOf(one.attributes, null);
  const values = facts.values as Value[];
  values.forEach((value, index) => {
    const written: unknown = value.kind === "number" ? value.value : 0;
    if (value.kind === "number" && typeof written === "string") values[index] = { ...value, value: Number(written) };
  });
  return facts;
}

function isBeyondJson(value: Value): boolean {
  return value.kind === "number" && !Number.isFinite(value.value);
}

function encodeValue(value: Value): unknown {
  return value.kind === "number" && !Number.isFinite(value.value) ? { ...value, value: String(value.value) } : value;
}
