/** The faults of financial data, collected from its sections. */
import type { BehaviourOf } from "../engine/deviations/deviation.ts";
import { ACCESS_FAULTS } from "./sections/access/faults.ts";
import { ACCOUNT_FAULTS } from "./sections/accounts/faults.ts";
import { CONNECT_FAULTS } from "./sections/connect/faults.ts";
import { CUSTOMER_FAULTS } from "./sections/customers/faults.ts";
import { REPORT_FAULTS } from "./sections/decisioning/faults.ts";
import { INSTITUTION_FAULTS } from "./sections/institutions/faults.ts";
import { NOTIFICATION_FAULTS } from "./sections/notifications/faults.ts";
import { PAYMENT_FAULTS } from "./sections/payments/faults.ts";
import { TRANSACTION_FAULTS } from "./sections/transactions/faults.ts";

export const FINANCIAL_DATA_FAULTS = [
  ...ACCESS_FAULTS,
  ...CONNECT_FAULTS,
  ...CUSTOMER_FAULTS,
  ...ACCOUNT_FAULTS,
  ...TRANSACTION_FAULTS,
  ...PAYMENT_FAULTS,
  ...REPORT_FAULTS,
  ...NOTIFICATION_FAULTS,
  ...INSTITUTION_FAULTS,
];

declare module "./calls.ts" {
  interface Behaviours extends Record<BehaviourOf<typeof FINANCIAL_DATA_FAULTS>, true> {}
}
