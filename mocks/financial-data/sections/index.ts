/** The sections of financial data, in the order of its document. */
import type { Section } from "../section.ts";
import { accountSituations } from "./account-situations.ts";
import { accounts } from "./accounts.ts";
import { apps } from "./apps.ts";
import { authentication } from "./authentication.ts";
import { businesses } from "./businesses.ts";
import { components } from "./components.ts";
import { connect } from "./connect.ts";
import { consumers } from "./consumers.ts";
import { customers } from "./customers.ts";
import { enrichment } from "./enrichment.ts";
import { institutions } from "./institutions.ts";
import { merchantMetrics } from "./merchant-metrics.ts";
import { microEntriesAndSwitches } from "./micro-entries-and-switches.ts";
import { paymentSuccess } from "./payment-success.ts";
import { payments } from "./payments.ts";
import { reportGeneration } from "./report-generation.ts";
import { reportRetrieval } from "./report-retrieval.ts";
import { statements } from "./statements.ts";
import { transactions } from "./transactions.ts";
import { txPush } from "./txpush.ts";
import { webhookSubscriptions } from "./webhooks.ts";

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
  apps,
  microEntriesAndSwitches,
  institutions,
  components,
  enrichment,
  accountSituations,
];
