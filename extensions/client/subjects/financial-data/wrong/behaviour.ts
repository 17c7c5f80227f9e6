/** Wrong clients of financial data that use tokens, operations and answers wrongly. */
import { hasty, header, inTurn, STRICT, TWICE, url } from "../../habits.ts";
import type { WrongClient } from "../../setting.ts";
import { type Client, createClient, customerOf, wrong } from "../client.ts";
import * as deeds from "../deed-scenes.ts";
import * as scenes from "../scenes.ts";
import { again, browsing, oneRequest, pausing, query, type Scene } from "../scenes.ts";

const REUSED = "auth.single-token-reused";
const RENEWED = "auth.token-renewed-after-90-minutes";
const REPLACED = "caller.refused-token-replaced";
const NEEDED = "auth.token-needed-on-all-other-calls";
const KEY = "auth.header.Partner-App-Key";
const URLS = "caller.no-secret-in-url";

/** Reads something with a time of 91 minutes before the last read. */
const afterLongPause = inTurn(browsing(2), pausing(91 * 60), browsing(4));

const oneRead = (times: number): Scene =>
  again(times, (own) => own.call("GET", "/institution/v2/institutions/613734"));

const tokens: readonly WrongClient[] = [
  wrong("a log-in before each call", REUSED, browsing(4), [], { logsInPerCall: true }),
  wrong("a log-in before each of many calls", REUSED, browsing(9), [], { logsInPerCall: true }),
  wrong(
    "a log-in before every second call",
    REUSED,
    again(6, (own) => scenes.browse(createClient(own.setting), 2)),
  ),
  wrong("a log-in for each of several calls at once", REUSED, async (own) => {
    await Promise.all(Array.from({ length: 6 }, () => scenes.browse(createClient(own.setting), 1)));
    await scenes.browse(own, 8);
  }),
  wrong("a token without end", RENEWED, afterLongPause, [], { renewAfter: Number.POSITIVE_INFINITY }),
  wrong("a token for 115 minutes", RENEWED, afterLongPause, [], { renewAfter: 115 }),
  wrong("a refused token", REPLACED, browsing(6), ["token-ends"], { logInsAfterRefusal: 0 }),
  wrong("a refused token, at once and again and again", REPLACED, oneRead(4), ["token-ends"], {
    logInsAfterRefusal: 0,
    pauseAfterRefusal: 0,
  }),
  wrong("three tokens after a refusal", REPLACED, browsing(6), ["token-ends"], { logInsAfterRefusal: 3 }),
  wrong("five failed log-ins", "caller.failed-log-ins", browsing(1), [], {
    logInAttempts: 5,
    secret: () => "not-the-secret-1",
  }),
  wrong("a customer without a token", "flow.authenticate-then-enroll", scenes.newCustomer, [], {
    logsIn: false,
  }),
  wrong("calls without a token", NEEDED, browsing(1), [], { logsIn: false }),
  wrong("an empty token after a refused log-in", NEEDED, afterLongPause, ["log-in-fails"], {
    takesRefusals: true,
  }),
  wrong("calls without an app key", KEY, browsing(1), [], { request: header("partner-app-key", undefined) }),
  wrong("an undefined token", NEEDED, browsing(1), [], { request: header("partner-app-token", "undefined") }),
  wrong("null as app key", KEY, oneRead(1), [], {
    logsIn: false,
    request: header("partner-app-key", "null"),
  }),
  wrong("a body as text", "CreateToken.request-body", browsing(1), [], {
    request: header("content-type", "text/plain"),
  }),
  wrong("the token in the URL under another name", URLS, browsing(2), [], {
    request: url((asked, headers) => `${asked}?session=${headers["partner-app-token"] ?? ""}`),
  }),
  wrong("the token in the URL", URLS, browsing(1), [], { request: query("token=0123456789") }),
  wrong("the app key in the URL", URLS, browsing(1), [], { request: query("app_key=0123456789") }),
  wrong(
    "no credentials in the log-in",
    "CreateToken.request.shape",
    oneRequest("POST", "/aggregation/v2/partners/authentication", {}),
  ),
];

const ASSET = "payStatementReports.reuse-asset-id";
const WAITS = "reports.poll-wait-20s";
const READS = "reports.poll-while-inProgress";

/** A client that reads one report. */
const polling = (
  name: string,
  requirement: string,
  habits: Partial<typeof scenes.POLLING>,
  ...exercises: readonly string[]
): WrongClient => {
  const reading: Scene = (own) => scenes.reportOfConsumer(own, habits);
  return wrong(name, requirement, inTurn(reading, pausing(130), browsing(1)), exercises);
};

