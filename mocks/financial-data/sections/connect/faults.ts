/** The faults of the hosted flows and of the connect components. */
import {
  demandsField,
  json,
  refusesField,
  refusesParameter,
  rowsOf,
  status,
} from "../../../engine/deviations/rows.ts";

const URLS = [
  "GenerateConnectUrl",
  "GenerateLiteConnectUrl",
  "GenerateFixConnectUrl",
  "VerifyMicroEntryMicrodeposit",
];
const CONFIGURED = [
  "post-institutions-institutionId-oauth-urls",
  "post-institutions-institutionId-login-forms",
];

const refusesBodyField = (name: string) => refusesField("GenerateConnectUrl", `/${name}`);

export const CONNECT_FAULTS = rowsOf({
  "flow.accounts-linked-through-hosted-flow": { "nothing-linked": "connect-links-nothing" },
  "connect.returns-url": {
    ...Object.fromEntries(
      URLS.flatMap((operationId) => [
        [`${operationId}-no-url`, json({ operationId, status: 200 }, "", { link: "later" })],
        [`${operationId}-empty`, json({ operationId, status: 200 }, "", {})],
      ]),
    ),
    "none-with-language": "connect-no-link-with-language",
  },
  "GetAllExperience.productCodes-optional": {
    demanded: demandsField("GetAllExperience?query", "/productCode"),
    refused: "connect-product-codes-refused",
  },
  "GetAllExperience.app-name-query": { refused: refusesParameter("GetAllExperience", "appName") },
  "GenerateConnectUrl.language-default-english": { "default-spanish": "connect-default-spanish" },
  "GenerateConnectUrl.language-spanish-us": {
    ignored: "connect-language-ignored",
    refused: refusesBodyField("language"),
  },
  "GenerateConnectUrl.language-french-ca": {
    ignored: "connect-language-ignored",
    refused: refusesBodyField("language"),
  },
  "GenerateConnectUrl.experience-contents": { refused: refusesBodyField("experience") },
  "GenerateConnectUrl.ssn-prefill": {
    ignored: "connect-ssn-ignored",
    refused: refusesBodyField("optionalConsumerInfo"),
  },
  "GenerateLiteConnectUrl.limited-features": { "institutions-to-choose": "connect-lite-chooses" },
  "GenerateLiteConnectUrl.no-account-management": { "accounts-managed": "connect-lite-manages" },
  "GenerateFixConnectUrl.use-cases": {
    "repairs-nothing": "connect-repairs-nothing",
    refused: status(400, { operationId: "GenerateFixConnectUrl", status: 200 }),
  },
  "SendConnectEmail.mails-link": { "no-mail": "connect-mails-nothing" },
  "SendJointBorrowerConnectEmail.mails-link": { "no-mail": "connect-mails-nothing" },
  "jointBorrower.both-in-one-session": { "primary-only": "connect-primary-only" },
  "VerifyMicroEntryMicrodeposit.two-amounts": { "one-amount": "connect-one-amount" },
  "customers.testing.test-drive-accounts": { "nothing-linked": "connect-links-nothing" },
  "customers.testing.non-billable-profiles": {
    "billable-offered": "connect-billable-for-testing",
    "profile-missing": "connect-test-profile-missing",
  },
  "customers.testing.no-live-institutions": { "live-offered": "connect-live-for-testing" },
  "customers.active.billable-profiles": { "not-offered": "connect-no-billable-for-active" },

  "post-reconnections.no-body": { refused: status(400, { operationId: "post-reconnections", status: 201 }) },
  "post-reconnections.203-mfa": {
    "no-challenge": "components-no-challenge",
    "bad-request": status(400, { operationId: "post-reconnections", status: 203 }),
  },
  "connectComponents.redirectURI-called-on-completion": { "not-called": "connect-no-redirect" },
  "connectComponents.configuration-optional": Object.fromEntries(
    CONFIGURED.map((of) => [`${of}-demanded`, demandsField(of, "/configurationId")]),
  ),
  "connectComponents.configuration-owner-only": { "given-to-everyone": "components-for-everyone" },
});
