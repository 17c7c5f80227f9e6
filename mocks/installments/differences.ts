/** Permitted differences of installments: what its document leaves open. */
import type { GeneralTreatments } from "../engine/deviations/general.ts";
import { MERCHANT_DIFFERENCES } from "./merchant-differences.ts";
import { PURCHASE_DIFFERENCES } from "./purchase-differences.ts";
import { SERVER_DIFFERENCES } from "./server-differences.ts";

export const INSTALLMENTS_DIFFERENCES = [
  ...SERVER_DIFFERENCES,
  ...MERCHANT_DIFFERENCES,
  ...PURCHASE_DIFFERENCES,
];

/** What a plan and its checkout need not show. */
const OF_OPTIONAL = [
  "approvals.plan-shows-outcome",
  "path-parameter.plan_id",
  "plans.repayments-fit-terms",
  "plans.shows-purchase",
];

const NOT_PERMITTED = { permitted: false } as const;

export const GENERAL: GeneralTreatments = {
  "late-reads": { gaps: ["states and transitions"] },
  // The schemas around the callback URL, the repayments and the reason are assumed, and make these optional.
  "optional-fields-absent": { silences: ["approvals.get.callback-url", ...OF_OPTIONAL] },
  "some-optional-fields-absent": { silences: OF_OPTIONAL },
  // The sandbox shows one form of refusals, no decimal ids, and no times with a time zone.
  "other-refusal-shape": NOT_PERMITTED,
  "short-ids": NOT_PERMITTED,
  "long-ids": NOT_PERMITTED,
  "numeric-ids": NOT_PERMITTED,
  "uuid-ids": NOT_PERMITTED,
  "times-with-fraction": NOT_PERMITTED,
  "times-with-offset": NOT_PERMITTED,
};
