import type { Entry } from "@agentgate/parsers/contract";
import { type Diagnostic, diagnostic, other } from "../contract.ts";
import type { Given, Spot } from "../fields.ts";
import { shown } from "../shared/values.ts";
import type { ToolContract } from "./contract-file.ts";
import { type Node, entryOf, hasProperty, isJudgedWhole, mappingOf, nodesOf, placeOf, requiredOf } from "./input-schema.ts";

type Schema = NonNullable<ToolContract["input_schema"]>;

/** What the two schemas of a tool have to say. */
export function checkSchemas(contract: ToolContract, writes: boolean, structure: readonly Diagnostic[]): Diagnostic[] {
  const { forbidden_args: forbidden, input_schema: input, output_schema: output } = contract;
  const nodes = input === undefined ? [] : nodesOf(mappingOf(input));
  return [
    ...[input, output].flatMap((schema) => (schema === undefined ? [] : [...typeOf(schema), ...required(schema)])),
    ...(writes ? [...key(contract, nodes[0], structure), ...(input === undefined ? [] : openSchemas(input, nodes))] : []),
    ...(forbidden === undefined || input === undefined ? [] : forbiddenArguments(input, forbidden.value, nodes)),
  ];
}

function typeOf(schema: Schema): Diagnostic<"field" | "type">[] {
  const given = schema.value.get("type");
  if (given === undefined) return [diagnostic("field", { ...schema, key: `${schema.key}.type` }, `\`${schema.key}\` has no \`type\`, so it takes whatever comes. Say what it is, an object as a rule.`)];
  const [entry] = mappingOf({ ...schema, value: new Map([["type", given]]) }).entries;
  return isType(entry!) ? [] : [diagnostic("type", { ...given, value: null }, `\`${schema.key}.type\` must be a type of JSON Schema, or a list of them. Correct the value.`)];
}

function isType({ value }: Entry): boolean {
  const one = (item: Entry["value"]): boolean => item.kind === "scalar" && typeof item.value === "string" && item.value.trim() !== "";
  return value.kind === "list" ? value.items.length > 0 && value.items.every(one) : one(value);
}

function required(schema: Schema): Diagnostic<"schema">[] {
  return nodesOf(mappingOf(schema)).flatMap((node) => {
    const { names, odd } = requiredOf(node);
    const strangers = names.filter(({ name }) => !hasProperty(node, name)).map(({ at, name }) =>
      diagnostic("schema", { path: schema.path, at, key: `${schema.key}.required`, value: name }, `\`required\` names ${shown(name)}, which is no property: nobody can give it a type. Declare the property, or correct the name.`));
    return odd === null ? strangers : [...strangers, diagnostic("schema", { path: schema.path, at: odd, key: `${schema.key}.required` }, "`required` must be a list of names. Correct the value.")];
  });
}

const KEY = "idempotency_key";

/** A call of a tool that writes brings a key: one diagnostic, wherever it is missing. */
function key({ idempotency_key_required: asked, input_schema: input }: ToolContract, root: Node | undefined, structure: readonly Diagnostic[]): Diagnostic<"no-key">[] {
  if (structure.some((one) => one.rule === "no-key")) return [];
  const message = "The tool writes, and a call that is tried again writes twice.";
  if (asked?.value === false) return [diagnostic("no-key", asked, `${message} Set \`idempotency_key_required\` to true, and ask for \`${KEY}\` in \`input_schema\`.`)];
  if (input === undefined || root === undefined) return [];
  const isProperty = root.properties.some((entry) => entry.key === KEY);
  if (isProperty && requiredOf(root).names.some(({ name }) => name === KEY)) return [];
  const list = isProperty ? input.value.get("required") : undefined;
  return [diagnostic("no-key", list === undefined ? input : { ...list, value: null }, `${message} Make \`${KEY}\` a property of \`input_schema\` and list it under \`required\`.`)];
}

function openSchemas(schema: Schema, nodes: readonly Node[]): Diagnostic<"open-schema">[] {
  return nodes.filter((node, index) => index === 0 || isJudgedWhole(node)).flatMap((node) => {
    const entry = entryOf(node.mapping, "additionalProperties");
    if (entry?.value.kind === "scalar" && entry.value.value === false) return [];
    const names = node.properties.map((one) => one.key).slice(0, 3).join(", ");
    const message = `The object${names === "" ? "" : ` with ${names}`} takes arguments that nobody named, and the tool writes with them. Set \`additionalProperties\` to false.`;
    const spot: Spot = entry === undefined ? schema : { path: schema.path, at: placeOf(entry), key: `${schema.key}.additionalProperties` };
    return [diagnostic("open-schema", spot, message, entry === undefined && node.beside === null && node.properties[0] !== undefined ? [{ path: schema.path, at: node.properties[0].keyAt, key: "", message: "its first property" }] : [])];
  });
}

function forbiddenArguments(schema: Schema, forbidden: readonly Given<string>[], nodes: readonly Node[]): Diagnostic<"forbidden-arg">[] {
  const names = new Map(forbidden.map((one) => [one.value, one]));
  return nodes.flatMap((node) => node.properties).flatMap((entry) => {
    const named = names.get(entry.key);
    if (named === undefined) return [];
    const spot: Spot = { path: schema.path, at: entry.keyAt, key: `${schema.key}.properties`, value: entry.key };
    return [diagnostic("forbidden-arg", spot, `${shown(entry.key)} is an argument that the contract itself forbids. Take it out of the schema.`, [other(named, "forbidden here")])];
  });
}
