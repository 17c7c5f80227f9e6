/** Permitted differences in payments data and payment success indicators. */
import type { DeviationRow } from "../../../engine/deviations/deviation.ts";
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
  {
    name: "owner-details-challenged",
    what: "The owner details also answer 203 when a challenge is needed.",
    gaps: ["203 on owner details v3"],
    effects: ["owner-details-challenged"],
    operations: ["GetAccountOwnerDetails"],
  },
  {
    name: "cache-interval-in-seconds",
    what: "The cache interval of a balance is a number of seconds, and a balance says whether it is cached.",
    gaps: ["balance_cache_interval unit"],
    effects: ["cache-interval-in-seconds"],
    operations: [...BALANCES, ...BUNDLES],
  },
  {
    name: "cached-balance-ended",
    what: "The deprecated cached balance is not found any more.",
    gaps: ["GetAvailableBalance after June 2025"],
    effects: ["cached-balance-ended"],
    operations: ["GetAvailableBalance"],
    silences: ["GetAvailableBalance.*", ...SHARED],
  },
  {
    name: "bundle-as-set-up",
    what: "The bundle holds what the initial setup included, whatever the caller asks for.",
    gaps: ["include parameter of the bundle"],
    effects: ["bundle-as-set-up"],
    operations: BUNDLES,
  },
  {
    name: "indicators-refused-otherwise",
    what: "Indicators that are forbidden here are not allowed (406) there, and the other way round.",
    gaps: ["PSI 403 and 406"],
    effects: [{ kind: "habit", habits: { statuses: { "psi-forbidden": 406, "psi-not-allowed": 403 } } }],
    operations: INDICATORS,
  },
  {
    name: "indicators-late",
    what: "Indicators are not found until they are calculated.",
    gaps: ["states of other resources"],
    effects: ["indicators-late"],
    operations: INDICATORS,
  },
  {
    name: "legacy-indicators-ended",
    what: "The legacy indicators are not found any more.",
    gaps: ["legacy payment indicators"],
    effects: ["legacy-indicators-ended"],
    operations: LEGACY,
    silences: [
      ...LEGACY.flatMap((operationId) => [`${operationId}.*`]),
      ...["psi.realtime-balance-check", "psi.ten-day-scores"],
      ...SHARED,
    ],
  },
  {
    name: "match-not-offered",
    what: "The match of owners, an internal operation, is not found.",
    gaps: ["owner match score and identity of elements"],
    effects: ["match-not-offered"],
    operations: [MATCH],
    silences: [`${MATCH}.*`, ...SHARED],
    group: "match",
  },
  {
    name: "match-scores-named-otherwise",
    what: "The scores of a match have other names.",
    gaps: ["owner match score and identity of elements"],
    effects: [
      {
        kind: "json",
        when: { operationId: MATCH, status: 200 },
        pointer: "/holders/*/nameScores",
        edit: { rename: "matches" },
      },
    ],
    operations: [MATCH],
    // The names of the scores are assumed.
    affects: [`${MATCH}.response.shape`],
    silences: [`${MATCH}.score-range`, `${MATCH}.higher-is-closer`],
    group: "match",
  },
] as const satisfies readonly DeviationRow[];
