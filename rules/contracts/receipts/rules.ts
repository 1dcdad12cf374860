import { type ContractContext, type Diagnostic, diagnostic, other } from "../contract.ts";
import { ageInHours, isFuture, momentOf } from "../shared/time.ts";
import { isBlank, isPlaceholder, shown } from "../shared/values.ts";
import { WINDOW_MINUTES } from "./policy.ts";
import { ACKNOWLEDGEMENT, type Receipt } from "./receipt.ts";

/** What goes beyond a receipt's table. */
export function checkReceipt(receipt: Receipt, context: ContractContext): Diagnostic[] {
  return [
    ...commit(receipt, context), ...status(receipt), ...command(receipt), ...age(receipt, context), ...lockfile(receipt), ...rehearsal(receipt),
    ...scanner(receipt), ...rollback(receipt, context), ...acknowledgement(receipt, context),
  ];
}

function commit({ value: { commit: ran } }: Receipt, { head }: ContractContext): Diagnostic<"commit">[] {
  if (ran === undefined || ran.value === head) return [];
  const message = head === null
    ? "There is no head commit to compare the receipt's `commit` with. Run the gate in the repository, or give --head SHA."
    : `The receipt is of commit ${ran.value.slice(0, 12)} and head is ${head.slice(0, 12)}: what was checked is not what is merged. Run the check on head.`;
  return [diagnostic("commit", ran, message)];
}

function status({ gate: { kind }, value: { status: ended } }: Receipt): Diagnostic<"status">[] {
  if (ended === undefined || kind === null || ended.value === "pass") return [];
  if (kind === "hard") return [diagnostic("status", ended, `\`status\` is ${shown(ended.value)}, and a hard gate takes only "pass". Run the check until it passes.`)];
  return ended.value === "ack" ? [] : [diagnostic("status", ended, `\`status\` is ${shown(ended.value)}, and a gate that does not block takes "pass" or "ack". Run the check again, or have its owner take notice.`)];
}

function command({ gate, has, start }: Receipt): Diagnostic<"cmd">[] {
  if (has("cmd") || gate.id === ACKNOWLEDGEMENT) return [];
  return [diagnostic("cmd", { ...start, key: "cmd" }, "`cmd` is missing, so nobody can run the check again. Have the run write down its command.")];
}

function age({ gate: { maxAgeHours: limit }, value: { finished_at: ended } }: Receipt, { now }: ContractContext): Diagnostic<"stale" | "future">[] {
  const moment = ended === undefined ? null : momentOf(ended.value);
  if (ended === undefined || moment === null) return [];
  if (isFuture(moment, now)) return [diagnostic("future", ended, `\`finished_at\` is ${ended.value}, which lies ahead: nothing had run then. Keep the receipt as the run wrote it.`)];
  const hours = ageInHours(moment, now);
  if (limit === null || hours <= limit) return [];
  return [diagnostic("stale", ended, `The receipt is ${Math.floor(hours * 10) / 10} hours old and its gate allows ${limit}: what it shows may no longer hold. Run the check again.`)];
}

function lockfile({ gate, value: { lockfile_after: after, lockfile_before: before, note } }: Receipt): Diagnostic<"lockfile-note">[] {
  if (gate.id !== "deps.lockfile" || after === undefined || before === undefined || after.value === before.value) return [];
  if (note !== undefined && !isBlank(note.value) && !isPlaceholder(note.value)) return [];
  const message = "The lockfile has other bytes after the install, and no `note` says why. Add the note, or find out what moved it.";
  return [diagnostic("lockfile-note", note ?? after, message, [other(before, "the digest before")])];
}

function rehearsal({ gate, value: { rows_before: rows } }: Receipt): Diagnostic<"dryrun-empty">[] {
  if (gate.id !== "migration.dryrun" || rows?.value !== 0) return [];
  return [diagnostic("dryrun-empty", rows, "`rows_before` is 0: a migration of nothing always succeeds. Rehearse it on a database with rows.")];
}

function scanner({ gate: { minScannerVersion: least }, value: { scanner_version: version } }: Receipt): Diagnostic<"scanner-old">[] {
  if (least === null || version === undefined) return [];
  const has = segmentsOf(version.value);
  const wants = segmentsOf(least.value);
  if (has !== null && wants !== null && !isBelow(has, wants)) return [];
  const how = has === null ? "is no version that can be compared with" : "is below";
  return [diagnostic("scanner-old", version, `\`scanner_version\` is ${shown(version.value)}, which ${how} ${least.value}: what it does not know it does not find. Update the scanner and scan again.`, [other(least, "the oldest version that counts")])];
}

/** `v8.18.4-rc1` as 8, 18, 4; null for what does not begin with a number. */
function segmentsOf(version: string): bigint[] | null {
  const numbers = /^v?(\d{1,20}(?:\.\d{1,20}){0,9})(?![\d.])/.exec(version.trim())?.[1];
  return numbers === undefined ? null : numbers.split(".").map(BigInt);
}

function isBelow(one: readonly bigint[], two: readonly bigint[]): boolean {
  for (let index = 0; index < Math.max(one.length, two.length); index++) {
    const [left, right] = [one[index] ?? 0n, two[index] ?? 0n];
    if (left !== right) return left < right;
  }
  return false;
}

function rollback({ gate, value: { measured_minutes: took, revert_commit: to } }: Receipt, { head }: ContractContext): Diagnostic<"rollback-window">[] {
  const window = gate.windowMinutes ?? (gate.id === "rollback.proof" ? WINDOW_MINUTES : null);
  const found: Diagnostic<"rollback-window">[] = [];
  if (window !== null && took !== undefined && took.value > window) {
    found.push(diagnostic("rollback-window", took, `The rollback took ${took.value} minutes and ${window} are allowed. Make it faster, or have the policy say what an incident may take.`));
  }
  if (gate.id === "rollback.proof" && to?.value === head) {
    found.push(diagnostic("rollback-window", to, "`revert_commit` is head itself, so that nothing was rolled back. Prove the way to the commit before."));
  }
  return found;
}

function acknowledgement(receipt: Receipt, { pushedAt }: ContractContext): Diagnostic<"ack-early">[] {
  const { finished_at: ended } = receipt.value;
  const moment = ended === undefined ? null : momentOf(ended.value);
  if (ended === undefined || moment === null || !isAcknowledgement(receipt)) return [];
  if (pushedAt === null) return [diagnostic("ack-early", ended, "There is no time of the push to compare the acknowledgement with. Run the gate in the repository, or give --pushed-at TIME.")];
  if (moment.ms >= pushedAt.getTime()) return [];
  return [diagnostic("ack-early", ended, `The acknowledgement is of ${ended.value}, and head was pushed at ${pushedAt.toISOString()}: nobody can have looked at it. Have it acknowledged anew.`)];
}

/** Also one that calls itself passed. */
function isAcknowledgement({ gate, value }: Receipt): boolean {
  return gate.id === ACKNOWLEDGEMENT || (gate.kind !== "hard" && value.status?.value === "ack");
}
