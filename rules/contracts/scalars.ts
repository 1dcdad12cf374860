import type { Scalar } from "@agentgate/parsers/contract";
import type { Breach, Form, Shape } from "./fields.ts";
import { COMMAND, COMMIT, DIGEST, ENV_NAME, NO_OWNER, hasForm } from "./shared/forms.ts";
import { isSafePath } from "./shared/paths.ts";
import { dateOf, momentOf, timestampOf } from "./shared/time.ts";
import { intOf, isBlank, isPlaceholder, numberOf } from "./shared/values.ts";

/** What is wrong with a value. `says` ends "`key` …". */
export interface Wrong {
  readonly breach: Breach;
  readonly says: string;
}

type Checked = { readonly value: string | number | boolean } | { readonly wrong: Wrong };
type ScalarShape = Extract<Shape, { kind: "text" | "string" | "int" | "number" | "bool" | "choice" }>;

function wrong(breach: Breach, says: string): Checked {
  return { wrong: { breach, says } };
}

/** Checks one value that is neither list nor mapping. */
export function checkScalar(shape: ScalarShape, scalar: Scalar): Checked {
  const { value } = scalar;
  if (value === null) return wrong("field", "has no value");
  if (shape.kind === "string") return typeof value === "string" ? { value } : wrong("type", "must be text");
  if (typeof value === "string" && isBlank(value)) return wrong("blank", "is blank");
  if (shape.kind === "choice") return choiceOf(shape.values, scalar);
  if (typeof value === "string" && isPlaceholder(value)) return wrong("blank", `only holds the place of a value (${value.trim()})`);
  if (shape.kind === "text") return textOf(shape, value);
  if (shape.kind === "bool") return typeof value === "boolean" ? { value } : wrong("type", "must be true or false, without quotes");
  const number = shape.kind === "int" ? intOf(scalar) : numberOf(scalar);
  const inRange = number !== null && number >= (shape.min ?? -Infinity) && number <= (shape.max ?? Infinity) && number > (shape.above ?? -Infinity);
  return inRange ? { value: number } : wrong("type", `must be ${rangeOf(shape)}`);
}

function choiceOf(values: readonly (string | number)[], scalar: Scalar): Checked {
  const found = values.find((one) => one === scalar.value);
  // 1.0 is no version.
  if (found !== undefined && (typeof found === "string" || intOf(scalar) !== null)) return { value: found };
  if (typeof scalar.value === "string" && isPlaceholder(scalar.value)) return wrong("blank", `only holds the place of a value (${scalar.value.trim()})`);
  return wrong("type", `must be ${values.length === 1 ? String(values[0]) : `one of ${values.join(", ")}`}`);
}

/** `a whole number of at least 1`. */
export function rangeOf({ above, kind, max, min }: Extract<Shape, { kind: "int" | "number" }>): string {
  const bounds = [
    ...(min === null ? [] : [`at least ${min}`]), ...(above === null ? [] : [`more than ${above}`]), ...(max === null ? [] : [`at most ${max}`]),
  ];
  const noun = kind === "int" ? "a whole number in plain digits" : "a number";
  return bounds.length === 0 ? noun : `${noun}, ${bounds.join(" and ")}`;
}

type TextForm = Exclude<Form, "path" | "owner" | "command">;

const FORMS: Readonly<Record<TextForm, { readonly fits: (text: string) => boolean; readonly says: string }>> = {
  digest: { fits: (text) => hasForm(DIGEST, text), says: "a SHA-256 of 64 lower-case hex digits" },
  commit: { fits: (text) => hasForm(COMMIT, text), says: "a full commit id of 40 lower-case hex digits" },
  date: { fits: (text) => dateOf(text) !== null, says: "a day of the calendar, as 2026-01-31" },
  timestamp: { fits: (text) => timestampOf(text) !== null, says: "a time with its offset, as 2026-01-31T12:00:00Z" },
  moment: { fits: (text) => momentOf(text) !== null, says: "a day of the calendar or a time with its offset, as 2026-01-31 or 2026-01-31T12:00:00Z" },
  "env-name": { fits: (text) => hasForm(ENV_NAME, text), says: "the name of an environment variable in capitals" },
};

function textOf({ form, pattern, says }: Extract<Shape, { kind: "text" }>, value: string | number | boolean): Checked {
  if (typeof value !== "string") return wrong("type", `must be ${form === null ? "text" : nounOf(form)}; put it in quotes if it is text`);
  if (form === "path") return isSafePath(value) ? { value } : wrong("unsafe-path", "must be a path inside the repository: relative to its root, with forward slashes, without .. ~ and $");
  if (form === "owner") return hasForm(NO_OWNER, value) ? wrong("owner", "names no person or team") : { value };
  if (form === "command") return hasForm(COMMAND, value) ? { value } : wrong("command", "is no command that can be pasted into a shell");
  if (form !== null && !FORMS[form].fits(value)) return wrong("type", `must be ${FORMS[form].says}`);
  if (pattern !== null && !hasForm(pattern, value)) return wrong("type", `must be ${says ?? "of another form"}`);
  return { value };
}

/** What a form is, for messages and the page. */
export function nounOf(form: Form): string {
  switch (form) {
    case "path":
      return "a path inside the repository";
    case "owner":
      return "a person or team";
    case "command":
      return "a command";
    default:
      return FORMS[form].says;
  }
}
