import type { BindingId, ModuleFacts, Statement, Value, ValueId } from "../facts.ts";
import { parsePython } from "./index.ts";

/** Facts of a source written for a test, with lookups by the text of the source. */
export class Sample {
  readonly facts: ModuleFacts;
  readonly source: string;

  constructor(source: string) {
    this.source = source;
    this.facts = parsePython(source);
  }

  text(value: Value): string {
    return this.source.slice(...value.span);
  }

  value(id: ValueId): Value {
    return this.facts.values[id]!;
  }

  /** A short rendering of a value: `call(a.b, "x")`. */
  show(id: ValueId): string {
    const value = this.value(id);
    const all = (ids: readonly ValueId[]): string => ids.map((item) => this.show(item)).join(", ");
    switch (value.kind) {
      case "string": return JSON.stringify(value.value);
      case "number":
      case "constant": return String(value.value);
      case "name": return value.name;
      case "member": return value.subscript ? `${this.show(value.object)}[${this.show(value.key!)}]` : `${this.show(value.object)}.${value.property!}`;
      case "call": return this.showCall(value.call);
      case "list": return `${value.form}(${all(value.items)})`;
      case "table": return `table(${value.entries.map(({ key, value: item }) => `${key === null ? "**" : this.show(key)}: ${this.show(item)}`).join(", ")})`;
      case "template": return `template(${all(value.parts)})`;
      case "opaque": return `opaque(${all(value.of)})`;
      case "logical":
      case "binary": return `(${this.show(value.left)} ${value.operator} ${this.show(value.right)})`;
      case "item": return `item(${this.show(value.of)}, ${String(value.index)})`;
      case "imported": return `${this.facts.imports[value.import]!.specifier}:${value.path.join(".")}`;
      case "comprehension": return `${value.lazy ? "lazy " : ""}comprehension(${this.show(value.element)}; ${all(value.iterables)})`;
      case "function": return `function ${this.facts.functions[value.function]!.name}`;
      case "class": return `class ${this.facts.classes[value.class]!.name}`;
      case "caught": return `caught(${all(value.types)})`;
      case "self": return `self of ${this.facts.classes[value.class]!.name}`;
      case "parameter": return `parameter ${value.index}`;
      case "conditional": return `(${this.show(value.then)} if ${this.show(value.test)} else ${this.show(value.else)})`;
      case "unary": return `${value.operator}(${this.show(value.value)})`;
      case "yield": return `yield${value.delegate ? " from" : ""}(${value.value === null ? "" : this.show(value.value)})`;
      case "await":
      case "assigned":
      case "spread": return `${value.kind}(${this.show(value.value)})`;
      case "regex": return value.pattern;
    }
  }

  private showCall(id: number): string {
    const call = this.facts.calls[id]!;
    const given = call.arguments.map(({ name, value }) => (name === undefined ? "" : `${name}=`) + this.show(value));
    return `${call.decorator ? "@" : ""}${call.awaited ? "await " : ""}${this.show(call.callee)}(${given.join(", ")})`;
  }

  /** All calls in the order of evaluation. */
  calls(): string[] {
    return this.facts.calls.map((_, id) => this.showCall(id));
  }

  /** The value of the last assignment of the module. */
  assigned(): string {
    const found = this.facts.functions[0]!.body.findLast((statement) => statement.kind === "assign");
    return found?.kind === "assign" ? this.show(found.value) : "nothing";
  }

  /** What each binding of that name is given, in the order of declaration. */
  given(name: string): string[][] {
    return this.facts.bindings.filter((binding) => binding.name === name).map((binding) => binding.values.map((id) => this.show(id)));
  }

  /** For each place where a name is written: the kind of the scope it belongs to, or `outside`. */
  scopesOf(name: string): string[] {
    return this.facts.values.flatMap((value) => (value.kind === "name" && value.name === name ? [this.scopeOf(value.binding)] : []));
  }

  private scopeOf(binding: BindingId): string {
    return binding < 0 ? "outside" : this.facts.scopes[this.facts.bindings[binding]!.scope]!.kind;
  }

  /** A body as nested words. */
  outline(body: readonly Statement[] = this.facts.functions[0]!.body): string {
    return body.map((statement) => this.outlineOf(statement)).join("; ");
  }

  private outlineOf(statement: Statement): string {
    const inside = (name: string, body: readonly Statement[]): string => (body.length === 0 ? "" : ` ${name} {${this.outline(body)}}`);
    switch (statement.kind) {
      case "assign": return `${statement.targets.map((target) => this.show(target)).join(" = ")} ${statement.operator} ${this.show(statement.value)}`;
      case "call": return `call ${this.showCall(statement.call)}`;
      case "test": return `test ${this.show(statement.test)}${inside("then", statement.then)}${inside("else", statement.else)}`;
      case "loop": {
        const head = statement.form === "each" ? `${this.show(statement.targets[0]!)} in ${this.show(statement.iterable!)}` : this.show(statement.test!);
        return `${statement.form} ${head} {${this.outline(statement.body)}}${inside("else", statement.otherwise)}`;
      }
      case "try": {
        const handlers = statement.handlers.map((handler) => inside(`except ${handler.types.map((type) => this.show(type)).join(", ")}`, handler.body));
        return `try {${this.outline(statement.body)}}${handlers.join("")}${inside("else", statement.otherwise)}${inside("finally", statement.finally)}`;
      }
      case "with": return `with ${statement.items.map((item) => this.show(item)).join(", ")} {${this.outline(statement.body)}}`;
      case "block": return `{${this.outline(statement.body)}}`;
      case "jump": return `${statement.to}${statement.value === null ? "" : ` ${this.show(statement.value)}`}`;
      case "return": return `return${statement.value === null ? "" : ` ${this.show(statement.value)}`}`;
      case "expression": return this.show(statement.value);
      case "define": return `define ${statement.function === undefined ? this.facts.classes[statement.class!]!.name : this.facts.functions[statement.function]!.name}`;
    }
  }
}