const awaitingCallback: Scene = (own) =>
  scenes.reportOfConsumer(own, { most: 0 }, { callbackUrl: own.setting.callbackUrl });

const reports: readonly WrongClient[] = [
  polling("polling every 5 seconds", WAITS, { seconds: 5 }),
  polling("polling every 15 seconds", WAITS, { seconds: 15 }, "report-succeeds"),
  polling("polling at once", WAITS, { seconds: 0.1, most: 5 }, "report-fails"),
  polling("polling after the end", READS, { extra: 3 }, "report-succeeds"),
  polling("polling after a failure", READS, { extra: 4 }, "report-fails"),
  polling("polling once", READS, { most: 1 }, "report-succeeds"),
  wrong("a report before the consumer", "consumers.required-before-reports", async (own) =>
    scenes.report(own, {}, undefined, await scenes.newCustomer(own)),
  ),
  wrong("a pay statement uploaded again", ASSET, (own) => scenes.payStatements(own, true)),
  wrong("a pay statement uploaded under another label", ASSET, (own) =>
    scenes.payStatements(own, true, "previousPayPeriod"),
  ),
  wrong("a callback awaited for ever", "caller.callbacks-in-any-order", awaitingCallback, ["callback-never"]),
];

const AUTOMATED = "accounts.refresh.not-automated";

const regularly =
  (version: "v1" | "v2", pause: number): Scene =>
  (own) =>
    scenes.refresh(own, [version], {}, 6, pause);

const LATE = {
  refresh: "accounts.refresh.client-timeout-180s",
  statement: "statements.client-timeout-180s",
  owner: "accountOwner.may-take-minutes",
};

/** A client whose time limit is the number at the start of its name. */
const impatient = (
  name: string,
  what: keyof typeof LATE,
  scene: (own: Client, patience: scenes.Patience) => Promise<unknown>,
): WrongClient =>
  wrong(name, LATE[what], (own) => scene(own, { limit: Number.parseInt(name, 10) }), [`${what}-late`]);

/** Calls that a client sends three times. */
const refreshing = (version: "v1" | "v2") => (own: Client, patience: scenes.Patience) =>
  scenes.refresh(own, [version], patience, 3);
const statements = (own: Client, patience: scenes.Patience) => scenes.statements(own, patience, 3);

const ownersOnce: Scene = (own) => scenes.owners(own, { repeats: false });
const ownerOfOneAccount: Scene = async (own) =>
  own.call("GET", `/aggregation/v3/${await deeds.accountPath(own)}/owner`);

const accounts: readonly WrongClient[] = [
  wrong("both versions of the refresh", "accounts.refresh-v1.not-for-tiers", (own) =>
    scenes.refresh(own, ["v1", "v2"]),
  ),
  wrong("the versions of the refresh in turns", "accounts.refresh-v2.for-tiers", (own) =>
    scenes.refresh(own, ["v2", "v1"]),
  ),
  wrong("a refresh every hour", AUTOMATED, regularly("v2", 3600)),
  wrong("a refresh every minute", AUTOMATED, regularly("v1", 60)),
  wrong("a refresh every 20 seconds", AUTOMATED, regularly("v2", 20)),
  impatient("30 seconds for a refresh", "refresh", refreshing("v2")),
  impatient("120 seconds for a refresh", "refresh", refreshing("v1")),
  impatient("30 seconds for a statement", "statement", statements),
  impatient("60 seconds for a statement", "statement", statements),
  impatient("30 seconds for an owner", "owner", scenes.owners),
  wrong("no second try for an owner", "accountOwner.retry-on-timeout", ownersOnce, ["owner-times-out"]),
  wrong(
    "all details of owners demanded",
    "GetAccountOwnerDetails.content-varies",
    (own) => scenes.owners(own),
    ["owner-details-vary"],
    { accepts: ({ holders }) => !Array.isArray(holders) || /addresses/.test(JSON.stringify(holders)) },
  ),
  wrong("a billable call again", "caller.billable-call-not-repeated", async (own) => {
    const path = `/aggregation/v3/${await deeds.accountPath(own)}/owner`;
    await again(2, () => own.call("GET", path))(own);
  }),
  wrong("a limit of 5000 transactions", "transactions.page-max-1000", async (own) => {
    await scenes.accounts(own);
    await deeds.transactions(own, 1_000, 1, { limit: "5000" });
  }),
  wrong("transactions without a start", "transactions.from-date-required", async (own) => {
    await scenes.accounts(own);
    await own.call("GET", `/aggregation/v3/customers/${customerOf(own)}/transactions`, {
      query: { toDate: "1700000000" },
    });
  }),
];

const PASSED = "connectComponents.configuration-id-passed";
const DOCUMENTED = "caller.documented-operations";

