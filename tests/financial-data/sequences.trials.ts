/** Sequence trials of financial data. */
import { reportSequences } from "./models/reports-and-portfolios.model.ts";
import { configurationSequences, customerSequences } from "./models/resources.ts";
import { transactionSequences } from "./models/transactions.model.ts";
import { txPushSequences } from "./models/txpush.model.ts";
import { webhookSequences } from "./models/webhooks.model.ts";

export const sequenceTrials = [
  customerSequences,
  transactionSequences,
  reportSequences,
  txPushSequences,
  webhookSequences,
  configurationSequences,
];
