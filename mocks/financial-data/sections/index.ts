/** The sections of financial data, in the order of its document. */
import type { Section } from "../section.ts";
import { appRegistration } from "./access/app-registration.ts";
import { authentication } from "./access/authentication.ts";
import { thirdPartyAccess } from "./access/third-party-access.ts";
import { accounts } from "./accounts/accounts.ts";
import { microEntriesAndSwitches } from "./accounts/micro-entries-and-switches.ts";
import { statements } from "./accounts/statements.ts";
import { components } from "./connect/components.ts";
import { connect } from "./connect/connect.ts";
import { businesses } from "./customers/businesses.ts";
import { consumers } from "./customers/consumers.ts";
import { customers } from "./customers/customers.ts";
import { reportGeneration } from "./decisioning/report-generation.ts";
import { reportRetrieval } from "./decisioning/report-retrieval.ts";
import { institutions } from "./institutions/institutions.ts";
import { merchantMetrics } from "./institutions/merchant-metrics.ts";
import { txPush } from "./notifications/txpush.ts";
import { webhookSubscriptions } from "./notifications/webhooks.ts";
import { paymentSuccess } from "./payments/payment-success.ts";
import { payments } from "./payments/payments.ts";
import { enrichment } from "./transactions/enrichment.ts";
import { transactions } from "./transactions/transactions.ts";

export const SECTIONS: readonly Section[] = [
  authentication,
  connect,
  customers,
  consumers,
  businesses,
  accounts,
  transactions,
  payments,
  paymentSuccess,
  reportGeneration,
  merchantMetrics,
  reportRetrieval,
  statements,
  txPush,
  webhookSubscriptions,
  appRegistration,
  thirdPartyAccess,
  microEntriesAndSwitches,
  institutions,
  components,
  enrichment,
];
