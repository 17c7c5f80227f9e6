/** The limits that the document puts on the requests of a caller, and that no schema states. */
import { instancesAt } from "../../../../../helpers/checks/rules.ts";
import { isObject } from "../../../../../helpers/contract/json.ts";
import { JSON_TYPE } from "../../../../../helpers/contract/media-type.ts";
import { atPointer } from "../../../../../helpers/contract/pointer.ts";
import { flatten } from "../../../../../helpers/contract/schemas/flatten.ts";
import { propertiesOf } from "../../../../../helpers/contract/schemas/schema-visitor.ts";
import { checkThat, HOLDS, violation } from "../../../../../helpers/exchange/check-result.ts";
import { isAccepted, statusOf } from "../../../../../helpers/exchange/exchange.ts";
import { Memory } from "../../../../../helpers/traffic/memory.ts";
import type { Seen } from "../../../../../helpers/traffic/seen.ts";
import { history, isRedacted, ofOperations, ofRequest, requestOf } from "../../../judging/check.ts";
import { refusedFor } from "../../../judging/refusals.ts";

const DAY = 86_400_000;

/** Returns milliseconds since 1970. The document shows no unit: ten digits are seconds, thirteen are milliseconds. */
const timeOf = (value: unknown): number => {
  const text = String(value ?? "");
  if (/^\d{9,10}$/.test(text)) return Number(text) * 1_000;
  return /^\d{12,13}$/.test(text) ? Number(text) : Date.parse(text);
};

/** Returns the days between two dates in the query or in the body. */
const lengthOf = ({ query, body }: Seen, from: string, to: string): number => {
  const dateOf = (name: string): number => timeOf(query.get(name) ?? atPointer(body, `/${name}`));
  return (dateOf(to) - dateOf(from)) / DAY;
};

const sendsDatesInOrder = ofRequest("a request with the first and the last date of a window", (seen) => {
  const lengths = [lengthOf(seen, "fromDate", "toDate"), lengthOf(seen, "startDate", "endDate")];
  const length = lengths.find((one) => !Number.isNaN(one));
  if (length === undefined) return undefined;
  const details = { expected: "the first date, and a later one", actual: "the last date before the first" };
  return checkThat(length >= 0, { message: "a window ends before it begins", ...details });
});

/** Checks the time between two dates in the query or in the body. @param days the longest window, with a day for zones */
const keepsWindow = (
  operationId: string,
  [from, to]: readonly [from: string, to: string],
  days: number,
  limit: string,
) =>
  ofOperations([operationId], `a call of ${operationId} with ${from} and ${to}`, (seen) => {
    const length = lengthOf(seen, from, to);
    if (Number.isNaN(length)) return undefined;
    return checkThat(length <= days, {
      pointer: from,
      message: `the window of ${operationId} is longer than ${limit}`,
      ...{ expected: `at most ${limit} between ${from} and ${to}`, actual: `${Math.round(length)} days` },
    });
  });

const MOST_STATEMENTS = 24;

const asksForFewStatements = ofOperations(
  ["GetCustomerAccountMultipleStatement"],
  "a call of GetCustomerAccountMultipleStatement with indexes",
  ({ query, operation }) => {
    const name = operation?.parameters.find((one) => one.in === "query" && /index/i.test(one.name))?.name;
    const indexes = new Set(query.getAll(name ?? "index").flatMap((text) => text.split(/[,;\s]+/)));
    if (indexes.size === 0) return undefined;
    return checkThat(indexes.size <= MOST_STATEMENTS, {
      pointer: name ?? "index",
      message: "one call asks for more statements than it details",
      ...{ expected: `at most ${MOST_STATEMENTS} statements`, actual: `${indexes.size} statements` },
    });
  },
);

const subscribesStandardPort = ofOperations(
  ["SubscribeToTxPushNotifications"],
  "a TxPush subscription",
  ({ body }) => {
    const url = atPointer(body, "/callbackUrl");
    if (typeof url !== "string" || isRedacted(url) || !URL.canParse(url)) return undefined;
    const { port } = new URL(url);
    return checkThat(["", "80", "443"].includes(port), {
      pointer: "/callbackUrl",
      message: "the URL of a listener has a port that gets no events",
      ...{ expected: "port 80 or 443", actual: `port ${port}` },
    });
  },
);

/** The document names no field: a member of another name may be the one that seems to be missing. */
const sendsAllFields = ofOperations(["CreateConsumer"], "a new consumer", (seen, { schemas }) => {
  const { content = {} } = seen.operation?.requestBody ?? {};
  const schema = flatten(content[JSON_TYPE] ?? {}, schemas);
  const sent = isObject(seen.body) ? Object.keys(seen.body) : [];
  if (sent.length === 0 || sent.some((name) => !(name in propertiesOf(schema)))) return undefined;
  const missing = ((schema.required ?? []) as string[]).filter((name) => !sent.includes(name));
  return checkThat(missing.length === 0, {
    message: "a consumer was created without all of its fields",
    ...{ expected: "every field of a consumer", actual: `no ${missing.join(", ")}` },
  });
});

