import { type ContractSystem, type Diagnostic, diagnostic, other } from "../contract.ts";
import { ROSTER, checkCompanions, checkScan } from "./companions.ts";
import { MANIFEST, type Manifest, flagsOf, readManifest } from "./manifest.ts";
import { checkMigration } from "./migration.ts";
import { hasPin, needsPin } from "./pin.ts";
import { repeats } from "../shared/repeats.ts";
import { shown } from "../shared/values.ts";

export const prodGates: ContractSystem = {
  id: "prod-gates",
  purpose: "Nine operational facts about a change that takes traffic exist as data, with no adjective in a number's place.",
  place: "ops/prod_gates.yml",
  alsoRead: ["the migration's two files", "the report of the scan", "ops/rollback.md", "config/flags.yml", "ops/roster.yml"],
  documents: [MANIFEST, ROSTER],
  rules: {
    "rollback-prose": { summary: "`rollback.command` is no command." },
    "rollback-unpinned": { summary: "The rollback puts something in place and names no commit, version, tag or revision." },
    "rollback-doc": { summary: "`ops/rollback.md` has no fenced block called `rollback`, several, or another command." },
    "probe-same": { summary: "Readiness and liveness are one path." },
    "deadline-order": { summary: "A caller waits no longer than the service waits for others." },
    "flag-open": { summary: "A flag is open by default." },
    "flag-file": { summary: "`config/flags.yml` lacks a flag, or has it open." },
    "flag-duplicate": { summary: "A flag is listed twice." },
    "migration-same": { summary: "One file is the migration and its reverse." },
    "reverse-empty": { summary: "The reverse has no statement." },
    "reverse-loses-data": { summary: "The reverse drops, deletes or empties what the migration did not make." },
    roster: { summary: "`ops/roster.yml` lacks the team, or the pager under it." },
    "scan-dirty": { summary: "The report of the scan has no result, or one that is not 0, none or clean." },
    "route-unflagged": { summary: "A new route is reached with none of the flags on its path.", needs: "code" },
    "request-id-unlogged": { summary: "A new handler does not read or mint the request's id and log it.", needs: "code" },
    "liveness-io": { summary: "The liveness handler reaches network or database.", needs: "code" },
  },
  check: (context) => {
    const { found, value: manifest } = readManifest(context);
    if (manifest === null) return found;
    return [
      ...found, ...rollback(manifest), ...probes(manifest), ...deadlines(manifest), ...openFlags(manifest), ...repeatedFlags(manifest),
      ...checkMigration(manifest, context), ...checkCompanions(manifest, context), ...checkScan(manifest, context),
    ];
  },
};

function rollback({ rollback: way }: Manifest): Diagnostic<"rollback-unpinned">[] {
  const command = way?.value.command;
  if (command === undefined || !needsPin(command.value) || hasPin(command.value)) return [];
  const message = "The rollback puts something in place and does not say which: at night, that is whatever is newest. Name the commit, the version, an image tag other than latest, or the revision.";
  return [diagnostic("rollback-unpinned", command, message)];
}

function probes({ probes: asked }: Manifest): Diagnostic<"probe-same">[] {
  const { liveness, readiness } = asked?.value ?? {};
  if (liveness === undefined || readiness === undefined || routeOf(liveness.value) !== routeOf(readiness.value)) return [];
  const message = "Readiness and liveness are one path: a service that is not ready is killed instead of left alone. Give readiness a path of its own.";
  return [diagnostic("probe-same", readiness, message, [other(liveness, "the same path")])];
}

/** A path as a server reads it: without query, fragment and slash at the end, dots and escapes resolved. */
function routeOf(path: string): string {
  const { pathname } = new URL(`http://service${path.replaceAll(/\/{2,}/g, "/")}`);
  const bare = pathname.split("/").filter((segment) => segment !== "").join("/");
  try {
    return decodeURIComponent(bare);
  } catch {
    return bare;
  }
}

function deadlines({ deadlines_ms: waits }: Manifest): Diagnostic<"deadline-order">[] {
  const { inbound, outbound } = waits?.value ?? {};
  if (inbound === undefined || outbound === undefined || inbound.value > outbound.value) return [];
  const message = `A caller waits ${inbound.value} ms and the service ${outbound.value} ms for others: the caller is gone before the answer. Make inbound the longer one.`;
  return [diagnostic("deadline-order", inbound, message, [other(outbound, "the deadline of what the service calls")])];
}

function openFlags(manifest: Manifest): Diagnostic<"flag-open">[] {
  return flagsOf(manifest).flatMap(({ value: { default: open } }) => (open?.value === true ? [diagnostic("flag-open", open, "The flag is open by default, so that deploying is releasing. Set it to false.")] : []));
}

function repeatedFlags(manifest: Manifest): Diagnostic<"flag-duplicate">[] {
  const names = flagsOf(manifest).flatMap(({ value: { name } }) => name ?? []);
  return repeats(names, ({ value }) => value).map(([name, before]) => diagnostic("flag-duplicate", name, `The flag ${shown(name.value)} is listed twice. Keep one.`, [other(before, "listed first here")]));
}
