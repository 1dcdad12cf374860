import { type Diagnostic, diagnostic } from "../contract.ts";
import { COMMAND, hasForm } from "../shared/forms.ts";
import { hostsIn } from "../shared/search.ts";
import { shown } from "../shared/values.ts";
import { saysNothing } from "./evidence-files.ts";
import { unquoted } from "./evidence-lines.ts";
import { type GateEvidence, said } from "./gates.ts";
import type { Promotion } from "./index.ts";

/** Programs that log in somewhere by ssh. */
const LOGINS = new Set(["ssh", "ssh.exe", "sshpass", "autossh", "scp", "sftp"]);

/** BLAST_RADIUS: the way back is a command that anybody can paste, and does not lead over the lab or a shell on a host. */
export function checkRollback(manifest: Promotion, evidence: readonly GateEvidence[]): Diagnostic<"rollback">[] {
  const commands = said(evidence, "BLAST_RADIUS", "rollback").filter((one) => !saysNothing(one)).flatMap((one) => {
    const lines = one.value === "" ? one.entries : [unquoted({ text: one.value, at: one.at })];
    return lines.flatMap((line) => {
      const why = problemOf(line.text);
      return why === null ? [] : [diagnostic("rollback", one.spotOf(line), `The rollback ${shown(line.text)} ${why}. Write the command that brings the last version back.`)];
    });
  });
  return [...commands, ...evidence.filter(({ id }) => id === "BLAST_RADIUS").flatMap((one) => labHosts(manifest, one))];
}

function problemOf(command: string): string | null {
  if (!hasForm(COMMAND, command)) return "is no command that can be pasted into a shell";
  return usesSsh(command) ? "logs in by ssh, which leaves no trace and is not everybody's to do" : null;
}

/** Whether a command logs in somewhere, however the name is quoted: `/usr/bin/ssh`, `s\sh`, `rsync -e ssh`. */
function usesSsh(command: string): boolean {
  const words = command.toLowerCase().replaceAll(/["'\\]/g, "").split(/[\s;|&()`$<>{}=,]+/);
  return words.some((word) => word.startsWith("ssh://") || LOGINS.has(word.slice(word.lastIndexOf("/") + 1)));
}

function labHosts({ lab }: Promotion, { path, statements, text }: GateEvidence): Diagnostic<"rollback">[] {
  const hosts = (lab?.value.allowed_hosts?.value ?? []).map(({ value }) => value);
  const excepted = new Set(statements.filter(({ key }) => key === "does_not_use").flatMap(({ lines }) => lines));
  return hostsIn(text, hosts).filter(({ at }) => !excepted.has(at.line)).map(({ at, literal }) =>
    diagnostic("rollback", { path, at, key: "host", value: literal }, `The lab host ${shown(literal)} stands in the evidence of the rollback, which must work without the lab. Take it out, or name it under \`does_not_use:\`.`));
}
