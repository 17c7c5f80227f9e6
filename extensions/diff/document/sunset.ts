/** The announced end of a part of a document: the extension `x-sunset`. */
import { dayOf } from "../../../helpers/contract/day.ts";
import type { Json } from "../../../helpers/contract/json.ts";
import { SUNSET } from "../../../helpers/contract/schemas/dialect.ts";
import type { Removable } from "./model.ts";

/** Returns the last day; `undefined` if there is none, or if it cannot be read. */
export const sunsetOf = (node: Json): string | undefined => dayOf(node[SUNSET]);

/** Returns the rule and the action of another day of the end; `undefined` if both documents name the same one. */
export const endChange = (base: string | undefined, revision: string | undefined, on = new Date()) => {
  if (base === revision) return undefined;
  const note = revision !== undefined && isOver(revision, on) ? { note: "which is over" } : {};
  if (revision === undefined) return { rule: "sunset", action: "removed" } as const;
  if (base === undefined) return { rule: "sunset", action: "added", ...note } as const;
  return { rule: revision < base ? "sunset.earlier" : "sunset", action: "changed", ...note } as const;
};

/** Returns the note about a deprecation without a date. */
export const undated = ({ deprecated, sunset }: Removable) =>
  deprecated && sunset === undefined ? { note: "without a date" } : {};

/** Whether the last day has passed. */
const isOver = (sunset: string, on: Date): boolean => sunset < on.toISOString().slice(0, 10);

/**
 * Returns how the removal of a part was announced. Readers of the document expect a part to end as announced.
 * @param on the current date; the part still exists on the day of its sunset
 */
export const announcementOf = ({ deprecated, sunset }: Removable, on = new Date()) => {
  if (sunset === undefined)
    return { note: deprecated ? "after deprecation" : "without deprecation", isOver: false };
  const isPast = isOver(sunset, on);
  return { note: `${isPast ? "after" : "before"} its sunset on ${sunset}`, isOver: isPast };
};
