import { FLAGS } from "./command.ts";
import type { FlagRule, GateCommand } from "./command.ts";

/** An option that judges less at head, as `what` was and is, and why. */
export interface FlagChange {
  readonly what: string;
  readonly why: string;
}

const SEVERITIES = ["error", "warning", "off"];

/** The options with which the gate judges less at head than at the base. */
export function weakerFlags(base: GateCommand, head: GateCommand): FlagChange[] {
  const names = new Set([...base.options.keys(), ...head.options.keys()]);
  const options = [...names].flatMap((name) => flagChange(name, base.options.get(name), head.options.get(name)));
  const command = base.command === head.command ? [] : [{ what: `${base.command || "a script"} became ${head.command || "a script"}`, why: "another command judges" }];
  return [...command, ...options, ...pathChanges(base.paths, head.paths)];
}

function flagChange(name: string, old: readonly string[] | undefined, now: readonly string[] | undefined): FlagChange[] {
  const rule = FLAGS.get(name);
  const what = `${shown(name, old)} became ${shown(name, now)}`;
  if (rule === undefined) return same(old, now) ? [] : [{ what, why: name.startsWith("no-") ? "it turns something off" : "nobody can say that it judges as much" }];
  return isWeaker(rule, old, now) ? [{ what, why: rule.why }] : [];
}

function isWeaker(rule: FlagRule, old: readonly string[] | undefined, now: readonly string[] | undefined): boolean {
  switch (rule.weaker) {
    case "never":
      return false;
    case "changed":
      return !same(old, now);
    case "lost":
      return old !== undefined && now === undefined;
    case "order": {
      const rank = (values: readonly string[] | undefined): number => (rule.order ?? []).indexOf(values?.at(-1) ?? rule.default ?? "");
      // A value that cannot be read may be the loosest.
      return !same(old, now) && (rank(now) === -1 || rank(now) > rank(old));
    }
    case "severity":
      return isLowered(old ?? [], now ?? []);
  }
}

/** `--rule x=off`: a rule whose severity went down; back to the default from `error` counts too. */
function isLowered(old: readonly string[], now: readonly string[]): boolean {
  const before = severities(old);
  const after = severities(now);
  return [...new Set([...before.keys(), ...after.keys()])].some((rule) => {
    const [one, other] = [before.get(rule), after.get(rule)];
    if (one === other) return false;
    if (other === undefined) return one === "error";
    return !SEVERITIES.includes(other) || (other !== "error" && SEVERITIES.indexOf(other) > SEVERITIES.indexOf(one ?? "error"));
  });
}

function severities(values: readonly string[]): ReadonlyMap<string, string> {
  return new Map(values.map((value) => [value.split("=", 1)[0]!, value.slice(value.indexOf("=") + 1)]));
}

function pathChanges(old: readonly string[], now: readonly string[]): FlagChange[] {
  if (now.length === 0 || old.includes(".")) return now.length > 0 && !now.includes(".") ? [narrowerPaths(old, now)] : [];
  if (now.includes(".")) return [];
  return old.length > 0 && old.every((path) => now.includes(path)) ? [] : [narrowerPaths(old, now)];
}

function narrowerPaths(old: readonly string[], now: readonly string[]): FlagChange {
  return { what: `${old.length === 0 ? "the whole tree" : old.join(" ")} became ${now.join(" ")}`, why: "the rest is not judged" };
}

function same(old: readonly string[] | undefined, now: readonly string[] | undefined): boolean {
  return JSON.stringify(old) === JSON.stringify(now);
}

function shown(name: string, values: readonly string[] | undefined): string {
  if (values === undefined) return `no --${name}`;
  return values.map((value) => (value === "" ? `--${name}` : `--${name} ${value}`)).join(" ");
}
