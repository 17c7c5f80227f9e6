/** The checks of a caller of financial data. */
import { startsReport } from "../../../../../fixtures/financial-data/operation-data.ts";
import { instancesAt } from "../../../../../helpers/checks/rules.ts";
import type { Operation } from "../../../../../helpers/contract/contract.ts";
import { isAccepted } from "../../../../../helpers/exchange/exchange.ts";
import type { Seen } from "../../../../../helpers/traffic/seen.ts";
import { acceptsAnswers } from "../../../judging/answers.ts";
import type { CallerPolicy } from "../../../judging/check.ts";
import { commonChecks } from "../../../judging/common-checks.ts";
import { pagesByItem, readsFurtherPages } from "../../../judging/pages.ts";
import {
  callsAreNotAutomated,
  repeatsAfterTimeout,
  repeatsNoBillableCall,
  repeatsNoCreation,
  survivesFailures,
  waitsForAnswer,
} from "../../../judging/patience.ts";
import { pollsUntilEnd, waitsBetweenPolls } from "../../../judging/polling.ts";
import { callsNoDeprecatedOperation, sendsCredential } from "../../../judging/requests.ts";
import {
  renewsToken,
  replacesRefusedToken,
  reusesToken,
  stopsFailedLogIns,
} from "../../../judging/tokens.ts";
import { CALL_CHECKS, REFRESHES_V1, REFRESHES_V2 } from "./calls.ts";
import { LIMIT_CHECKS } from "./limits.ts";
import { MEANING_CHECKS } from "./meaning.ts";
import { ORDER_CHECKS } from "./order.ts";

const REFRESHES = [...REFRESHES_V1, ...REFRESHES_V2];
const OWNERS = ["GetAccountOwner", "GetAccountOwnerDetails"];
const STATEMENTS = ["GetCustomerAccountStatement", "GetCustomerAccountMultipleStatement"];
const REPORTS = {
  operations: ["GetReportById", "GetReportByCustomer", "GetReportByConsumer"],
  parameter: "reportId",
  inProgress: "inProgress",
  lists: ["GetReportsByCustomerId", "GetReportsByConsumerId"],
};

/** Seconds: a client that waits for these is patient. */
const LIMIT = 180;
const ENOUGH = 100;
const MINUTES = 120;

/** Whether owner details lack most of the fields that a holder may have. */
const lacksOptionalFields = ({ exchange, answer }: Seen): boolean =>
  exchange.operationId === "GetAccountOwnerDetails" &&
  isAccepted(exchange) &&
  instancesAt(answer, "/holders/*").some(
    ({ value }) => typeof value === "object" && value !== null && Object.keys(value).length < FEW_FIELDS,
  );
const FEW_FIELDS = 3;

/** What a person enters, and what depends on a state that only the service knows. */
const ENTERED: readonly string[] = [
  ...["GetInstitutionsByRoutingNumber", "VerifyMicroAmountDeposits", "AddTestingCustomer", "AddCustomer"],
  ...["ModifyCustomer", "CreateConsumer", "ModifyConsumer", "AddBusinessDetails", "UpdateBusiness"],
  ...["ModifyPartnerSecret", "SendConnectEmail", "SendJointBorrowerConnectEmail"],
  "AccountMatchingScoreDetails",
];

/** A customer may have no account that a report needs, or a security freeze. */
const mayRefuse = (operation: Operation): boolean =>
  ENTERED.includes(operation.operationId) || startsReport(operation);

export const callerPolicy: CallerPolicy = {
  service: "financial-data",
  checks: [
    ...commonChecks("financial-data", mayRefuse),
    ...CALL_CHECKS,
    ...ORDER_CHECKS,
    ...LIMIT_CHECKS,
    ...MEANING_CHECKS,
    waitsBetweenPolls("reports.poll-wait-20s", 20, REPORTS),
    pollsUntilEnd("reports.poll-while-inProgress", REPORTS),
    callsAreNotAutomated("accounts.refresh.not-automated", REFRESHES),
    waitsForAnswer("accounts.refresh.client-timeout-180s", REFRESHES, LIMIT, ENOUGH),
    waitsForAnswer("accountOwner.may-take-minutes", OWNERS, MINUTES, ENOUGH),
    repeatsAfterTimeout("accountOwner.retry-on-timeout", OWNERS),
    acceptsAnswers(
      "GetAccountOwnerDetails.content-varies",
      "owner details without some of their optional fields",
      lacksOptionalFields,
    ),
    waitsForAnswer("statements.client-timeout-180s", STATEMENTS, LIMIT, ENOUGH),
    reusesToken("auth.single-token-reused", 90),
    renewsToken("auth.token-renewed-after-90-minutes", 90),
    sendsCredential("auth.header.Partner-App-Key", "Partner-App-Key"),
    sendsCredential("auth.token-needed-on-all-other-calls", "Partner-App-Token"),
    callsNoDeprecatedOperation("caller.deprecated-operations-avoided"),
    repeatsNoCreation("caller.creation-not-repeated-blindly"),
    repeatsNoBillableCall("caller.billable-call-not-repeated"),
    readsFurtherPages("caller.further-pages-read"),
    pagesByItem("caller.pages-by-number-of-item"),
    survivesFailures("caller.error-answers-survived"),
    stopsFailedLogIns("caller.failed-log-ins", 4),
    replacesRefusedToken("caller.refused-token-replaced"),
  ],
  unseen: {
    "AccountMatchingScoreDetails.separate-source": "the source of the elements is known to the client only",
    "psi.fcra-obligations": "the purpose of a call is known to the client only",
    "psi.non-fcra-use": "the purpose of a call is known to the client only",
    "auth.app-key-from-dashboard": "where a key comes from is known to the client only",
  },
};
