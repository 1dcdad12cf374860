import { quoted } from "./quoted.ts";

/** A port as it is to be written. */
export interface NewPort {
  readonly path: string;
  readonly capabilities: readonly string[];
  readonly owner: string;
  readonly note: string;
  /** A day as `2027-01-31`, or null. */
  readonly expires: string | null;
}

/** What YAML 1.1 or 1.2 reads as something else than text. */
const NO_TEXT = /^(?:null|true|false|y|n|yes|no|on|off)$/i;

/** A text as a scalar of a block: plain where that is plainly text. */
function blockScalar(text: string): string {
  return /^[A-Za-z_](?:[A-Za-z0-9_./ ,;()!?@*-]*[A-Za-z0-9_.)!?*])?$/.test(text) && !NO_TEXT.test(text) ? text : quoted(text);
}

/** As `blockScalar`, between brackets. */
export function flowScalar(text: string): string {
  return /^[A-Za-z_][A-Za-z0-9_./*-]*$/.test(text) && !NO_TEXT.test(text) ? text : quoted(text);
}

/** Lines of a port in a block list whose dashes stand in column `dash` (from 0), its keys `gap` columns further. */
export function blockPort(port: NewPort, dash: number, gap: number): string[] {
  const inner = " ".repeat(dash + gap);
  return [
    `${" ".repeat(dash)}-${" ".repeat(gap - 1)}path: ${blockScalar(port.path)}`,
    `${inner}capabilities: [${port.capabilities.map(flowScalar).join(", ")}]`,
    `${inner}owner: ${blockScalar(port.owner)}`,
    `${inner}note: ${blockScalar(port.note)}`,
    ...(port.expires === null ? [] : [`${inner}expires: ${port.expires}`]),
  ];
}

/** A port between braces; with `json`, as JSON. */
export function flowPort(port: NewPort, json: boolean): string {
  const scalar = json ? quoted : flowScalar;
  const key = (name: string): string => (json ? quoted(name) : name);
  const list = `[${port.capabilities.map(scalar).join(", ")}]`;
  const pairs = [["path", scalar(port.path)], ["capabilities", list], ["owner", scalar(port.owner)], ["note", scalar(port.note)]];
  if (port.expires !== null) pairs.push(["expires", json ? quoted(port.expires) : port.expires]);
  const inside = pairs.map(([name, value]) => `${key(name!)}: ${value!}`).join(", ");
  return json ? `{${inside}}` : `{ ${inside} }`;
}
