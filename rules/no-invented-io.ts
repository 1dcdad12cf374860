import type { ModuleFacts } from "@agentgate/parsers";
import { noInventedIoTechniques } from "./no-invented-io-techniques.ts";
import type { Capability } from "./catalogue/capability.ts";
import type { Rule, RuleContext, RuleFinding, RuleMeta, Severity } from "./rule.ts";
import { acquiredCapabilities, relatedSites } from "./shared/acquired.ts";
import type { Acquired } from "./shared/acquired.ts";
import { ableTo, licenceAdvice } from "./shared/phrases.ts";
import { isInvented } from "./shared/reported.ts";

const meta: RuleMeta = {
  id: "no-invented-io",
  severity: "error",
  summary: "A module can do I/O that no port licenses.",
  category: "code",
  suppressible: true,
  configurable: true,
  licensedByPorts: true,
  techniques: noInventedIoTechniques,
};

/** A capability as far as two revisions of a module compare it. */
export interface Had {
  readonly capability: Capability;
  readonly root: string;
}

/**
 * Reports each capability with its API root that a module acquires beyond `base`, what it had before. A class that
 * it did not have is an error at its first root, in source order; a further root of a class is a warning.
 */
export function inventedIo(facts: ModuleFacts, context: RuleContext, base: readonly Had[]): RuleFinding[] {
  const had = new Set(base.map(({ capability, root }) => `${capability}\0${root}`));
  const beside = new Map<Capability, string>();
  for (const { capability, root } of base) if (!beside.has(capability)) beside.set(capability, root);
  return acquiredCapabilities(facts, context).flatMap((acquired): RuleFinding[] => {
    const { capability, root } = acquired;
    if (!isInvented(capability, context.strict) || had.has(`${capability}\0${root}`)) return [];
    const other = beside.get(capability);
    if (other === undefined) beside.set(capability, root);
    return [findingOf(acquired, context, other === undefined ? "error" : "warning", other)];
  });
}

function findingOf(acquired: Acquired, context: RuleContext, severity: Severity, other: string | undefined): RuleFinding {
  const site = acquired.sites[0]!;
  return {
    severity, message: messageOf(acquired, context, other), span: site.span, capability: acquired.capability, api: acquired.api,
    key: acquired.root, statement: site.statement, related: relatedSites(acquired),
  };
}

/** What is said of a capability as it stands, with nothing to compare it with. `other`: a further root of its class. */
export function messageOf(acquired: Acquired, context: RuleContext, other: string | undefined): string {
  const { capability, api } = acquired;
  const can = `This module can ${ableTo(capability)}: ${api}${passedOn(acquired)}`;
  const why = other === undefined ? `No port licenses ${capability} here.` : `It is a further way beside ${other}, and no port licenses ${capability} here.`;
  return `${can}. ${why} ${licenceAdvice(capability, context)}`;
}

/** Names the module that passes the API on, where it comes out of the tree. */
function passedOn(acquired: Pick<Acquired, "sites">): string {
  const from = acquired.sites[0]?.through.at(-1);
  return from === undefined ? "" : `, passed on by ${from}`;
}

/** What is known of a capability that a change adds to a module. */
export interface Gain {
  /** Another API root by which the module had the class before; null where the class is new to it. */
  readonly beside: string | null;
  /** The module that lost it in the same change; null where none did. */
  readonly movedFrom: string | null;
  /** Whether a port held it whose day is over. */
  readonly expired: boolean;
}

/** `net is new here: httpx.` and what to do, for a module that a change lets do more. */
export function gainMessage(acquired: Pick<Acquired, "capability" | "api" | "sites">, gain: Gain, context: RuleContext): string {
  const { capability, api } = acquired;
  const named = `${api}${passedOn(acquired)}`;
  const moved = gain.movedFrom === null ? "" : ` It moved here from ${gain.movedFrom}.`;
  return `${whatIsNew(capability, named, gain)}${moved} ${licenceAdvice(capability, context)}`;
}

function whatIsNew(capability: Capability, named: string, { beside, expired }: Gain): string {
  if (expired) return `${capability} is used in a new place: ${named}. The port that licensed it here has expired.`;
  if (beside !== null) return `${named} is a new way to ${ableTo(capability)}. This module had ${capability} by ${beside} only.`;
  return `${capability} is new here: ${named}. This module could not ${ableTo(capability)} before.`;
}

/** The severity of a gain: a class that is new to the module, or a further root of one that it had. */
export function gainSeverity({ beside }: Gain): Severity {
  return beside === null ? "error" : "warning";
}

/** In tree mode the base is empty: every I/O capability of a module is reported, and ports are applied afterwards. */
export const noInventedIo: Rule = { meta, check: (facts, context) => inventedIo(facts, context, []) };
