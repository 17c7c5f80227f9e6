/** The order in which a caller of financial data does things. */
import { createHash } from "node:crypto";
import { startsReport } from "../../../../../fixtures/financial-data/operation-data.ts";
import { instancesAt } from "../../../../../helpers/checks/rules.ts";
import type { Operation } from "../../../../../helpers/contract/contract.ts";
import { tokenHeader } from "../../../../../helpers/contract/lookups.ts";
import { atPointer } from "../../../../../helpers/contract/pointer.ts";
import { checkThat, HOLDS, violation } from "../../../../../helpers/exchange/check-result.ts";
import { isAccepted, statusOf } from "../../../../../helpers/exchange/exchange.ts";
import { Memory } from "../../../../../helpers/traffic/memory.ts";
import type { Seen } from "../../../../../helpers/traffic/seen.ts";
import { history, isLeftOut, isRedacted, isUnread, ofOperations, suspected } from "../../../judging/check.ts";
import { lackOf, refusedUntilGone } from "../../../judging/refusals.ts";

const ENROLLING = ["AddTestingCustomer", "AddCustomer"];

/** Checks that a partner has a token when it enrolls a customer. */
const authenticatesFirst = ofOperations(ENROLLING, "a new customer", (seen) => {
  const { marks, exchange } = seen;
  if (isLeftOut(seen, tokenHeader(seen))) return undefined;
  if (!isAccepted(exchange) && marks.token !== undefined) return undefined;
  return checkThat(marks.token !== undefined, {
    message: "a customer was enrolled before the partner authenticated",
    expected: "a log-in first, and its token with the call",
    actual: `no token, answered with ${statusOf(exchange)}`,
  });
});

/**
 * Checks that what a report needs exists before the report is asked for.
 * @param shownBy ids of the operations that show that it exists, the one that creates it first
 */
const createsFirst = (what: string, shownBy: readonly string[], needsIt: (operation: Operation) => boolean) =>
  history(`a report that needs a ${what}, of a customer whose ${what} the traffic shows`, ({ show }) => {
    const customers = new Memory<string, true>();
    const refused = refusedUntilGone(lackOf(what));
    const early = violation({
      message: `a report was asked for before the customer had a ${what}`,
      ...{ expected: `${shownBy[0]} first`, actual: `no ${what}, and a refusal` },
    });
    return (seen) => {
      const { operation, exchange, path } = seen;
      const customer = path.customer_id ?? path.customerId;
      if (operation === undefined || customer === undefined) return;
      const exists = isAccepted(exchange) || statusOf(exchange) === 409;
      if (shownBy.includes(operation.operationId) && exists) customers.set(customer, true);
      if (!needsIt(operation)) return;
      const asked = refused(seen, customers.has(customer));
      if (asked !== undefined) show(early, asked);
      else if (customers.has(customer) && isAccepted(exchange)) show(HOLDS, seen);
    };
  });

/** Whether the body of a request has a value, or was not recorded. */
const mayHave = (seen: Seen, pointer: string): boolean =>
  isUnread(seen) || atPointer(seen.body, pointer) !== undefined;

const OAUTH = "post-institutions-institutionId-oauth-urls";

/** Checks that testing customers in OAuth flows have the id of a registered application. */
const usesTestApplication = history(
  "an OAuth URL for a testing customer that was created in the traffic",
  ({ show }) => {
    /** Whether each customer has an application. */
    const testing = new Memory<string, boolean>();
    return (seen) => {
      const { exchange, body, answer, path } = seen;
      if (!isAccepted(exchange) && exchange.operationId !== OAUTH) return;
      const { customerId = "" } = path;
      if (exchange.operationId === "AddTestingCustomer")
        testing.set(String(atPointer(answer, "/id")), mayHave(seen, "/applicationId"));
      if (exchange.operationId === "SetCustomerAppID" && testing.has(customerId))
        testing.set(customerId, true);
      if (exchange.operationId !== OAUTH) return;
      const hasApplication = testing.get(String(atPointer(body, "/customerId")));
      if (hasApplication === undefined) return;
      const result = checkThat(hasApplication, {
        pointer: "/customerId",
        message: "an OAuth flow uses a testing customer without an application id",
        expected: "the id of a registered test application",
        actual: "a customer without applicationId",
      });
      show(result, seen);
    };
  },
);

/** Suspects that a client with several applications does not assign them to its customers. */
const assignsApplications = history(
  "a client that has several applications, and creates a customer",
  ({ show, atEnd }) => {
    const applications = new Memory<string, true>();
    const customers = new Memory<string, Seen>();
    atEnd(() => {
      const [first] = customers.values();
      if (first !== undefined) show(NOT_ASSIGNED, first);
    });
    return (seen) => {
      const { exchange, answer, path } = seen;
      if (!isAccepted(exchange)) return;
      // One application has a preAppId at first, and an applicationId besides when it is approved.
      const listed = ["getApplications", "RegisterApp"].includes(exchange.operationId)
        ? [{ value: answer }, ...instancesAt(answer, "/applications/*")]
        : [];
      for (const { value } of listed) {
        const id = atPointer(value, "/preAppId") ?? atPointer(value, "/applicationId");
        if (id !== undefined) applications.set(String(id), true);
      }
      if (exchange.operationId === "SetCustomerAppID") {
        customers.delete(path.customerId ?? "");
        if (applications.size > 1) show(HOLDS, seen);
      }
      if (!ENROLLING.includes(exchange.operationId) || applications.size < 2) return;
      if (mayHave(seen, "/applicationId")) show(HOLDS, seen);
      else customers.set(String(atPointer(answer, "/id")), seen);
    };
  },
);

