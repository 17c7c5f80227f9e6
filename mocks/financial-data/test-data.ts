/** The situations that exist at the start of a sandbox without an admin interface, as the test data of a provider. */
import type { Fields } from "../engine/values/fields.ts";
import { DOCUMENTED_TYPES } from "./state/account.ts";

/** Test data that serves one test each. */
const several = (count: number): Fields[] => Array.from({ length: count }, () => ({}));

const PARTIES = { consumer: true, business: true };

/** One is enough, because a test does not use it up. */
const LASTING = [
  "active-customer",
  "inactive-account",
  "slow-institution",
  "silent-institution",
  "disputed-statement",
  "undated-transaction",
  "many-transactions",
  "recurring-transactions",
  "external-customer-gone",
  "institution-without-branding",
  "institution-without-txpush",
  "routing-number",
  "location",
  "rate-limited-micro-entries",
  "old-authorization",
  "foreign-configuration",
  "webhooks-unavailable",
  "security-freeze",
  "report-that-fails",
  "rate-limited-list",
  "payroll-report",
  "report-of-another-partner",
  "reseller",
  "psi-forbidden",
  "psi-not-allowed",
];

export const TEST_DATA: Readonly<Record<string, readonly Fields[]>> = {
  ...Object.fromEntries(LASTING.map((name) => [name, [{}]])),
  "linked-customer": several(60),
  "two-logins": several(4),
  "legacy-connection": several(8),
  "mfa-account": several(8),
  "pending-transaction": several(4),
  "micro-deposits-arrived": several(16),
  "bare-customer": [
    { accounts: [], ...PARTIES },
    { accounts: [], consumer: true, business: false },
    ...DOCUMENTED_TYPES.map((type) => ({ accounts: [type], ...PARTIES })),
  ],
};
