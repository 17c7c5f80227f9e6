/** Merchants that take part from the start, so that a search finds something. */
import type { Participation } from "./participation.ts";

type Row = readonly [name: string, country: string, ica: string, mids: readonly string[]];

const ROWS: readonly Row[] = [
  ["Harbour Lamps Trading", "USA", "001234", ["HARBOUR0001", "HARBOUR0002"]],
  ["Pine Street Bicycles", "USA", "005678", ["PINE0001"]],
  ["Northern Kettle Works", "GBR", "001234", ["KETTLE0001", "KETTLE0002", "KETTLE0003"]],
];

export const STANDING_PARTICIPATIONS: readonly Participation[] = ROWS.map(
  ([merchantLegalName, countryCode, acquirerICA, mids], index) => ({
    requestId: String(1000 + index),
    submittedAt: 0,
    merchant: { merchantLegalName, countryCode, acquirerICA },
    mids,
    details: {
      nonMerchantNegotiatedParticipation: "Y",
      address: { addressLine1: "1 Example Street", city: "Salt Lake City", state: "UT", postalCode: "84101" },
    },
  }),
);
