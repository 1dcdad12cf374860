import type { Place, WeakeningKind } from "../record.ts";

/**
 * One thing around a run of the gate that makes it count for less (`narrows`), or for more (`protects`): new at head,
 * or gone there, it is a weakening. What is the same on both sides is nobody's business.
 */
export interface Setting {
  readonly kind: WeakeningKind;
  readonly effect: "narrows" | "protects";
  /** What it is called where it stands: `continue-on-error`, `|| true`, `paths-ignore of push`. */
  readonly label: string;
  /** Its value as people see it; part of what makes two settings one. */
  readonly value: string;
  readonly at: Place;
  /** Of one that protects: counts only while head has a narrowing setting with this label. */
  readonly within?: string;
  /** Of one that narrows: counts only where the base has a protecting setting with this label. */
  readonly of?: string;
}

/** A setting that is new, or one that is gone with what stands in its place. */
export interface SettingChange {
  readonly setting: Setting;
  readonly change: "added" | "lost";
  /** The value under the same label on the other side, if any. */
  readonly other: string | null;
}

/** In what the settings at head are weaker than at the base. */
export function weakerSettings(base: readonly Setting[], head: readonly Setting[]): SettingChange[] {
  const protectedBefore = new Set(base.filter((one) => one.effect === "protects").map((one) => one.label));
  const narrower = beyond(head, base).filter((one) => one.effect === "narrows" && (one.of === undefined || protectedBefore.has(one.of)));
  const added = narrower.map((setting) => ({ setting, change: "added" as const, other: valueOf(base, setting) }));
  const narrowed = new Set(head.filter((one) => one.effect === "narrows").map((one) => one.label));
  const lost = beyond(base, head).filter((one) => one.effect === "protects" && (one.within === undefined || narrowed.has(one.within)));
  const told = new Set(added.map(({ setting }) => setting.label));
  return [...added, ...lost.filter((one) => !told.has(one.within ?? one.label)).map((setting) => ({ setting, change: "lost" as const, other: valueOf(head, setting) }))];
}

function beyond(settings: readonly Setting[], others: readonly Setting[]): Setting[] {
  const known = new Set(others.map(keyOf));
  return settings.filter((one) => !known.has(keyOf(one)));
}

function keyOf({ effect, label, value }: Setting): string {
  return JSON.stringify([effect, label, value]);
}

function valueOf(settings: readonly Setting[], { label }: Setting): string | null {
  return settings.find((one) => one.label === label)?.value ?? null;
}
