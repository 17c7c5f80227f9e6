/** Permitted differences of participations and searches. */
import type { DeviationRow } from "../engine/deviations/deviation.ts";

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
  {
    name: "any-criterion-matches",
    group: "criteria",
    what: "A search with several criteria finds the merchants that match one of them.",
    gaps: ["search criteria"],
    effects: ["any-criterion-matches"],
  },
  {
    name: "one-criterion-only",
    group: "criteria",
    what: "A search with several criteria is refused.",
    gaps: ["search criteria"],
    effects: ["one-criterion-only"],
  },
] as const satisfies readonly DeviationRow[];
