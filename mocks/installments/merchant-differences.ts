/** Permitted differences of participations and searches. */
import { permitted } from "../engine/deviations/rows.ts";

const REQUEST_ID = "request id of a participation request";

export const MERCHANT_DIFFERENCES = [
  ...permitted(REQUEST_ID, { group: "request-id" })({
    "request-id-in-header": "A participation request gets its id in a header of its own.",
    "request-id-in-body": "A participation request gets its id in the body.",
    "request-id-in-address": "The address of what became of a participation request ends with its id.",
  }),
  ...permitted("states and transitions")({
    "each-effectuated-alone":
      "Each further merchant of a participation request is effectuated an hour later.",
  }),
  ...permitted("search criteria", { group: "criteria" })({
    "any-criterion-matches": "A search with several criteria finds the merchants that match one of them.",
    "one-criterion-only": "A search with several criteria is refused.",
  }),
];
