/** Permitted differences of financial data: what its document leaves open. */
import type { BehaviourOf } from "../engine/deviations/deviation.ts";
import type { ExcludedDeviations } from "../engine/deviations/from-rules.ts";
import type { GeneralTreatments } from "../engine/deviations/general.ts";
import { json, permitted } from "../engine/deviations/rows.ts";
import { ACCESS_DIFFERENCES } from "./sections/access/differences.ts";
import { ACCOUNT_DIFFERENCES } from "./sections/accounts/differences.ts";
import { CONNECT_DIFFERENCES } from "./sections/connect/differences.ts";
import { CUSTOMER_DIFFERENCES } from "./sections/customers/differences.ts";
import { REPORT_DIFFERENCES } from "./sections/decisioning/differences.ts";
import { INSTITUTION_DIFFERENCES } from "./sections/institutions/differences.ts";
import { NOTIFICATION_DIFFERENCES } from "./sections/notifications/differences.ts";
import { PAYMENT_DIFFERENCES } from "./sections/payments/differences.ts";
import { TRANSACTION_DIFFERENCES } from "./sections/transactions/differences.ts";
import { SHARED } from "./shared-requirements.ts";
import unshown from "./unshown-differences.json" with { type: "json" };

export const FINANCIAL_DATA_DIFFERENCES = [
  ...permitted("400 and 404 absent from some operation tables", { group: "statuses" })({
    "other-statuses": {
      what: "A malformed id is unknown (404), and an unknown app key is forbidden (403).",
      effects: [{ kind: "habit", habits: { statuses: { "malformed-id": 404, "unknown-key": 403 } } }],
    },
  }),
  ...permitted("status for a missing consumer or business", { group: "statuses" })({
    "still-other-statuses": {
      what: "An unknown app key, a missing consumer and a missing business are bad requests (400).",
      effects: [
        {
          kind: "habit",
          habits: { statuses: { "unknown-key": 400, "no-consumer": 400, "no-business": 400 } },
        },
      ],
    },
  }),
  ...permitted("error body shape")({
    "refusals-with-status": {
      what: "The bodies of refusals have a field with the status of the answer.",
      effects: [400, 401, 403, 404, 409].flatMap((refused) =>
        json({ status: refused }, "/status", `${refused}`),
      ),
    },
  }),
  ...ACCESS_DIFFERENCES,
  ...CONNECT_DIFFERENCES,
  ...CUSTOMER_DIFFERENCES,
  ...ACCOUNT_DIFFERENCES,
  ...TRANSACTION_DIFFERENCES,
  ...PAYMENT_DIFFERENCES,
  ...REPORT_DIFFERENCES,
  ...NOTIFICATION_DIFFERENCES,
  ...INSTITUTION_DIFFERENCES,
];

declare module "./calls.ts" {
  interface Differing extends Record<BehaviourOf<typeof FINANCIAL_DATA_DIFFERENCES>, true> {}
}

export const EXCLUDED: ExcludedDeviations = {
  // Fields with assumed names, which must be present in some form.
  forbidden: {
    "CreateToken.response.shape.200-token.fields-absent": "CreateToken.returns-token",
    "GenerateConnectUrl.response.shape.fields-absent": "connect.returns-url",
    "GenerateLiteConnectUrl.response.shape.fields-absent": "connect.returns-url",
    "GenerateFixConnectUrl.response.shape.fields-absent": "connect.returns-url",
    "VerifyMicroEntryMicrodeposit.response.shape.fields-absent": "connect.returns-url",
    "GetCustomer.response.shape.fields-absent": "customer.names-and-username",
    "GetInstitutionBranding.response.shape.parts-absent": "institution.facts",
  },
  unshown: Object.entries(unshown).flatMap(([operationId, names]) =>
    names.map((name) => `${operationId}.response.shape.${name}`),
  ),
};

/** Assumed requirements that describe the form of ids. */
const OF_IDS = ["*.response.shape", "*.request.shape", "*.parameter.institution_id.type"];

/** What a client recognizes by fields whose names are assumed, or by items that show a field. */
const OF_OPTIONAL = ["sequences.shown-as-given", "*.own-resource", "getApplications.filters"];

const OF_APPLICATIONS = ["getApplications.filters", "GetAppRegistrationStatus.filters"];

export const GENERAL: GeneralTreatments = {
  "extra-fields": { gaps: ["field-level schemas"] },
  // The assumed shapes have texts or numbers where these ids have the other type. Ids of any form are accepted.
  "short-ids": { affects: OF_IDS },
  "long-ids": { affects: OF_IDS, silences: ["GenerateStatementReport.*", ...SHARED] },
  "numeric-ids": { affects: OF_IDS },
  "uuid-ids": { affects: OF_IDS, silences: ["GenerateStatementReport.*", ...SHARED] },
  "some-optional-fields-absent": { silences: OF_OPTIONAL },
  "optional-fields-absent": { silences: OF_OPTIONAL },
  "late-answers": { gaps: ["response times"] },
  // An application shows late, and may be approved by then: all of them have one status. A list shows another time of a
  // refresh than an account that was read before.
  "late-reads": {
    gaps: ["operations described by path and status only"],
    silences: [...OF_APPLICATIONS, "DeleteCustomerAccount.others-stay"],
  },
  // The contract states a default size of every list.
  "small-pages": { permitted: false },
  "other-refusal-shape": { gaps: ["error body shape"] },
};
