/** The announced end of a part of a document: the extension `x-sunset`, a date or a date with time. */
import { SUNSET } from "../../../helpers/contract/dialect.ts";
import type { Json } from "../../../helpers/contract/json.ts";
import type { Removable } from "./model.ts";

export const sunsetOf = (node: Json): string | undefined =>
  typeof node[SUNSET] === "string" ? node[SUNSET] : undefined;

/** Returns the rule and the action of another day of the end; `undefined` if both documents name the same one. */
export const endChange = (base: string | undefined, revision: string | undefined, on = new Date()) => {
  if (base === revision) return undefined;
  const isOver = revision !== undefined && dayOf(revision) < dayOf(on.toISOString());
  const note = isOver ? { note: "which is over" } : {};
  if (revision === undefined) return { rule: "sunset", action: "removed" } as const;
  if (base === undefined) return { rule: "sunset", action: "added", ...note } as const;
  const isEarlier = dayOf(revision) < dayOf(base);
  return { rule: isEarlier ? "sunset.earlier" : "sunset", action: "changed", ...note } as const;
};

const dayOf = (date: string): string => date.slice(0, 10);

/**
 * Returns how the removal of a part was announced. Readers of the document expect a part to end as announced.
 * @param on the current date; the part still exists on the day of its sunset
 */
export const announcementOf = ({ deprecated, sunset }: Removable, on = new Date()) => {
  if (sunset === undefined || Number.isNaN(Date.parse(sunset)))
    return { note: deprecated ? "after deprecation" : "without deprecation", isOver: false };
  const isOver = dayOf(sunset) < dayOf(on.toISOString());
  return { note: `${isOver ? "after" : "before"} its sunset on ${dayOf(sunset)}`, isOver };
};
