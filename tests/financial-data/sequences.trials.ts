/** Sequence trials of financial data. */
import { configurationSequences, customerSequences } from "./models/resources.model.ts";
import { transactionSequences } from "./models/transactions.model.ts";
import { txPushSequences } from "./models/txpush.model.ts";
import { webhookSequences } from "./models/webhooks.model.ts";

export const sequenceTrials = [
  customerSequences,
  transactionSequences,
  txPushSequences,
  webhookSequences,
  configurationSequences,
];
