import type { Change, Place } from "../record.ts";
import { weakerFlags } from "./flag-change.ts";
import type { GateRun, Job } from "./pipeline.ts";
import { isWatchedVariable } from "./script.ts";
import { weakerSettings } from "./settings.ts";
import type { Setting } from "./settings.ts";

type Lost = (at: Place) => Place;

/** What around the gate's runs is weaker: `whose` says what the settings belong to, `accept` ends each message. */
export function settingChanges(base: readonly Setting[], head: readonly Setting[], whose: string, lost: Lost, accept: string): Change[] {
  return weakerSettings(base, head).map(({ setting, change, other }) => {
    const what = change === "added" ? "New in" : "Gone from";
    const before = other === null || other === setting.value || other === "" ? "" : ` (${change === "added" ? "it was" : "it is now"} ${oneLine(other)})`;
    return {
      kind: setting.kind,
      at: change === "added" ? setting.at : lost(setting.at),
      message: `${what} ${whose}, which runs the gate: ${shownSetting(setting)}${before}. Where the gate failed before, it may now pass or not run. ${accept}`,
      subject: `${whose} ${change} ${setting.label} ${setting.value}`,
    };
  });
}

/** `|| true`, `the job's if: always()`: a value that says it all stands alone. */
function shownSetting({ label, value }: Setting): string {
  if (value === "" || label.endsWith(value)) return label;
  return value.startsWith(label) || value.endsWith(label) ? oneLine(value) : `${label}: ${oneLine(value)}`;
}

/** What became of a job's runs of the gate. Equal ones are paired first, then the others in their order. */
export function runChanges(base: Job, head: Job, whose: string, lost: Lost, accept: string): Change[] {
  const left = [...head.runs];
  const pairs: { readonly old: GateRun; readonly now: GateRun | undefined }[] = [];
  const open: GateRun[] = [];
  for (const old of base.runs) {
    const index = left.findIndex((run) => run.text === old.text);
    if (index === -1) open.push(old);
    else pairs.push({ old, now: left.splice(index, 1)[0] });
  }
  for (const old of open) pairs.push({ old, now: left.shift() });
  return pairs.flatMap(({ old, now }): Change[] => {
    if (now === undefined) return [{ kind: "workflow-step-removed", at: lost(old.at), message: `In ${whose} the gate no longer runs: ${oneLine(old.text)} is gone. ${accept}`, subject: `${whose} ${old.text}` }];
    return [...settingChanges(old.settings, now.settings, whose, lost, accept), ...textChanges(old, now, whose, accept)];
  });
}

function textChanges(old: GateRun, now: GateRun, whose: string, accept: string): Change[] {
  if (old.text === now.text) return [];
  const edited: Change = { kind: "gate-line-edited", at: now.at, message: `In ${whose} the line that runs the gate was ${oneLine(old.text)} and is ${oneLine(now.text)}. ${accept}`, subject: `${whose} ${now.text}` };
  if (old.command === null || now.command === null) return [edited];
  if (old.command.launcher !== now.command.launcher) return [edited];
  const weaker = weakerFlags(old.command, now.command);
  if (weaker.length === 0) return sameCall(old, now) ? [] : [edited];
  const what = weaker.map((flag) => `${oneLine(flag.what)} (${flag.why})`).join(", ");
  return [{ kind: "workflow-flags-weakened", at: now.at, message: `In ${whose} the gate runs with weaker flags: ${what}. ${accept}`, subject: `${whose} ${weaker.map((flag) => flag.what).join(" ")}` }];
}

/** The same call with its options in another order. */
function sameCall({ command: one }: GateRun, { command: other }: GateRun): boolean {
  const shape = (command: typeof one): string => JSON.stringify([command?.command, [...(command?.options ?? [])].sort(([left], [right]) => (left < right ? -1 : 1)), command?.paths, command?.environment.filter((word) => !isWatchedVariable(word.split("=", 1)[0]!))]);
  return shape(one) === shape(other);
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > 120 ? `${line.slice(0, 117)}...` : line;
}
