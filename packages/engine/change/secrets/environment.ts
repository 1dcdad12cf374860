import type { Span } from "@agentgate/parsers";
import { baseName } from "../../paths.ts";
import type { TreePath } from "../../paths.ts";
import { isHarmlessAddress, isPlaceholder } from "./placeholder.ts";
import shapes from "./shapes.json" with { type: "json" };

const { environment, placeholders } = shapes;
const FILE = new RegExp(environment.file);
const TEMPLATE = new RegExp(environment.template);
const SECRET_NAME = new RegExp(environment.secretName);
const PUBLIC_NAME = new RegExp(environment.publicName);
/** Shorter ones are switches and numbers. */
const LEAST_VALUE = 8;

/** A value of an environment file whose name says that it is secret. */
export interface SecretSetting {
  readonly name: string;
  /** Of the value. */
  readonly span: Span;
}

/** Whether a file sets the environment of a program by itself: `.env`, `.env.production`, not `.env.example`. */
export function isEnvironmentFile(path: TreePath): boolean {
  const name = baseName(path).toLowerCase();
  return FILE.test(name) && !TEMPLATE.test(name);
}

/** The settings of an environment file that hold a secret, by their names. What every browser gets to see is none, nor is what stands for a value. */
export function secretSettings(text: string): SecretSetting[] {
  return [...text.matchAll(/^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=[ \t]*(.*)$/gm)].flatMap(({ index, 0: line, 1: name = "", 2: written = "" }) => {
    const { value, offset } = unquoted(written);
    if (!SECRET_NAME.test(name.toUpperCase()) || PUBLIC_NAME.test(name.toUpperCase()) || !isSecret(value)) return [];
    const start = index + line.length - written.length + offset;
    return [{ name, span: [start, start + value.length] as const }];
  });
}

function unquoted(written: string): { readonly value: string; readonly offset: number } {
  const quote = /^["'`]/.exec(written)?.[0];
  if (quote === undefined) return { value: written.replace(/\s+#.*$/, "").trimEnd(), offset: 0 };
  const end = written.indexOf(quote, 1);
  return { value: written.slice(1, end === -1 ? undefined : end), offset: 1 };
}

function isSecret(value: string): boolean {
  if (value.length < LEAST_VALUE || /\s/.test(value) || placeholders.passwords.includes(value.toLowerCase())) return false;
  return value.includes("://") ? !isHarmlessAddress(value) : !isPlaceholder(value);
}
