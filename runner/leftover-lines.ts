/** Tells what a run made on a target and removed again, and what is still there. */
import type { Leftover } from "../helpers/trials/clean-up.ts";

export const removedLine = (count: number): string =>
  `Removed ${count} created ${count === 1 ? "resource" : "resources"} from the target.`;

/**
 * A line each, with the id to look for.
 * @param unclear how many calls may have created a resource
 * @param path of the leftovers file, which lists the same
 */
export const leftoverLines = (left: readonly Leftover[], unclear: number, path: string): string => {
  if (left.length + unclear === 0)
    return "As far as is known, no resource that the run created is left on the target.";
  const lines = left.map(
    ({ service, resource, id, reason }) => `  ${service}: ${resource} ${id} (${reason})`,
  );
  return [
    // What was added to something by several calls is left as often.
    ...(left.length > 0 ? ["Leftover on the target:", ...new Set(lines)] : []),
    ...(unclear > 0
      ? [`Calls that may have created a resource, but got no clear response: ${unclear}.`]
      : []),
    `The list is in ${path}.`,
  ].join("\n");
};
