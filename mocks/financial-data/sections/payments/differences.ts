/** Permitted differences in payments data and payment success indicators. */
import { edited, permitted } from "../../../engine/deviations/rows.ts";
import { SHARED } from "../../shared-requirements.ts";

const BALANCES = ["GetAvailableBalanceLive", "GetAvailableBalance"];
const BUNDLES = ["GetAccountDetailsByAccountId", "GetAccountDetailsByInstitutionLoginId"];
const LEGACY = ["GetFCRAPaymentSuccessIndicator", "GetPaymentSuccessIndicator"];

const INDICATORS = [
  "GenerateFcraPaymentSuccessIndicators",
  "GetFcraPaymentSuccessIndicators",
  "GeneratePaymentSuccessIndicators",
  "GetPaymentSuccessIndicators",
];

const MATCH = "AccountMatchingScoreDetails";

export const PAYMENT_DIFFERENCES = [
  ...permitted("203 on owner details v3", { operations: ["GetAccountOwnerDetails"] })({
    "owner-details-challenged": "The owner details also answer 203 when a challenge is needed.",
  }),
  ...permitted("balance_cache_interval unit", { operations: [...BALANCES, ...BUNDLES] })({
    "cache-interval-in-seconds":
      "The cache interval of a balance is a number of seconds, and a balance says whether it is cached.",
  }),
  ...permitted("balance_cache_interval unit", { operations: BALANCES })({
    "cached-balance-older":
      "The cached balance is another one than the live balance, and than that of the account.",
  }),
  ...permitted("GetAvailableBalance after June 2025", { operations: ["GetAvailableBalance"] })({
    "cached-balance-ended": {
      what: "The deprecated cached balance is not found any more.",
      silences: ["GetAvailableBalance.*", ...SHARED],
    },
  }),
  ...permitted("include parameter of the bundle", { operations: BUNDLES })({
    "bundle-as-set-up": "The bundle holds what the initial setup included, whatever the caller asks for.",
  }),
  ...permitted("PSI 403 and 406", { operations: INDICATORS })({
    "indicators-refused-otherwise": {
      what: "Indicators that are forbidden here are not allowed (406) there, and the other way round.",
      effects: [{ kind: "habit", habits: { statuses: { "psi-forbidden": 406, "psi-not-allowed": 403 } } }],
    },
  }),
  ...permitted("states of other resources", { operations: INDICATORS })({
    "indicators-late": "Indicators are not found until they are calculated.",
  }),
  ...permitted("legacy payment indicators", { operations: LEGACY })({
    "legacy-indicators-ended": {
      what: "The legacy indicators are not found any more.",
      silences: [
        ...LEGACY.flatMap((operationId) => [`${operationId}.*`]),
        "psi.realtime-balance-check",
        "psi.ten-day-scores",
        ...SHARED,
      ],
    },
  }),
  ...permitted("owner match score and identity of elements", { operations: [MATCH], group: "match" })({
    "match-not-offered": {
      what: "The match of owners, an internal operation, is not found.",
      silences: [`${MATCH}.*`, ...SHARED],
    },
    "match-scores-named-otherwise": {
      what: "The scores of a match have other names.",
      effects: edited({ operationId: MATCH, status: 200 }, "/holders/*/nameScores", { rename: "matches" }),
      // The names of the scores are assumed.
      affects: [`${MATCH}.response.shape`],
      silences: [`${MATCH}.score-range`, `${MATCH}.higher-is-closer`],
    },
  }),
];
