import { POLICY_FILE } from "../discovery/root.ts";
import { BASELINE_FILE } from "../policy/baseline.ts";
import type { LoadedBaseline } from "../policy/baseline-load.ts";
import type { LoadedPolicy } from "../policy/load.ts";
import type { Policy, PolicyPort } from "../policy/policy.ts";
import type { PolicyProblem } from "../policy/validate.ts";
import type { TreePath } from "../paths.ts";
import type { Finding } from "../report.ts";
import { plainFinding } from "./finding.ts";
import { severityOf } from "./judge.ts";
import type { Judged } from "./judge.ts";

/** The `config` findings of a policy file. */
export function configFindings(loaded: LoadedPolicy): Finding[] {
  return loaded.problems.map((problem) => plainFinding("config", "error", loaded.path, problem.message, problem.message, placeOfProblem(problem)));
}

/** The `config` findings of a baseline: lines that can hold nothing. */
export function baselineFindings({ problems }: Pick<LoadedBaseline, "problems">): Finding[] {
  return problems.map((problem) => plainFinding("config", "error", BASELINE_FILE, problem.message, problem.message, placeOfProblem(problem)));
}

function placeOfProblem({ line, column, length }: PolicyProblem): Pick<Finding, "start" | "end"> {
  return { start: { line, column }, end: { line, column: column + length } };
}

/** The `config` finding of a policy file below the root. */
export function nestedPolicyFinding(path: TreePath, policyPath: string): Finding {
  const read = policyPath === POLICY_FILE ? `${POLICY_FILE} at the root` : policyPath;
  const message = `This policy is never read: agentgate reads only ${read}. Move what it says there and delete it.`;
  return plainFinding("config", "error", path, message, "nested");
}

/** Ports whose day is over. In tree mode they still cover what they cover. */
export function expiredFindings(policy: Policy, policyPath: string, now: Date): Finding[] {
  const severity = severityOf("expired-permit", "warning", policy);
  if (severity === "off") return [];
  return policy.ports.flatMap((port): Finding[] => {
    const { expires } = port;
    if (expires === null || now.getTime() < expires.end) return [];
    const message = `The licence of ${port.path} for ${port.capabilities.join(", ")} held through ${expires.text}. It covers nothing that a change adds. Have ${port.owner} renew it, or delete the port.`;
    return [plainFinding("expired-permit", severity, policyPath, message, port.path, placeOfPort(port))];
  });
}

/** Ports that license nothing of what the judged modules can do. */
export function unusedPortFindings(policy: Policy, policyPath: string, judged: Pick<Judged, "usedPorts" | "matchedPorts">): Finding[] {
  const severity = severityOf("unused-port", "warning", policy);
  if (severity === "off") return [];
  return policy.ports.flatMap((port): Finding[] => {
    if (judged.usedPorts.has(port)) return [];
    const why = !judged.matchedPorts.has(port) ? "no judged module matches it" : `no module that it matches has ${port.capabilities.join(" or ")}`;
    const message = `The port ${port.path} licenses nothing: ${why}. Delete it, so that nothing moves in under its licence.`;
    return [plainFinding("unused-port", severity, policyPath, message, port.path, placeOfPort(port))];
  });
}

/** The port's `path`. */
function placeOfPort({ line, column }: PolicyPort): Pick<Finding, "start" | "end"> {
  return { start: { line, column }, end: { line, column: column + "path".length } };
}
