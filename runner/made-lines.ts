/** Tells what a run made on a target and removed again, and what is still there. */
import type { Left } from "../helpers/trials/clean-up.ts";

export const removedLine = (count: number): string =>
  `Removed from the target what the run had made there: ${count} ${count === 1 ? "thing" : "things"}.`;

/** A line each, with the id to look for. */
export const leftLines = (left: readonly Left[]): string =>
  left.length === 0
    ? "Nothing that the run made is left on the target, as far as is known."
    : [
        "Left on the target:",
        // What was added to something by several calls is left as often.
        ...new Set(
          left.map(({ service, resource, id, reason }) => `  ${service}: ${resource} ${id} (${reason})`),
        ),
      ].join("\n");
