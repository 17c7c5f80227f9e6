/** Permitted differences of card enrollment: what its document leaves open. */
import type { DifferenceRow } from "../engine/differences/difference-rows.ts";
import type { GeneralTreatments } from "../engine/differences/general-differences.ts";

export const CARD_ENROLLMENT_DIFFERENCES = [] as const satisfies readonly DifferenceRow[];

const NOT_PERMITTED = { permitted: false } as const;

export const GENERAL: GeneralTreatments = {
  // The document defines times in UTC, and UUIDs.
  "times-with-offset": NOT_PERMITTED,
  "short-ids": NOT_PERMITTED,
  "long-ids": NOT_PERMITTED,
  "numeric-ids": NOT_PERMITTED,
  "uuid-ids": NOT_PERMITTED,
  // There are no lists and no amounts.
  "small-pages": NOT_PERMITTED,
  "two-decimals": NOT_PERMITTED,
};