const NOT_ASSIGNED = suspected({
  message: "a client with several applications did not choose one for a customer",
  ...{ expected: "SetCustomerAppID for each customer", actual: "a customer without an application" },
});

const FORMS = [OAUTH, "post-institutions-institutionId-login-forms"];

/** Checks that a client passes the id of the configuration that it created. */
const passesConfiguration = history(
  "a login form or an OAuth URL after a configuration was created",
  ({ show, atEnd }) => {
    const configurations = new Memory<string, true>();
    let without: Seen | undefined;
    let isPassed = false;
    // A client may use a configuration for some of its forms only.
    atEnd(() => {
      if (isPassed || without === undefined) return;
      const passed = atPointer(without.body, "/configurationId");
      const result = violation({
        pointer: "/configurationId",
        message: "a client with a configuration did not pass its id",
        expected: "the id of the configuration as configurationId",
        actual: passed === undefined ? "no configurationId" : "another id",
      });
      show(result, without);
    });
    return (seen) => {
      const { exchange, answer, body } = seen;
      if (exchange.operationId === "post-configurations" && isAccepted(exchange))
        configurations.set(String(atPointer(answer, "/id")), true);
      if (!FORMS.includes(exchange.operationId) || configurations.size === 0) return;
      const isOwn = configurations.has(String(atPointer(body, "/configurationId")));
      isPassed ||= isOwn;
      if (isOwn) show(HOLDS, seen);
      else without ??= seen;
    };
  },
);

const PAY_STATEMENT_REPORTS = [
  "GeneratePayStatementReport",
  "GenerateVOIEPaystubWithTXVerifyReport",
  "GenerateVOIEPaystubReport",
];

/** Returns the digest of the statement in an upload. Its label does not count. */
const digestOf = (upload: unknown): string | undefined => {
  const statement = atPointer(upload, "/statement");
  if (typeof statement !== "string" || isRedacted(statement)) return undefined;
  return createHash("sha256").update(statement).digest("base64url");
};

/** Checks that the second report on a pay statement uses the asset id of the first one. */
const reusesAsset = history("a second report on one pay statement", ({ show }) => {
  /** The content of the uploaded statement by asset id. */
  const contents = new Memory<string, string>();
  const reported = new Memory<string, { readonly asset: string; readonly seen: Seen }>();
  return (seen) => {
    const { exchange, answer, body, marks, path } = seen;
    if (!isAccepted(exchange)) return;
    if (exchange.operationId === "StoreCustomerPayStatement") {
      const asset = String(atPointer(answer, "/assetId"));
      contents.set(asset, `${path.customerId} ${digestOf(body) ?? marks.body ?? asset}`);
    }
    if (!PAY_STATEMENT_REPORTS.includes(exchange.operationId)) return;
    const pointer = Object.keys((body ?? {}) as object).find((name) => /pay_?statement|voie/i.test(name));
    const [first] = instancesAt(body, `/${pointer ?? ""}/assetIds/0`);
    if (first === undefined) return;
    const asset = String(first.value);
    const key = `${exchange.operationId} ${contents.get(asset) ?? asset}`;
    const before = reported.get(key);
    reported.set(key, { asset, seen });
    if (before === undefined) return;
    const result = checkThat(before.asset === asset, {
      pointer: "/assetIds/0",
      message: "the same pay statement was uploaded again for a second report",
      expected: "the asset id of the first report",
      actual: "another asset id with the same content",
    });
    show(result, seen, before.seen);
  };
});

/** Checks of the order in which a caller does things. */
export const ORDER_CHECKS = {
  "flow.authenticate-then-enroll": authenticatesFirst,
  "consumers.required-before-reports": createsFirst(
    "consumer",
    ["CreateConsumer", "GetConsumerForCustomer"],
    (operation) => startsReport(operation) && operation.needs.includes("consumer"),
  ),
  "GeneratePaymentHistoryReport.business-required": createsFirst(
    "business",
    ["AddBusinessDetails", "GetBusinessByCustomer"],
    ({ operationId }) => operationId === "GeneratePaymentHistoryReport",
  ),
  "customers.testing.oauth-test-application": usesTestApplication,
  "SetCustomerAppID.for-several-applications": assignsApplications,
  "connectComponents.configuration-id-passed": passesConfiguration,
  "payStatementReports.reuse-asset-id": reusesAsset,
};
