/** Data with ids that a user chose, for every service. */
import type { SandboxData } from "../../../../mocks/engine/data/data.ts";

export const CHOSEN: SandboxData = {
  "card-enrollment": {
    keys: { apiKey: "my-card-key", unvalidatedApiKey: "my-other-card-key" },
    clients: [
      { id: "11111111-1111-4111-8111-111111111111" },
      { id: "22222222-2222-4222-8222-222222222222", result: "unavailable" },
    ],
    programs: ["MY_PROGRAM"],
    profiles: [
      {
        identityValue: "ada@example.com",
        srcConsumerId: "33333333-3333-4333-8333-333333333333",
        cards: [{ program: "MY_PROGRAM", primaryAccountNumber: "5555341244441115", enrollments: 2 }],
      },
    ],
  },
  installments: {
    keys: { authorization: "Bearer my-merchants", unregisteredAuthorization: "Bearer nobody" },
    merchants: [
      { merchantLegalName: "My Lamps", countryCode: "USA", acquirerICA: "001111", mids: ["LAMPS1"] },
    ],
    panLists: [{ id: "list-1", pans: ["5555341244441115"] }],
    offers: [
      {
        offerId: "offer-01",
        merchant: { merchantLegalName: "My Lamps", countryCode: "USA", acquirerICA: "001111" },
        transaction: { amount: 120, currency: "USD" },
      },
    ],
    plans: [{ planId: "99999999-9999-4999-8999-999999999999", offerId: "offer-01", status: "APPROVED" }],
    issuer: "http://127.0.0.1:9/notifications",
  },
  "financial-data": {
    partners: [
      { id: 9000, appKey: "my-app-key", secret: "my-Secret-1" },
      { id: 9001, role: "disposable", secret: "my-Secret-2" },
      { id: 9002, name: "Third", secret: "my-Secret-3" },
    ],
    locations: [
      { locationId: "12121212-1212-4121-8121-121212121212", merchantName: "Ada's Lamps", city: "Fairview" },
    ],
    institutions: [{ id: 42, name: "First Fictional Bank", routingNumbers: ["071000013"] }],
    customers: [
      {
        id: 7001,
        username: "ada",
        firstName: "Ada",
        lastName: "Example",
        consumer: { id: "consumer-1" },
        business: { id: 6001 },
        logins: [
          {
            id: 4001,
            institutionId: 42,
            accounts: [
              {
                id: 5001,
                type: "checking",
                balance: 321.09,
                fields: { interestRate: 1.5 },
                transactions: [
                  { id: 88, amount: -12.5, description: "MILL BAKERY", postedDate: "2026-11-01T12:00:00Z" },
                  { id: 77, amount: 900, description: "WAGES", postedDate: "2026-11-02T12:00:00Z" },
                ],
              },
              { id: 5002, type: "savings", transactions: [] },
            ],
          },
        ],
      },
      { id: 7000, username: "bo" },
    ],
    thirdParties: [{ receiptId: "receipt-1", thirdPartyPartnerId: 9002, customerId: 7001 }],
    applications: [{ preAppId: 31, applicationId: "app-1" }],
    webhooks: [
      {
        id: "44444444-4444-4444-8444-444444444444",
        url: "http://127.0.0.1:9/",
        events: [{ name: "accounts-linked", id: "55555555-5555-4555-8555-555555555555" }],
      },
    ],
    txPush: [
      {
        id: 71,
        accountId: 5001,
        type: "transaction",
        callbackUrl: "http://127.0.0.1:9/",
        signingKey: "mine",
      },
    ],
    formerConsumers: [
      { id: "consumer-2", customerId: "6999", created: "2026-10-01T12:00:00Z", fields: { firstName: "Cy" } },
    ],
    configurations: [{ id: "66666666-6666-4666-8666-666666666666", fields: { aoRequired: true } }],
    payRequests: [
      {
        id: "453752752892280957",
        accountId: 5001,
        settlementAmount: 20,
        settleByDate: "2026-12-24",
      },
      {
        id: "453752752892280958",
        accountId: 5001,
        fcra: true,
        settlementAmount: 5,
        settleByDate: "2026-12-24",
      },
    ],
    assets: [{ id: "asset-1-7001", customerId: 7001, content: "JVBERi0=" }],
    externalCustomers: [{ id: "theirs-1" }, { id: "theirs-2", gone: true }],
    sessions: [{ id: "88888888-8888-4888-8888-888888888888", flow: "full", customerIds: [7001] }],
  },
};

const REMOVED = { loginId: 4001, institutionId: 42, account: { id: 5999, type: "savings" } };

/** Resources that other tests meet only where they made them. */
const RARE: SandboxData = {
  "financial-data": {
    microDeposits: [
      {
        ...{ accountId: 8001, customerId: 7001, amounts: [4, 18] },
        receiver: { routingNumber: "071000013", accountNumber: "1234567890" },
      },
    ],
    switches: [
      {
        ...{ id: "switch-1", kind: "deposit", customerId: 7001, externalId: "payroll-1" },
        provider: { id: "provider-1", name: "Northwind Traders" },
      },
    ],
    portfolios: [{ id: "portfolio-1-port", customerId: 7001 }],
    reports: [
      { id: "report-1", type: "voa", customerId: 7001, portfolioId: "portfolio-1-port" },
      { id: "report-2", type: "voa", customerId: 7001, holdings: [{ accountId: 5999, removed: REMOVED }] },
    ],
  },
};

/** A state in which everything was made once. */
export const CHOSEN_ONCE: SandboxData = Object.fromEntries(
  Object.entries(CHOSEN).map(([service, data]) => [service, { ...data, ...RARE[service] }]),
);
