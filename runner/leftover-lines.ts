/** Reports what a run created on a target and removed again, and what is left. */
import type { Leftover } from "../helpers/trials/clean-up.ts";

export const removedLine = (count: number): string =>
  `Removed from the target what the run had made there: ${count} ${count === 1 ? "thing" : "things"}.`;

/**
 * Returns a line for each leftover, with its id.
 * @param unclear the number of calls that may have created something
 * @param path of the leftovers file, which contains the same list
 */
export const leftoverLines = (left: readonly Leftover[], unclear: number, path: string): string => {
  if (left.length + unclear === 0)
    return "Nothing that the run made is left on the target, as far as is known.";
  const lines = left.map(
    ({ service, resource, id, reason }) => `  ${service}: ${resource} ${id} (${reason})`,
  );
  return [
    // Several calls may have added the same leftover.
    ...(left.length > 0 ? ["Leftover on the target:", ...new Set(lines)] : []),
    ...(unclear > 0 ? [`Calls that may have made something, since no clear answer came: ${unclear}.`] : []),
    `The list is in ${path}.`,
  ].join("\n");
};
