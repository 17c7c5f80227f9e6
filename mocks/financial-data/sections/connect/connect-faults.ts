/** Violations of the hosted flows: one row each, by requirement. */
import type { Bend, FaultRow } from "../../../engine/faults/fault.ts";
import { behaviour, refusesParameter, rowsOf, status } from "../../../engine/faults/fault-rows.ts";

const URLS = [
  "GenerateConnectUrl",
  "GenerateLiteConnectUrl",
  "GenerateFixConnectUrl",
  "VerifyMicroEntryMicrodeposit",
];

const refusedBody = (operationId: string, pointer: string): Bend[] => [
  { kind: "request", of: operationId, pointer, edit: { forbid: true } },
];

export const CONNECT_FAULTS: readonly FaultRow[] = rowsOf({
  "flow.accounts-linked-through-hosted-flow": { "nothing-linked": behaviour("connect-links-nothing") },
  "connect.returns-url": Object.fromEntries(
    URLS.flatMap((operationId): [string, Bend[]][] => {
      const when = { operationId, status: 200 };
      return [
        [`${operationId}-no-url`, [{ kind: "json", when, pointer: "", edit: { set: { link: "later" } } }]],
        [`${operationId}-empty`, [{ kind: "json", when, pointer: "", edit: { set: {} } }]],
      ];
    }),
  ),
  "GetAllExperience.productCodes-optional": {
    demanded: [
      { kind: "request", of: "GetAllExperience?query", pointer: "/productCode", edit: { demand: true } },
    ],
    refused: behaviour("connect-product-codes-refused"),
  },
  "GetAllExperience.app-name-query": { refused: refusesParameter("GetAllExperience", "appName") },
  "GenerateConnectUrl.language-default-english": { "default-spanish": behaviour("connect-default-spanish") },
  "GenerateConnectUrl.language-spanish-us": {
    ignored: behaviour("connect-language-ignored"),
    refused: refusedBody("GenerateConnectUrl", "/language"),
  },
  "GenerateConnectUrl.language-french-ca": {
    ignored: behaviour("connect-language-ignored"),
    refused: refusedBody("GenerateConnectUrl", "/language"),
  },
  "GenerateConnectUrl.experience-contents": {
    refused: refusedBody("GenerateConnectUrl", "/experience"),
  },
  "GenerateConnectUrl.ssn-prefill": {
    ignored: behaviour("connect-ssn-ignored"),
    refused: refusedBody("GenerateConnectUrl", "/optionalConsumerInfo"),
  },
  "GenerateLiteConnectUrl.limited-features": { "institutions-to-choose": behaviour("connect-lite-chooses") },
  "GenerateLiteConnectUrl.no-account-management": { "accounts-managed": behaviour("connect-lite-manages") },
  "GenerateFixConnectUrl.use-cases": {
    "repairs-nothing": behaviour("connect-repairs-nothing"),
    refused: status(400, { operationId: "GenerateFixConnectUrl", status: 200 }),
  },
  "SendConnectEmail.mails-link": { "no-mail": behaviour("connect-mails-nothing") },
  "SendJointBorrowerConnectEmail.mails-link": { "no-mail": behaviour("connect-mails-nothing") },
  "jointBorrower.both-in-one-session": { "primary-only": behaviour("connect-primary-only") },
  "VerifyMicroEntryMicrodeposit.two-amounts": { "one-amount": behaviour("connect-one-amount") },
  "customers.testing.test-drive-accounts": { "nothing-linked": behaviour("connect-links-nothing") },
  "customers.testing.non-billable-profiles": {
    "billable-offered": behaviour("connect-billable-for-testing"),
    "profile-missing": behaviour("connect-test-profile-missing"),
  },
  "customers.testing.no-live-institutions": { "live-offered": behaviour("connect-live-for-testing") },
  "customers.active.billable-profiles": { "not-offered": behaviour("connect-no-billable-for-active") },
});