/** The kinds that the document names, the supported ones in a group. */
const KINDS = {
  customerId: /^(?:(testing)|active)$/,
  accountId:
    /^(?:(checking|savings|moneymarket|cd|certificateofdeposit)|investment|mortgage|creditcard|loan|lineofcredit|studentloan)$/,
};

/** Checks that operations that support only some kinds are called for these. @param parameter of what has the kind */
const keepsToKinds = (parameter: keyof typeof KINDS, operations: readonly string[]) =>
  history(
    `a call of ${operations.join(" or ")} whose ${parameter} the traffic shows with its type`,
    ({ show }) => {
      const kinds = new Memory<string, string>();
      return (seen) => {
        const { exchange, path, answer } = seen;
        const kind = KINDS[parameter].exec(kinds.get(path[parameter] ?? "") ?? "");
        if (kind !== null && operations.includes(exchange.operationId))
          show(checkThat(kind[1] !== undefined, { ...OTHER_KIND, actual: kind[0] }), seen);
        if (!isAccepted(exchange)) return;
        const isCustomer = parameter === "customerId";
        const added = isCustomer ? /^Add(Testing|)Customer$/.exec(exchange.operationId) : null;
        const listed = instancesAt(answer, isCustomer ? "/customers/*" : "/accounts/*");
        for (const { value } of [...listed, { value: answer }]) {
          const [id, type] = [String(atPointer(value, "/id")), atPointer(value, "/type")];
          // An answer may be about something else that has an id and a type.
          const isOwn = value !== answer || id === path[parameter] || added !== null;
          const own = type ?? (added && (added[1] || "active"));
          if (isOwn && typeof own === "string") kinds.set(id, own.toLowerCase().replaceAll(/[^a-z]/g, ""));
        }
      };
    },
  );

const OTHER_KIND = {
  message: "an operation was called for a type that it does not support",
  expected: "a type that the document names for it",
};

const ADD_BUSINESS = "AddBusinessDetails";

/**
 * A client that handles the conflict, by a look at the business or a change of it, wants no second one. Nor does one that
 * sends the same business again.
 */
const addsOneBusiness = history(
  "a business of a customer whose business the traffic shows",
  ({ show, atEnd }) => {
    const known = new Memory<string, string>();
    const open = new Memory<string, Seen>();
    atEnd(() => {
      for (const seen of open.values()) show(SECOND_BUSINESS, seen);
    });
    return (seen) => {
      const { exchange, path } = seen;
      const customer = path.customer_id ?? path.customerId ?? "";
      if (["GetBusinessByCustomer", "UpdateBusiness", "GetBusinessById"].includes(exchange.operationId)) {
        if (customer === "") open.clear();
        else open.delete(customer);
      }
      if (exchange.operationId === "GetBusinessByCustomer" && isAccepted(exchange)) known.set(customer, "");
      if (exchange.operationId !== ADD_BUSINESS) return;
      const isOther = (known.get(customer) ?? requestOf(seen)) !== requestOf(seen);
      if (isAccepted(exchange)) {
        known.set(customer, requestOf(seen));
        show(HOLDS, seen);
      } else if (statusOf(exchange) === 409 && isOther && refusedFor(seen, /business/i))
        open.set(customer, seen);
    };
  },
);

const SECOND_BUSINESS = violation({
  message: "a second business was added for one customer",
  expected: "one business for each customer, changed with UpdateBusiness",
  actual: "another one, answered with 409",
});

const ofCustomers = (...operations: readonly string[]) => keepsToKinds("customerId", operations);
const ofAccounts = (...operations: readonly string[]) => keepsToKinds("accountId", operations);

/** Two years may have a leap day. */
const keepsTwoYears = keepsWindow("GenerateTransactionsReport", ["fromDate", "toDate"], 732, "24 months");
const keepsMonth = keepsWindow("getResellerBillingReport", ["startDate", "endDate"], 32, "31 days");

export const LIMIT_CHECKS = {
  "GenerateTransactionsReport.window-24-months": keepsTwoYears,
  "getResellerBillingReport.range-max-31-days": keepsMonth,
  "caller.dates-in-order": sendsDatesInOrder,
  "GetCustomerAccountMultipleStatement.up-to-24": asksForFewStatements,
  "consumer.all-fields-required": sendsAllFields,
  "CreateTxPushTestTransaction.testing-accounts-only": ofCustomers("CreateTxPushTestTransaction"),
  "GetAccountACHDetails.account-types": ofAccounts("GetAccountACHDetails"),
  "GetAccountPaymentInstructionDetails.account-types": ofAccounts("GetAccountPaymentInstructionDetails"),
  "availableBalance.account-types": ofAccounts("GetAvailableBalanceLive", "GetAvailableBalance"),
  "txpush.listener-ports-80-443": subscribesStandardPort,
  "businesses.one-per-customer": addsOneBusiness,
};
