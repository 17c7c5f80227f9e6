/** Suggests what somebody may have meant by a name that does not exist. */
import { nearest } from "../../mocks/engine/values/nearest.ts";

/** ` Did you mean a or b?`, or nothing. */
export const suggest = (unknown: string, known: readonly string[]): string => {
  const names = nearest(unknown, known);
  return names.length === 0 ? "" : ` Did you mean ${names.join(" or ")}?`;
};