const flows: readonly WrongClient[] = [
  wrong("a lite flow in a frame", "GenerateLiteConnectUrl.sdk-only-for-events", (own) =>
    deeds.liteFlow(own, true),
  ),
  wrong("OAuth without an application", "customers.testing.oauth-test-application", async (own) =>
    deeds.oauth(own, await scenes.newCustomer(own)),
  ),
  wrong("the replaced status of applications", "GetAppRegistrationStatus.replacements", (own) =>
    deeds.applications(own, { usesReplaced: true, assigns: true }),
  ),
  wrong(
    "a deprecated operation",
    "caller.deprecated-operations-avoided",
    oneRequest("GET", "/aggregation/v2/partners/applications"),
  ),
  wrong("applications that nobody gets", "SetCustomerAppID.for-several-applications", (own) =>
    deeds.applications(own, { usesReplaced: false, assigns: false }),
  ),
  wrong("one micro amount", "microentry.verify-both", (own) =>
    deeds.verifyDeposits(own, deeds.arrived(own).slice(0, 1)),
  ),
  wrong("a configuration that is not passed on", PASSED, (own) => deeds.configuration(own, "none")),
  wrong("the configuration of somebody else", PASSED, (own) => deeds.configuration(own, "other")),
  wrong("an unknown path", DOCUMENTED, oneRequest("GET", "/aggregation/v9/customers")),
  wrong(
    "an undefined customer",
    DOCUMENTED,
    oneRequest("GET", "/aggregation/v1/customers/undefined/accounts"),
  ),
  wrong("an unknown method", DOCUMENTED, oneRequest("PATCH", "/aggregation/v1/customers")),
];

const CREATED = "caller.creation-not-repeated-blindly";
const SURVIVED = "caller.error-answers-survived";
const PAGES = "caller.further-pages-read";
const ADDITIONS = "caller.additions-accepted";
const RETRIES = "caller.retry-after-kept";

const newConsumerOfNewCustomer: Scene = async (own) => scenes.newConsumer(own, await scenes.newCustomer(own));

const inParallel: Scene = async (own) => {
  await scenes.browse(own, 1);
  await Promise.all(
    Array.from({ length: 6 }, async (_, index) => {
      await own.call("GET", `/institution/v2/institutions/${613735 + index}`);
      await own.call("PUT", `/aggregation/v1/customers/${customerOf(own)}`, {
        body: { firstName: `Robin ${index}`, lastName: "Meadow" },
      });
    }),
  );
};

/** Reads pages of the list of customers. */
const listing =
  (most: number, step?: number): Scene =>
  (own) =>
    scenes.listCustomers(own, most, step);

const hanging: Scene = (own) =>
  own.call("GET", "/institution/v2/institutions/613734", { limit: 30, repeats: false });

const OTHER_URL = { ...hasty(0.1), request: url((asked) => `${asked}?_=${Math.random()}`) };

const answers: readonly WrongClient[] = [
  wrong("a quick repetition after 429", RETRIES, browsing(2), ["rate-limited"], hasty(0.1)),
  wrong("a quick repetition after 503", RETRIES, browsing(2), ["unavailable"], hasty(0.5)),
  wrong("a consumer created twice", CREATED, newConsumerOfNewCustomer, ["creation-lost"], TWICE),
  wrong("a customer created twice", CREATED, scenes.newCustomer, ["customer-lost"], TWICE),
  wrong("a report generated twice", CREATED, scenes.reportOfConsumer, ["report-lost"], TWICE),
  wrong("a deposit initiated twice", CREATED, (own) => deeds.initiateDeposits(own), ["lost-answer"], TWICE),
  wrong("an end at a call that hangs", SURVIVED, hanging, ["hanging"]),
  wrong("the first page only", PAGES, listing(1), ["page-three"]),
  wrong("two pages of three", PAGES, listing(2), ["page-three"]),
  wrong("every second page", PAGES, listing(Number.POSITIVE_INFINITY, 10), ["page-three"]),
  wrong("a quick repetition with another URL", RETRIES, browsing(2), ["rate-limited"], OTHER_URL),
  wrong("unknown fields refused, in parallel", ADDITIONS, inParallel, ["additions"], STRICT),
  wrong("unknown fields of owners refused", ADDITIONS, ownerOfOneAccount, ["additions"], STRICT),
  wrong("unknown fields refused", ADDITIONS, browsing(2), ["additions"], STRICT),
  wrong("an end at the first failure", SURVIVED, browsing(3), ["failure"], { diesOnFailure: true }),
  wrong("an end at the first lost connection", SURVIVED, browsing(3), ["reset"], { diesOnFailure: true }),
];

export const behaviour = [...tokens, ...reports, ...accounts, ...flows, ...answers];
