import type { Location, Log, Result, Run } from "sarif";

/** What no validator catches in a log. Empty: all is well. */
export function ownProblems(log: Log): string[] {
  const [run] = log.runs;
  if (run === undefined || log.runs.length !== 1) return [`${log.runs.length} runs`];
  return [...driverProblems(run), ...runProblems(run), ...(run.results ?? []).flatMap((result, index) => resultProblems(result, run).map((problem) => `result ${index}: ${problem}`))];
}

const SEMANTIC_VERSION = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;

function driverProblems({ tool: { driver } }: Run): string[] {
  const problems: string[] = [];
  const ids = (driver.rules ?? []).map(({ id }) => id);
  if (new Set(ids).size !== ids.length || ids.join() !== [...ids].sort().join()) problems.push("rules twice or out of order");
  if (!SEMANTIC_VERSION.test(driver.semanticVersion ?? "")) problems.push("no semantic version");
  for (const { fullDescription, help, helpUri, id, properties, shortDescription } of driver.rules ?? []) {
    const score: unknown = properties?.["security-severity"];
    if (typeof score !== "string" || !(Number(score) > 0 && Number(score) <= 10)) problems.push(`${id}: score ${String(score)}`);
    const tags = properties?.tags ?? [];
    if (tags.length > 10 || new Set(tags).size !== tags.length || !tags.includes("security")) problems.push(`${id}: tags ${tags.join()}`);
    for (const { text } of [shortDescription, fullDescription].map((one) => one ?? { text: "" })) if (text.length === 0 || text.length > 1024 || !/[.!?…]$/.test(text)) problems.push(`${id}: description ${text.slice(0, 40)}`);
    if ((help?.text ?? "") === "" || !URL.canParse(helpUri ?? "")) problems.push(`${id}: help`);
  }
  return problems;
}

function runProblems(run: Run): string[] {
  const problems: string[] = [];
  if (run.columnKind !== "utf16CodeUnits") problems.push("no columnKind");
  if (run.automationDetails !== undefined) problems.push("automationDetails would hide the category");
  const [invocation] = run.invocations ?? [];
  const notes = invocation?.toolExecutionNotifications ?? [];
  if (notes.some(({ level }) => level === "error") === invocation?.executionSuccessful) problems.push("an error and success, or neither");
  for (const { descriptor } of notes) if (run.tool.driver.notifications?.[descriptor?.index ?? -1]?.id !== descriptor?.id) problems.push(`notification ${descriptor?.id ?? ""}`);
  const states = new Set((run.results ?? []).map(({ baselineState }) => baselineState === undefined));
  if (states.size > 1) problems.push("baselineState on some results");
  const keys = (run.results ?? []).map((result) => JSON.stringify([result.ruleId, result.locations, result.message]));
  if (new Set(keys).size !== keys.length) problems.push("a result twice");
  const places = [...(run.results ?? []).flatMap(({ locations = [], relatedLocations = [] }) => [...locations, ...relatedLocations]), ...notes.flatMap(({ locations = [] }) => locations)];
  return [...problems, ...places.flatMap((place) => placeProblems(place, run))];
}

function placeProblems({ physicalLocation }: Location, run: Run): string[] {
  const { index = -1, uri = "", uriBaseId = "" } = physicalLocation?.artifactLocation ?? {};
  const problems: string[] = [];
  if (!/^(?:[A-Za-z0-9._~!'()*-]|%[0-9A-F]{2})+(?:\/(?:[A-Za-z0-9._~!'()*-]|%[0-9A-F]{2})+)*$/.test(uri) || uri.split("/").includes("..")) problems.push(`uri ${uri}`);
  if (run.originalUriBaseIds?.[uriBaseId] === undefined) problems.push(`base ${uriBaseId}`);
  if (run.artifacts?.[index]?.location?.uri !== uri) problems.push(`${uri} is not artifact ${index}`);
  const { endColumn = 0, endLine = 0, startColumn = 0, startLine = 0 } = physicalLocation?.region ?? {};
  if (startLine < 1 || startColumn < 1 || endLine < startLine || (endLine === startLine && endColumn < startColumn)) problems.push(`region of ${uri}`);
  return problems;
}

function resultProblems(result: Result, run: Run): string[] {
  const problems: string[] = [];
  if (run.tool.driver.rules?.[result.ruleIndex ?? -1]?.id !== result.ruleId) problems.push("ruleId and ruleIndex differ");
  if (result.level !== "error" && result.level !== "warning") problems.push("no level");
  if (result.locations?.length !== 1) problems.push("not one location");
  if (!/^[0-9a-f]{64}$/.test(result.partialFingerprints?.["agentgate/v1"] ?? "")) problems.push("no fingerprint of ours");
  if (!/^[0-9a-f]{1,16}:\d+$/.test(result.partialFingerprints?.["primaryLocationLineHash"] ?? "0:1")) problems.push("a malformed hash");
  const text = result.message.text ?? "";
  if (!text.endsWith(".") || /\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u.test(text)) problems.push("a message that is no plain sentence");
  if (/(?<!\{)(?:\{\{)*\{(?!\{)/.test(text) || text.replaceAll("{{", "").includes("{")) problems.push("a placeholder");
  const linked = linksIn(text);
  const ids = (result.relatedLocations ?? []).map(({ id }) => id ?? 0);
  if (linked.join() !== ids.join() || new Set(ids).size !== ids.length) problems.push(`links ${linked.join()} to places ${ids.join()}`);
  return problems;
}

/** Targets of the links in a plain text message; a bracket after a backslash is none. */
function linksIn(text: string): number[] {
  const bare = text.replace(/\\[[\]\\]/g, "_");
  return [...bare.matchAll(/\[[^[\]]*\]\(([^)]*)\)/g)].map((match) => Number(match[1]));
}
