/** Permitted differences of participations and searches. */
import type { DeviationRow } from "../engine/deviations/deviation.ts";
import { switched } from "../engine/deviations/rows.ts";

const REQUEST_ID = "request id of a participation request";

export const MERCHANT_DIFFERENCES = [
  switched(
    "request-id-in-header",
    "A participation request gets its id in a header of its own.",
    REQUEST_ID,
    "request-id",
  ),
  switched(
    "request-id-in-body",
    "A participation request gets its id in the body.",
    REQUEST_ID,
    "request-id",
  ),
  switched(
    "request-id-in-address",
    "The address of what became of a participation request ends with its id.",
    REQUEST_ID,
    "request-id",
  ),
  switched(
    "each-effectuated-alone",
    "Each further merchant of a participation request is effectuated an hour later.",
    "states and transitions",
  ),
  switched(
    "any-criterion-matches",
    "A search with several criteria finds the merchants that match one of them.",
    "search criteria",
    "criteria",
  ),
  switched("one-criterion-only", "A search with several criteria is refused.", "search criteria", "criteria"),
] as const satisfies readonly DeviationRow[];
