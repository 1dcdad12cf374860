import type { Located, LocatedEntry } from "../../policy/located.ts";
import { entriesOf, itemsOf, placeOfKey, textOf } from "../place.ts";
import type { Place } from "../record.ts";
import { narrowing, protecting } from "./script.ts";
import type { Setting } from "./settings.ts";

/** Filters that name what runs, and those that name what does not. */
const ALLOWING = ["paths", "branches", "tags", "types"];
const DENYING = ["paths-ignore", "branches-ignore", "tags-ignore"];
const KIND = "workflow-filter-added";

/** The events of a workflow (`on`), and what their filters leave out. */
export function eventSettings(on: LocatedEntry | undefined): Setting[] {
  if (on === undefined) return [];
  const at = placeOfKey(on);
  const { value } = on;
  if (value.kind === "mapping") return value.entries.flatMap((event) => [eventSetting(event.key, placeOfKey(event)), ...filterSettings(event)]);
  const names = value.kind === "list" ? value.items.map(textOf) : [textOf(value)];
  return names.flatMap((name) => (name === undefined ? [] : [eventSetting(name, at)]));
}

function eventSetting(name: string, at: Place): Setting {
  return protecting(KIND, eventLabel(name), name, at);
}

function eventLabel(name: string): string {
  return `the event ${name}`;
}

function filterSettings(event: LocatedEntry): Setting[] {
  const settings = entriesOf(event.value).flatMap((filter): Setting[] => {
    const label = `${filter.key} of ${event.key}`;
    if (DENYING.includes(filter.key)) return patterns(filter.value).map(({ text, at }) => narrowing(KIND, label, text, at));
    if (!ALLOWING.includes(filter.key)) return [];
    // A pattern that is denied inside an allowing list takes away, any other one gives; the list as such takes away.
    const given = patterns(filter.value).map(({ text, at }) => (text.startsWith("!") ? narrowing(KIND, `${label} without`, text, at) : protecting(KIND, `${label} with`, text, at, label)));
    return [narrowing(KIND, label, "", placeOfKey(filter)), ...given];
  });
  return settings.map((setting) => (setting.effect === "narrows" ? { ...setting, of: eventLabel(event.key) } : setting));
}

function patterns(value: Located): { readonly text: string; readonly at: Place }[] {
  const items = value.kind === "list" ? itemsOf(value) : [value];
  return items.flatMap((item) => {
    const text = textOf(item);
    return text === undefined ? [] : [{ text, at: { line: item.line, column: item.column, length: Math.max(1, text.length) } }];
  });
}
