/** All trials of financial data. */
import { policy } from "../../fixtures/financial-data/policy.ts";
import type { Contract } from "../../helpers/contract/contract.ts";
import { generatedTrials } from "../../helpers/trials/from-contract/generated.ts";
import { relationTrials } from "../../helpers/trials/relations/relations.ts";
import type { Trial } from "../../helpers/trials/trial.ts";
import { appScenarios } from "./access/apps.scenarios.ts";
import { authenticationScenarios } from "./access/authentication.scenarios.ts";
import { generalScenarios } from "./access/general.scenarios.ts";
import { otherPartnerScenarios } from "./access/other-partners.scenarios.ts";
import { partnerSecretScenarios } from "./access/partner-secret.scenarios.ts";
import { refusalScenarios } from "./access/refusals.scenarios.ts";
import { registeredInstitutionScenarios } from "./access/registered-institutions.scenarios.ts";
import { thirdPartyAccessScenarios } from "./access/third-party-access.scenarios.ts";
import { accountDeletionScenarios } from "./accounts/account-deletions.scenarios.ts";
import { accountRefreshScenarios, awaitedRefreshScenarios } from "./accounts/account-refreshes.scenarios.ts";
import { accountScenarios } from "./accounts/accounts.scenarios.ts";
import { assetScenarios } from "./accounts/assets.scenarios.ts";
import { challengeScenarios } from "./accounts/challenges.scenarios.ts";
import { microEntryScenarios } from "./accounts/micro-entries.scenarios.ts";
import { statementScenarios } from "./accounts/statements.scenarios.ts";
import { switchScenarios } from "./accounts/switches.scenarios.ts";
import { componentScenarios } from "./connect/components.scenarios.ts";
import { connectScenarios } from "./connect/connect.scenarios.ts";
import { hostedFlowScenarios } from "./connect/hosted-flows.scenarios.ts";
import { hostedFullScenarios } from "./connect/hosted-full.scenarios.ts";
import { hostedProfileScenarios } from "./connect/hosted-profiles.scenarios.ts";
import { businessScenarios } from "./customers/businesses.scenarios.ts";
import { consumerScenarios } from "./customers/consumers.scenarios.ts";
import { customerDeletionScenarios } from "./customers/customer-deletion.scenarios.ts";
import { customerSearchScenarios } from "./customers/customer-searches.scenarios.ts";
import { customerScenarios } from "./customers/customers.scenarios.ts";
import { reportAccountScenarios } from "./decisioning/report-accounts.scenarios.ts";
import { reportCallbackScenarios } from "./decisioning/report-callbacks.scenarios.ts";
import { reportContentScenarios } from "./decisioning/report-contents.scenarios.ts";
import { reportGenerationScenarios } from "./decisioning/report-generation.scenarios.ts";
import { reportPrerequisiteScenarios } from "./decisioning/report-prerequisites.scenarios.ts";
import { reportRetrievalScenarios } from "./decisioning/report-retrieval.scenarios.ts";
import { reportSeriesScenarios } from "./decisioning/report-series.scenarios.ts";
import { reportSharingScenarios } from "./decisioning/report-sharing.scenarios.ts";
import { reportSourceScenarios } from "./decisioning/report-sources.scenarios.ts";
import { resellerBillingScenarios } from "./decisioning/reseller-billing.scenarios.ts";
import { institutionListScenarios } from "./institutions/institution-lists.scenarios.ts";
import { institutionScenarios } from "./institutions/institutions.scenarios.ts";
import { locationMatchScenarios } from "./institutions/location-matches.scenarios.ts";
import { merchantMetricsScenarios } from "./institutions/merchant-metrics.scenarios.ts";
import { routingNumberScenarios } from "./institutions/routing-numbers.scenarios.ts";
import { txPushScenarios } from "./notifications/txpush.scenarios.ts";
import { txPushEndScenarios } from "./notifications/txpush-ends.scenarios.ts";
import { webhookDeliveryScenarios } from "./notifications/webhook-deliveries.scenarios.ts";
import { webhookRequestScenarios } from "./notifications/webhook-requests.scenarios.ts";
import { webhookTestScenarios } from "./notifications/webhook-tests.scenarios.ts";
import { webhookScenarios } from "./notifications/webhooks.scenarios.ts";
import { openQuestions } from "./open-questions.scenarios.ts";
import { accountOwnerScenarios } from "./payments/account-owners.scenarios.ts";
import { balanceScenarios } from "./payments/balances.scenarios.ts";
import { ownerMatchScenarios } from "./payments/owner-match.scenarios.ts";
import { paymentEnablementScenarios } from "./payments/payment-enablement.scenarios.ts";
import { paymentInstructionScenarios } from "./payments/payment-instructions.scenarios.ts";
import { paymentSuccessScenarios } from "./payments/payment-success.scenarios.ts";
import { sequenceTrials } from "./sequences.trials.ts";
import { enrichmentScenarios } from "./transactions/enrichment.scenarios.ts";
import { recurringTransactionScenarios } from "./transactions/recurring-transactions.scenarios.ts";
import { transactionHistoryScenarios } from "./transactions/transaction-history.scenarios.ts";
import { transactionPageScenarios } from "./transactions/transaction-pages.scenarios.ts";
import { transactionScenarios } from "./transactions/transactions.scenarios.ts";

/** Trials that wait for minutes on a target without a clock: for the same generated reports, or for a refresh. */
const AWAITED = [
  ...awaitedRefreshScenarios,
  ...reportAccountScenarios,
  ...reportCallbackScenarios,
  ...reportContentScenarios,
  ...reportGenerationScenarios,
  ...reportRetrievalScenarios,
  ...reportSeriesScenarios,
  ...reportSharingScenarios,
  ...reportSourceScenarios,
];

const SCENARIOS = [
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
  ...otherPartnerScenarios,
  ...ownerMatchScenarios,
  ...paymentEnablementScenarios,
  ...paymentInstructionScenarios,
  ...paymentSuccessScenarios,
  ...recurringTransactionScenarios,
  ...registeredInstitutionScenarios,
  ...AWAITED.map((trial) => ({ ...trial, sharing: "reports" })),
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
  ...webhookTestScenarios,
  ...webhookRequestScenarios,
  ...webhookScenarios,
  // This scenario ends by locking the disposable partner.
  ...partnerSecretScenarios.map((trial): Trial => ({ ...trial, last: true })),
];

export const trials = (contract: Contract): Trial[] => [
  ...generatedTrials(contract, policy),
  ...relationTrials(contract, policy),
  ...refusalScenarios(contract),
  ...openQuestions,
  ...SCENARIOS,
];
