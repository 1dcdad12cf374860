import { type Diagnostic, diagnostic, other } from "../contract.ts";
import type { Evidence } from "../evidence.ts";
import type { Given } from "../fields.ts";
import { comparedWith } from "./digests.ts";

/** A recorded digest whose file has other bytes, under the contract's own rule; at the line of the digest. */
export function digestDiagnostic<R extends string>(rule: R, recorded: Given<string> | undefined, file: Evidence): Diagnostic<R>[] {
  if (recorded === undefined) return [];
  const compared = comparedWith(file.bytes, recorded.value);
  if (compared === "equal") return [];
  const why = compared === "line-endings" ? "Only line ends differ: the file was checked out or saved with others." : "It changed after it was recorded, or is another file.";
  const message = `${file.path} has other bytes than \`${recorded.key}\` says. ${why} Have the change of the file reviewed, then record its digest with agentgate lock.`;
  return [diagnostic(rule, recorded, message, [other(file, "the file")])];
}
