/** Reports the resources that a run created on a target and removed again, and the resources that remain. */
import type { Leftover } from "../helpers/trials/clean-up.ts";

export const removedLine = (count: number): string =>
  `Removed ${count} created ${count === 1 ? "resource" : "resources"} from the target.`;

/**
 * Returns a line for each leftover, with its id.
 * @param unclear the number of calls that may have created something
 * @param path of the leftovers file, which contains the same list
 */
export const leftoverLines = (left: readonly Leftover[], unclear: number, path: string): string => {
  if (left.length + unclear === 0)
    return "As far as is known, no resource that the run created is left on the target.";
  return [
    ...remainingLines(left),
    ...(unclear > 0
      ? [`Calls that may have created a resource, but got no clear response: ${unclear}.`]
      : []),
    `The list is in ${path}.`,
  ].join("\n");
};

/** Returns a line for each leftover; several calls may have added the same one. */
export const remainingLines = (left: readonly Leftover[]): string[] => {
  const lines = left.map(
    ({ service, resource, id, reason }) => `  ${service}: ${resource} ${id} (${reason})`,
  );
  return left.length > 0 ? ["Left on the target:", ...new Set(lines)] : [];
};
