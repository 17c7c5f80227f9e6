/** Tells what a run made on a target and removed again, and what is still there. */
import type { Leftover } from "../helpers/trials/clean-up.ts";

export const removedLine = (count: number): string =>
  `Removed from the target what the run had made there: ${count} ${count === 1 ? "thing" : "things"}.`;

/**
 * A line each, with the id to look for.
 * @param unclear how many calls may have made something
 * @param path of the leftovers file, which lists the same
 */
export const leftoverLines = (left: readonly Leftover[], unclear: number, path: string): string => {
  if (left.length + unclear === 0)
    return "Nothing that the run made is left on the target, as far as is known.";
  const lines = left.map(
    ({ service, resource, id, reason }) => `  ${service}: ${resource} ${id} (${reason})`,
  );
  return [
    // What was added to something by several calls is left as often.
    ...(left.length > 0 ? ["Leftover on the target:", ...new Set(lines)] : []),
    ...(unclear > 0 ? [`Calls that may have made something, since no clear answer came: ${unclear}.`] : []),
    `The list is in ${path}.`,
  ].join("\n");
};
