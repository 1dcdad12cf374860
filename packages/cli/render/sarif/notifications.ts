import type { Report } from "@agentgate/engine";
import type { Notification, ReportingDescriptor } from "sarif";
import { HOME } from "../../version.ts";
import { counted } from "../message.ts";
import type { Artifacts } from "./artifacts.ts";
import type { Placed } from "./placement.ts";
import { description, messageText, pascalCase, sentence } from "./text.ts";

/** Rules whose findings say that a file was not judged in full. */
const INPUT_RULES = new Set(["not-judged", "parse-error"]);

const KINDS = [
  ["could-not-judge", "error", "The gate could not judge all that it was asked to.", "Exit code 2: the message says why and what to do. The results, if any, are not the whole verdict."],
  ["file-not-judged", "warning", "A file could not be judged in full.", "The file could not be read or parsed, or a search in it ended at its bound. It is also a result, since code scanning shows no notifications."],
  ["results-left-out", "warning", "There are more results than code scanning takes.", "Code scanning shows 5,000 results of a run and refuses more than 25,000. Errors come first. The JSON report has them all."],
  ["files-not-scanned", "note", "Files were not looked at.", "Excluded files and files in other languages were not looked at. The JSON report lists them."],
] as const;

type Kind = (typeof KINDS)[number][0];

/** The kinds of notifications, as the driver describes them. */
export function describedNotifications(): ReportingDescriptor[] {
  return KINDS.map(([id, level, short, help]) => ({
    id: `agentgate/${id}`, name: pascalCase(id), shortDescription: description(short), fullDescription: description(help), help: { text: help },
    helpUri: `${HOME}#${id}`, defaultConfiguration: { level },
  }));
}

function notification(kind: Kind, text: string, more: Partial<Notification> = {}): Notification {
  const index = KINDS.findIndex(([id]) => id === kind);
  return { descriptor: { id: `agentgate/${kind}`, index }, level: KINDS[index]?.[1] ?? "warning", message: { text }, ...more };
}

/** What a person should know of the run itself: why it failed, what it could not read, what is left out. */
export function notificationsOf(report: Report, placed: readonly Placed[], leftOut: LeftOut, artifacts: Artifacts): Notification[] {
  const { error, summary } = report;
  const failed = error === null ? [] : [notification("could-not-judge", `${messageText(sentence(error.message))} ${messageText(sentence(error.hint))}`)];
  const unread = placed.filter(({ finding }) => INPUT_RULES.has(finding.rule)).map(({ finding, path, span }) =>
    notification("file-not-judged", messageText(sentence(finding.message)), { locations: [{ physicalLocation: artifacts.place(path, span) }] }));
  const unscanned = summary.unscanned === 0 ? [] : [notification("files-not-scanned", `${counted(summary.unscanned, "file")} not looked at: excluded, or in another language.`)];
  return [...failed, ...leftOutNotification(leftOut), ...unread, ...unscanned];
}

/** How many results there are, and how many are written. */
export interface LeftOut {
  readonly all: number;
  readonly written: number;
  readonly shown: number;
}

function leftOutNotification({ all, shown, written }: LeftOut): Notification[] {
  if (all <= shown) return [];
  const most = `There are ${all} results, and code scanning shows ${shown}: errors come first.`;
  return [notification("results-left-out", written === all ? most : `${most} ${all - written} are left out here, as more than ${written} are refused.`)];
}
