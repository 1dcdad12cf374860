import { type KeyLine, LINE_ONE, readKeyLines } from "@agentgate/parsers/contract";
import { type ContractContext, type Diagnostic, diagnostic, other } from "../contract.ts";
import { type Evidence, type EvidenceRule, evidence } from "../evidence.ts";
import type { Spot } from "../fields.ts";
import { type Moment, ageInDays, dateOf, isExpired } from "../shared/time.ts";
import { isBlank, isPlaceholder, shown } from "../shared/values.ts";
import type { Manifest } from "./index.ts";
import { readReceipt, waiverPath } from "./receipt.ts";

type WaiverRule = "waiver-ticket" | "waiver-expiry" | "waiver-expired" | "waiver-idle" | "waiver-long" | "waiver-many" | EvidenceRule;

const TICKET = /^(?:[A-Z][A-Z0-9_]*-\d+|#\d+|https?:\/\/\S+)$/;

/** The waiver, if there is one: whose ticket it is, through which day it holds, and whether the score needs it. */
export function checkWaiver(manifest: Manifest, context: ContractContext): Diagnostic<WaiverRule>[] {
  const { eval_id: id } = manifest;
  if (id === undefined) return [];
  const path = waiverPath(id.value);
  const further = secondWaivers(id.value, path, context);
  if (context.tree.read(path).kind === "absent") return further;
  const { found, value: waiver } = evidence(context, id, path, { mayBeBlank: true });
  if (waiver === null) return [...found, ...further];
  const lines = readKeyLines(waiver.text ?? "");
  return [...ticket(waiver, lines), ...expiry(waiver, lines, manifest, context), ...further];
}

function secondWaivers(id: string, path: string, { tree }: ContractContext): Diagnostic<"waiver-many">[] {
  const isSecond = (file: string): boolean => file !== path && file.startsWith(`waivers/${id}`) && !/^[A-Za-z0-9]/.test(file.slice(`waivers/${id}`.length));
  return tree.list("waivers").filter(isSecond).map((file) =>
    diagnostic("waiver-many", { path: file, at: LINE_ONE, key: file }, `This is a second waiver of ${shown(id)}: only ${path} counts. Delete the one that does not hold.`));
}

function lineSpot({ path }: Evidence, line: KeyLine): Spot {
  return { path, at: line.valueAt, key: line.key.toLowerCase(), value: line.value };
}

function ticket(waiver: Evidence, lines: readonly KeyLine[]): Diagnostic<"waiver-ticket">[] {
  const line = lines.find(({ key }) => key.toLowerCase() === "ticket");
  if (line === undefined) return [diagnostic("waiver-ticket", waiver, "The waiver has no line `ticket: …`, so nobody can see who asked for it. Add the ticket as ABC-123, #123 or a URL.")];
  if (!isBlank(line.value) && !isPlaceholder(line.value) && TICKET.test(line.value)) return [];
  return [diagnostic("waiver-ticket", lineSpot(waiver, line), `The waiver's ticket is ${shown(line.value)}, which names none. Write it as ABC-123, #123 or a URL.`)];
}

function expiry(waiver: Evidence, lines: readonly KeyLine[], manifest: Manifest, context: ContractContext): Diagnostic<"waiver-expiry" | "waiver-expired" | "waiver-idle" | "waiver-long">[] {
  const [line, second] = lines.filter(({ key }) => key.toLowerCase() === "expires");
  const needed = isNeeded(manifest, context);
  const idle = needed === false ? [idleWaiver(waiver)] : [];
  if (line === undefined) return [diagnostic("waiver-expiry", waiver, "The waiver has no line `expires: …`, so it would hold for ever. Add the last day on which it holds, as 2026-01-31."), ...idle];
  if (second !== undefined) return [diagnostic("waiver-expiry", lineSpot(waiver, second), "The waiver has several lines `expires: …`, so nobody can say when it ends. Keep one.", [other(lineSpot(waiver, line), "the first one")]), ...idle];
  const day = dateOf(line.value);
  if (day === null) return [diagnostic("waiver-expiry", lineSpot(waiver, line), `The waiver's expiry is ${shown(line.value)}, which is no day of the calendar. Write it as 2026-01-31.`), ...idle];
  return [...expired(lineSpot(waiver, line), day, needed, context), ...long(lineSpot(waiver, line), day, manifest, context), ...idle];
}

/** Whether the score is below the cutoff; null where that is not known. */
function isNeeded(manifest: Manifest, context: ContractContext): boolean | null {
  const reached = readReceipt(manifest, context).value?.pass_rate;
  const wanted = manifest.min_pass_rate;
  return reached === undefined || wanted === undefined ? null : reached.value < wanted.value;
}

function expired(spot: Spot, day: Moment, needed: boolean | null, { now }: ContractContext): Diagnostic<"waiver-expired">[] {
  if (needed !== true || !isExpired(day, now)) return [];
  return [diagnostic("waiver-expired", spot, `The waiver held through ${String(spot.value)}, and the score is below the cutoff without it. Improve the route, or have the owner decide anew.`)];
}

function long(spot: Spot, day: Moment, { max_age_days: limit }: Manifest, { now }: ContractContext): Diagnostic<"waiver-long">[] {
  const days = -ageInDays(day, now);
  if (limit === undefined || days < limit.value) return [];
  const message = `The waiver holds for ${days} more days, and the dataset may be ${limit.value} days old at most: it would outlive what it waives. Name an earlier day.`;
  return [diagnostic("waiver-long", spot, message, [other(limit, "the dataset's limit")])];
}

function idleWaiver(waiver: Evidence): Diagnostic<"waiver-idle"> {
  return diagnostic("waiver-idle", waiver, "The score passes without this waiver, which would cover the next one that does not. Delete it.");
}
