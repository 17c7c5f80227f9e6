/** The announced end of a part of a document: the extension `x-sunset`, a date or a date with time. */
import { SUNSET } from "../../contract/dialect.ts";
import type { Json } from "../../contract/json.ts";
import type { Removable } from "./model.ts";

export const sunsetOf = (node: Json): string | undefined =>
  typeof node[SUNSET] === "string" ? node[SUNSET] : undefined;

/**
 * Returns how the removal of a part was announced. Readers of the document expect a part to end as announced.
 * @param on the current date; the part still exists on the day of its sunset
 */
export const announcementOf = ({ deprecated, sunset }: Removable, on = new Date()) => {
  if (sunset === undefined || Number.isNaN(Date.parse(sunset)))
    return { note: deprecated ? "after deprecation" : "without deprecation", isOver: false };
  const isOver = sunset.slice(0, 10) < on.toISOString().slice(0, 10);
  return { note: `${isOver ? "after" : "before"} its sunset on ${sunset.slice(0, 10)}`, isOver };
};
