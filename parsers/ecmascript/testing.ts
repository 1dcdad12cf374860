import type { Dialect, ModuleFacts, Statement, Value, ValueId } from "../facts.ts";
import { parseEcmascript } from "./index.ts";

/** Facts of a snippet, which must parse. */
export function read(text: string, dialect: Dialect = "typescript"): ModuleFacts {
  const facts = parseEcmascript(text, { dialect });
  if (facts.problems.length > 0) throw new SyntaxError(facts.problems[0]!.message);
  return facts;
}

/** An expression on one line: names with `!` where the file declares them, calls as `f(x)`. */
export function show(facts: ModuleFacts, id: ValueId | null): string {
  if (id === null) return "none";
  const value = facts.values[id]!;
  const of = (inner: ValueId | null): string => show(facts, inner);
  switch (value.kind) {
    case "string": return JSON.stringify(value.value);
    case "number": return String(value.value);
    case "constant": return value.undefined ? "undefined" : String(value.value);
    case "name": return value.binding < 0 ? value.name : `${value.name}!`;
    case "member": return `${of(value.object)}${value.optional ? "?" : ""}.${value.property ?? `[${of(value.key)}]`}`;
    case "call": return showCall(facts, value.call);
    case "function": return `function ${facts.functions[value.function]!.name}`;
    case "class": return `class ${facts.classes[value.class]!.name}`;
    case "self": return "self";
    case "imported": return `<${[facts.imports[value.import]!.specifier, ...value.path].join(" ")}>`;
    case "parameter": return `<parameter ${value.index}>`;
    case "regex": return `/${value.pattern}/`;
    default: return showCompound(facts, value);
  }
}

function showCompound(facts: ModuleFacts, value: Value): string {
  const of = (inner: ValueId | null): string => show(facts, inner);
  const all = (items: readonly ValueId[]): string => items.map(of).join(", ");
  switch (value.kind) {
    case "list": return `[${all(value.items)}]`;
    case "table": return `{${value.entries.map((entry) => (entry.key === null ? `...${of(entry.value)}` : `${of(entry.key)}: ${of(entry.value)}`)).join(", ")}}`;
    case "template": return `\`${all(value.parts)}\``;
    case "logical":
    case "binary": return `(${of(value.left)} ${value.operator} ${of(value.right)})`;
    case "conditional": return `(${of(value.test)} ? ${of(value.then)} : ${of(value.else)})`;
    case "unary": return `${value.operator} ${of(value.value)}`;
    case "item": return `item ${value.index ?? "any"} of ${of(value.of)}`;
    case "caught": return "<caught>";
    case "opaque": return `opaque(${all(value.of)})`;
    case "spread": return `...${of(value.value)}`;
    case "await":
    case "yield":
    case "assigned": return `${value.kind} ${of(value.value)}`;
    default: return value.kind;
  }
}

function showCall(facts: ModuleFacts, id: number): string {
  const call = facts.calls[id]!;
  const mark = call.construct ? "new " : call.decorator ? "@" : "";
  return `${mark}${show(facts, call.callee)}(${call.arguments.map((argument) => show(facts, argument.value)).join(", ")})`;
}

/** A body as indented lines: what happens, in order. */
export function outline(facts: ModuleFacts, body: readonly Statement[] = facts.functions[0]!.body, indent = ""): string[] {
  const inside = (title: string, list: readonly Statement[]): string[] =>
    list.length === 0 ? [] : [`${indent}${title}`, ...outline(facts, list, `${indent}  `)];
  return body.flatMap((statement): string[] => {
    const line = `${indent}${titleOf(facts, statement)}`;
    switch (statement.kind) {
      case "test": return [line, ...outline(facts, statement.then, `${indent}  `), ...inside("else", statement.else)];
      case "loop": return [line, ...inside("before", statement.before), ...outline(facts, statement.body, `${indent}  `), ...inside("update", statement.update)];
      case "try": return [
        line, ...outline(facts, statement.body, `${indent}  `),
        ...statement.handlers.flatMap((handler) => [`${indent}catch`, ...outline(facts, handler.body, `${indent}  `)]), ...inside("finally", statement.finally),
      ];
      case "with":
      case "block": return [line, ...outline(facts, statement.body, `${indent}  `)];
      default: return [line];
    }
  });
}

function titleOf(facts: ModuleFacts, statement: Statement): string {
  switch (statement.kind) {
    case "assign": return `${statement.targets.map((target) => show(facts, target)).join(", ")} ${statement.operator} ${show(facts, statement.value)}`;
    case "call": return `call ${showCall(facts, statement.call)}`;
    case "test": return `if ${show(facts, statement.test)}`;
    case "loop": return loopTitle(facts, statement);
    case "with": return `with ${statement.items.map((item) => show(facts, item)).join(", ")}`;
    case "block": return statement.label === undefined ? "block" : `block ${statement.label}`;
    case "jump": return [statement.to, ...(statement.label === undefined ? [] : [statement.label]), ...(statement.value === null ? [] : [show(facts, statement.value)])].join(" ");
    case "return":
    case "expression": return `${statement.kind} ${show(facts, statement.value)}`;
    case "define": return statement.class === undefined ? `define function ${facts.functions[statement.function!]!.name}` : `define class ${facts.classes[statement.class]!.name}`;
    case "try": return "try";
  }
}

function loopTitle(facts: ModuleFacts, loop: Extract<Statement, { kind: "loop" }>): string {
  const head = loop.form === "each" ? `${loop.targets.map((target) => show(facts, target)).join(", ")} of ${show(facts, loop.iterable)}` : show(facts, loop.test);
  return `${loop.form}${loop.label === undefined ? "" : ` ${loop.label}`} ${head}`;
}

/** The values of a name, and its kind. */
export function binding(facts: ModuleFacts, name: string): { readonly kind: string; readonly values: readonly string[]; readonly rebound: boolean; readonly annotation: string } {
  const found = facts.bindings.find((candidate) => candidate.name === name);
  if (found === undefined) throw new RangeError(`nothing is named ${name}`);
  return {
    kind: found.kind, values: found.values.map((value) => show(facts, value)), rebound: found.rebound ?? false,
    annotation: show(facts, found.annotation ?? null),
  };
}

/** The uses as `role telling-name`, in source order. */
export function uses(facts: ModuleFacts, text: string): string[] {
  return [...facts.uses].sort((a, b) => a.span[0] - b.span[0]).map((use) => `${use.role} ${text.slice(...use.span)}`);
}
