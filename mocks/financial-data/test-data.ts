/** The situations that exist at the start of a sandbox without an admin interface, as the test data of a provider. */
import type { Fields } from "../engine/values/fields.ts";
import initial from "./initial-data.json" with { type: "json" };
import { DOCUMENTED_TYPES } from "./state/account.ts";

/** Test data that serves one test each. */
const several = (count: number): Fields[] => Array.from({ length: count }, () => ({}));

const PARTIES = { consumer: true, business: true };

export const TEST_DATA: Readonly<Record<string, readonly Fields[]>> = {
  // One of each is enough, because a test does not use it up.
  ...Object.fromEntries(initial.lasting.map((name) => [name, [{}]])),
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
