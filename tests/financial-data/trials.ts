/** All trials of financial data. */
import type { Contract } from "../../helpers/contract/contract.ts";
import type { Trial } from "../../helpers/trials/trial.ts";
import { accountDeletionScenarios } from "./account-deletions.scenarios.ts";
import { accountOwnerScenarios } from "./account-owners.scenarios.ts";
import { accountRefreshScenarios } from "./account-refreshes.scenarios.ts";
import { accountScenarios } from "./accounts.scenarios.ts";
import { appScenarios } from "./apps.scenarios.ts";
import { assetScenarios } from "./assets.scenarios.ts";
import { authenticationScenarios } from "./authentication.scenarios.ts";
import { authenticationTrials } from "./authentication.trials.ts";
import { balanceScenarios } from "./balances.scenarios.ts";
import { businessScenarios } from "./businesses.scenarios.ts";
import { challengeScenarios } from "./challenges.scenarios.ts";
import { componentScenarios } from "./components.scenarios.ts";
import { connectScenarios } from "./connect.scenarios.ts";
import { consumerScenarios } from "./consumers.scenarios.ts";
import { customerDeletionScenarios } from "./customer-deletion.scenarios.ts";
import { customerSearchScenarios } from "./customer-searches.scenarios.ts";
import { customerScenarios } from "./customers.scenarios.ts";
import { enrichmentScenarios } from "./enrichment.scenarios.ts";
import { generalScenarios } from "./general.scenarios.ts";
import { hostedFlowScenarios } from "./hosted-flows.scenarios.ts";
import { hostedFullScenarios } from "./hosted-full.scenarios.ts";
import { hostedProfileScenarios } from "./hosted-profiles.scenarios.ts";
import { identifierTrials } from "./identifiers.trials.ts";
import { institutionListScenarios } from "./institution-lists.scenarios.ts";
import { institutionScenarios } from "./institutions.scenarios.ts";
import { locationMatchScenarios } from "./location-matches.scenarios.ts";
import { merchantMetricsScenarios } from "./merchant-metrics.scenarios.ts";
import { microEntryScenarios } from "./micro-entries.scenarios.ts";
import { ownerMatchScenarios } from "./owner-match.scenarios.ts";
import { partnerSecretScenarios } from "./partner-secret.scenarios.ts";
import { paymentEnablementScenarios } from "./payment-enablement.scenarios.ts";
import { paymentInstructionScenarios } from "./payment-instructions.scenarios.ts";
import { paymentSuccessScenarios } from "./payment-success.scenarios.ts";
import { provided } from "./provided.ts";
import { recurringTransactionScenarios } from "./recurring-transactions.scenarios.ts";
import { refusalScenarios } from "./refusals.scenarios.ts";
import { registeredInstitutionScenarios } from "./registered-institutions.scenarios.ts";
import { reportAccountScenarios } from "./report-accounts.scenarios.ts";
import { reportCallbackScenarios } from "./report-callbacks.scenarios.ts";
import { reportContentScenarios } from "./report-contents.scenarios.ts";
import { reportGenerationScenarios } from "./report-generation.scenarios.ts";
import { reportPrerequisiteScenarios } from "./report-prerequisites.scenarios.ts";
import { reportRetrievalScenarios } from "./report-retrieval.scenarios.ts";
import { reportSharingScenarios } from "./report-sharing.scenarios.ts";
import { reportSourceScenarios } from "./report-sources.scenarios.ts";
import { resellerBillingScenarios } from "./reseller-billing.scenarios.ts";
import { routingNumberScenarios } from "./routing-numbers.scenarios.ts";
import { ruleTrials } from "./rules.trials.ts";
import { sequenceTrials } from "./sequences.trials.ts";
import { statementScenarios } from "./statements.scenarios.ts";
import { successTrials } from "./success.trials.ts";
import { switchScenarios } from "./switches.scenarios.ts";
import { thirdPartyAccessScenarios } from "./third-party-access.scenarios.ts";
import { transactionHistoryScenarios } from "./transaction-history.scenarios.ts";
import { transactionPageScenarios } from "./transaction-pages.scenarios.ts";
import { transactionScenarios } from "./transactions.scenarios.ts";
import { txPushScenarios } from "./txpush.scenarios.ts";
import { txPushEndScenarios } from "./txpush-ends.scenarios.ts";
import { webhookDeliveryScenarios } from "./webhook-deliveries.scenarios.ts";
import { webhookRequestScenarios } from "./webhook-requests.scenarios.ts";
import { webhookScenarios } from "./webhooks.scenarios.ts";

/** They look at reports of the same generations. */
const ON_REPORTS: readonly Trial[] = [
  ...reportAccountScenarios,
  ...reportCallbackScenarios,
  ...reportContentScenarios,
  ...reportGenerationScenarios,
  ...reportRetrievalScenarios,
  ...reportSharingScenarios,
  ...reportSourceScenarios,
];

const SCENARIOS: readonly Trial[] = [
  ...sequenceTrials,
  ...accountDeletionScenarios,
  ...accountOwnerScenarios,
  ...accountRefreshScenarios,
  ...accountScenarios,
  ...appScenarios,
  ...assetScenarios,
  ...authenticationScenarios,
  ...balanceScenarios,
  ...businessScenarios,
  ...challengeScenarios,
  ...componentScenarios,
  ...connectScenarios,
  ...consumerScenarios,
  ...customerDeletionScenarios,
  ...customerSearchScenarios,
  ...customerScenarios,
  ...enrichmentScenarios,
  ...generalScenarios,
  ...hostedFlowScenarios,
  ...hostedFullScenarios,
  ...hostedProfileScenarios,
  ...institutionListScenarios,
  ...institutionScenarios,
  ...locationMatchScenarios,
  ...merchantMetricsScenarios,
  ...microEntryScenarios,
  ...ownerMatchScenarios,
  ...paymentEnablementScenarios,
  ...paymentInstructionScenarios,
  ...paymentSuccessScenarios,
  ...recurringTransactionScenarios,
  ...registeredInstitutionScenarios,
  ...ON_REPORTS.map((trial) => ({ ...trial, sharing: "reports" })),
  ...reportPrerequisiteScenarios,
  ...resellerBillingScenarios,
  ...routingNumberScenarios,
  ...statementScenarios,
  ...switchScenarios,
  ...thirdPartyAccessScenarios,
  ...transactionHistoryScenarios,
  ...transactionPageScenarios,
  ...transactionScenarios,
  ...txPushEndScenarios,
  ...txPushScenarios,
  ...webhookDeliveryScenarios,
  ...webhookRequestScenarios,
  ...webhookScenarios,
  // It ends by locking the disposable partner.
  ...partnerSecretScenarios.map((trial): Trial => ({ ...trial, last: true })),
];

export const financialDataTrials = (contract: Contract): Trial[] => [
  ...[
    ...successTrials(contract),
    ...authenticationTrials(contract),
    ...identifierTrials(contract),
    ...ruleTrials(contract),
    ...refusalScenarios(contract),
  ].map(provided),
  ...SCENARIOS,
];
