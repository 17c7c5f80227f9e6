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
import { CALL_CHECKS, OWNERS, REFRESHES, REPORT_READS, STATEMENTS } from "./calls.ts";
import { LIMIT_CHECKS } from "./limits.ts";
import { ORDER_CHECKS } from "./order.ts";

const REPORTS = {
  operations: REPORT_READS,
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
    commonChecks("financial-data", mayRefuse),
    CALL_CHECKS,
    ORDER_CHECKS,
    LIMIT_CHECKS,
    {
      "reports.poll-wait-20s": waitsBetweenPolls(20, REPORTS),
      "reports.poll-while-inProgress": pollsUntilEnd(REPORTS),
      "accounts.refresh.not-automated": callsAreNotAutomated(REFRESHES),
      "accounts.refresh.client-timeout-180s": waitsForAnswer(REFRESHES, LIMIT, ENOUGH),
      "accountOwner.may-take-minutes": waitsForAnswer(OWNERS, MINUTES, ENOUGH),
      "accountOwner.retry-on-timeout": repeatsAfterTimeout(OWNERS),
      "GetAccountOwnerDetails.content-varies": acceptsAnswers(
        "owner details without some of their optional fields",
        lacksOptionalFields,
      ),
      "statements.client-timeout-180s": waitsForAnswer(STATEMENTS, LIMIT, ENOUGH),
      "auth.single-token-reused": reusesToken(90),
      "auth.token-renewed-after-90-minutes": renewsToken(90),
      "auth.header.Partner-App-Key": sendsCredential("Partner-App-Key"),
      "auth.token-needed-on-all-other-calls": sendsCredential("Partner-App-Token"),
      "caller.deprecated-operations-avoided": callsNoDeprecatedOperation,
      "caller.creation-not-repeated-blindly": repeatsNoCreation,
      "caller.billable-call-not-repeated": repeatsNoBillableCall,
      "caller.further-pages-read": readsFurtherPages,
      "caller.pages-by-number-of-item": pagesByItem,
      "caller.error-answers-survived": survivesFailures,
      "caller.failed-log-ins": stopsFailedLogIns(4),
      "caller.refused-token-replaced": replacesRefusedToken,
    },
  ],
  unseen: {
    "AccountMatchingScoreDetails.separate-source": "the source of the elements is known to the client only",
    "psi.fcra-obligations": "the purpose of a call is known to the client only",
    "psi.non-fcra-use": "the purpose of a call is known to the client only",
    "auth.app-key-from-dashboard": "where a key comes from is known to the client only",
  },
};
