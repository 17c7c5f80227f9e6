/** Permitted differences of participations and searches. */
import type { DeviationRow } from "../engine/deviations/deviation.ts";
import { switched } from "../engine/deviations/rows.ts";

const REQUEST_ID = "request id of a participation request";

export const MERCHANT_DIFFERENCES = [
  {
    name: "request-id-in-header",
    group: "request-id",
    what: "A participation request gets its id in a header of its own.",
    gaps: [REQUEST_ID],
    effects: ["request-id-in-header"],
  },
  {
    name: "request-id-in-body",
    group: "request-id",
    what: "A participation request gets its id in the body.",
    gaps: [REQUEST_ID],
    effects: ["request-id-in-body"],
  },
  {
    name: "request-id-in-address",
    group: "request-id",
    what: "The address of what became of a participation request ends with its id.",
    gaps: [REQUEST_ID],
    effects: ["request-id-in-address"],
  },
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
