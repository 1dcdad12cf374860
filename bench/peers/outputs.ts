import path from "node:path";

/** What a tool reported. */
export interface PeerFinding {
  /** The tool's own name of the check. */
  readonly check: string;
  /** Relative to the folder that was judged, forward slashes. */
  readonly path: string;
  readonly line: number;
}

interface Sarif {
  readonly runs: readonly { readonly results: readonly SarifResult[]; readonly invocations?: readonly { readonly toolExecutionNotifications?: readonly Notification[] }[] }[];
}

interface Notification {
  readonly descriptor?: { readonly id: string };
  readonly message: { readonly text: string };
}

interface SarifResult {
  readonly ruleId: string;
  readonly message: { readonly text: string };
  readonly locations?: readonly { readonly physicalLocation: { readonly artifactLocation: { readonly uri: string }; readonly region?: { readonly startLine?: number } } }[];
}

/**
 * SARIF, as ruff, semgrep, ast-grep, skylos and release-gate write it. What has no place in a file is left out.
 * @throws Error where the tool left out a rule of its settings, since its silence would be taken for a verdict.
 */
export function fromSarif(text: string, root: string): PeerFinding[] {
  const { runs } = JSON.parse(text) as Sarif;
  const notifications = runs.flatMap(({ invocations }) => (invocations ?? []).flatMap(({ toolExecutionNotifications }) => toolExecutionNotifications ?? []));
  const unread = notifications.find(({ descriptor }) => descriptor?.id === "Rule parse error");
  if (unread !== undefined) throw new Error(unread.message.text);
  const results = runs.flatMap((run) => run.results);
  return results.flatMap(({ ruleId, message, locations }) => (locations ?? []).map(({ physicalLocation: { artifactLocation, region } }) => ({
    check: withBan(plainId(ruleId), message.text), path: relative(root, artifactLocation.uri), line: region?.startLine ?? 1,
  })));
}

/** Semgrep puts the path of the settings before the name of a rule. */
function plainId(check: string): string {
  return check.slice(check.lastIndexOf(".") + 1);
}

const BAN = /\bbanned: ([a-z-]+)/;

/** Of a ban of names, the message that its setting gives says for which rule the name is banned. */
function withBan(check: string, message: string): string {
  const rule = BAN.exec(message)?.[1];
  return rule === undefined ? check : `${check} ${rule}`;
}

interface BanditReport {
  readonly results: readonly { readonly test_id: string; readonly filename: string; readonly line_number: number }[];
}

export function fromBandit(text: string, root: string): PeerFinding[] {
  return (JSON.parse(text) as BanditReport).results.map((one) => ({ check: one.test_id, path: relative(root, one.filename), line: one.line_number }));
}

type EslintReport = readonly { readonly filePath: string; readonly messages: readonly { readonly ruleId: string | null; readonly line?: number; readonly message: string }[] }[];

/** Of ESLint. What is not a rule's (a parse error) is no finding. */
export function fromEslint(text: string, root: string): PeerFinding[] {
  return (JSON.parse(text) as EslintReport).flatMap(({ filePath, messages }) => messages.flatMap(({ ruleId, line, message }) => (
    ruleId === null ? [] : [{ check: withBan(ruleId, message), path: relative(root, filePath), line: line ?? 1 }])));
}

interface OxlintReport {
  readonly diagnostics: readonly { readonly code?: string; readonly message: string; readonly help?: string; readonly filename: string; readonly labels: readonly { readonly span: { readonly line: number } }[] }[];
}

/** Of oxlint, whose codes are `plugin(rule)`. */
export function fromOxlint(text: string, root: string): PeerFinding[] {
  return (JSON.parse(text) as OxlintReport).diagnostics.flatMap(({ code, message, help, filename, labels }) => (
    code === undefined ? [] : [{ check: withBan(code, `${message} ${help ?? ""}`), path: relative(root, filename), line: labels[0]?.span.line ?? 1 }]));
}

interface GuardReport {
  readonly findings: readonly { readonly plugin_id: string; readonly passed: boolean; readonly location: string }[];
}

/** Of skylos' second command, which tells for each model call which guards it has. */
export function fromSkylosDefend(text: string, root: string): PeerFinding[] {
  return (JSON.parse(text) as GuardReport).findings.filter(({ passed }) => !passed).map(({ plugin_id, location }) => {
    const end = location.lastIndexOf(":");
    return { check: `defend ${plugin_id}`, path: relative(root, location.slice(0, end)), line: Number(location.slice(end + 1)) };
  });
}

function relative(root: string, file: string): string {
  const plain = file.replace(/^file:\/\//, "").replace(/^\.\//, "");
  return (path.isAbsolute(plain) ? path.relative(root, plain) : plain).split(path.sep).join("/");
}
