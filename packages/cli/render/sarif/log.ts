import type { Report } from "@agentgate/engine";
import type { Log, ReportingDescriptor, Run, ToolComponent } from "sarif";
import type { RunDetails } from "../../details.ts";
import { HOME } from "../../version.ts";
import { printableJson } from "../printable.ts";
import { Artifacts, ROOT } from "./artifacts.ts";
import { describedNotifications, notificationsOf } from "./notifications.ts";
import { placed, type Placed } from "./placement.ts";
import { resultsOf } from "./results.ts";
import { describedUnknown } from "./rules.ts";

/** Results of a run that code scanning shows, and that it accepts at all (its documented limits). */
const SHOWN = 5000;
const ACCEPTED = 25_000;

/**
 * The report in SARIF 2.1.0: one run with what is new and unlicensed, no times, no absolute paths, the same bytes for
 * the same report. Where nothing was judged there is no list of results, since an empty one would close every alert.
 *
 * @param rules what `describedRules` gives
 */
export function renderSarif(report: Report, details: RunDetails, rules: readonly ReportingDescriptor[]): string {
  return `${printableJson(logOf(report, details, rules))}\n`;
}

function logOf(report: Report, details: RunDetails, rules: readonly ReportingDescriptor[]): Log {
  return { $schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs: [runOf(report, details, rules)] };
}

function runOf(report: Report, details: RunDetails, known: readonly ReportingDescriptor[]): Run {
  const all = placed(report, details);
  const written = all.length <= SHOWN ? all : errorsFirst(all).slice(0, ACCEPTED);
  const rules = withUnknown(known, written);
  const artifacts = new Artifacts([...(details.judgedFiles ?? []), ...written.flatMap(({ finding, path }) => [path, ...finding.related.map((related) => related.path)])]);
  const ruleIndex = new Map(rules.map(({ id }, index) => [id.slice(id.indexOf("/") + 1), index]));
  const results = orderOf(all.length).flatMap((severity) => resultsOf(written.filter(({ finding }) => severity === null || finding.severity === severity), { report, details, artifacts, ruleIndex }));
  const notifications = notificationsOf(report, written, { all: all.length, written: written.length, shown: SHOWN }, artifacts);
  return {
    tool: { driver: driverOf(report, rules) },
    invocations: [{ executionSuccessful: report.error === null, toolExecutionNotifications: notifications }],
    originalUriBaseIds: { [ROOT]: { description: { text: "The root of the judged tree." } } },
    artifacts: artifacts.list(),
    columnKind: "utf16CodeUnits",
    newlineSequences: ["\r\n", "\n", "\r", "\u2028", "\u2029"],
    ...(report.error !== null && report.summary.files === 0 && results.length === 0 ? {} : { results }),
  };
}

/** Where not all are shown, errors come before warnings. */
function orderOf(count: number): readonly ("error" | "warning" | null)[] {
  return count <= SHOWN ? [null] : ["error", "warning"];
}

function errorsFirst(all: readonly Placed[]): Placed[] {
  const of = (severity: string): Placed[] => all.filter(({ finding }) => finding.severity === severity);
  return [...of("error"), ...of("warning")];
}

function withUnknown(known: readonly ReportingDescriptor[], written: readonly Placed[]): ReportingDescriptor[] {
  const rules = new Map(known.map((rule) => [rule.id, rule]));
  for (const { finding } of written) {
    if (!rules.has(`agentgate/${finding.rule}`)) rules.set(`agentgate/${finding.rule}`, describedUnknown(finding.rule));
  }
  return [...rules.values()].sort((left, right) => (left.id < right.id ? -1 : 1));
}

function driverOf({ tool }: Report, rules: ReportingDescriptor[]): ToolComponent {
  return {
    name: tool.name, fullName: `${tool.name} ${tool.version}`, organization: "agentgate", version: tool.version, semanticVersion: tool.version, informationUri: HOME,
    rules, notifications: describedNotifications(),
  };
}
