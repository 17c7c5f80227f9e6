/** Single calls of financial data, the versions of operations that a caller uses, and the meaning of what it sends. */
import { instancesAt } from "../../../../../helpers/checks/rules.ts";
import { getOrInsert } from "../../../../../helpers/contract/memoize.ts";
import { atPointer } from "../../../../../helpers/contract/pointer.ts";
import {
  type CheckResult,
  checkThat,
  HOLDS,
  violation,
} from "../../../../../helpers/exchange/check-result.ts";
import { isAccepted, statusOf } from "../../../../../helpers/exchange/exchange.ts";
import { Memory } from "../../../../../helpers/traffic/memory.ts";
import type { Seen } from "../../../../../helpers/traffic/seen.ts";
import { history, isRedacted, ofOperations, suspected } from "../../../judging/check.ts";
import { namesNothing, refusedFor } from "../../../judging/refusals.ts";

const REFRESHES_V1 = ["RefreshCustomerAccountsByInstitutionLogin", "RefreshCustomerAccounts"];
const REFRESHES_V2 = ["RefreshCustomerAccountsByInstitutionLoginV2", "RefreshCustomerAccountsV2"];
export const REFRESHES = [...REFRESHES_V1, ...REFRESHES_V2];
export const OWNERS = ["GetAccountOwner", "GetAccountOwnerDetails"];
export const STATEMENTS = ["GetCustomerAccountStatement", "GetCustomerAccountMultipleStatement"];
export const REPORT_READS = ["GetReportById", "GetReportByCustomer", "GetReportByConsumer"];

/** Suspects a wrong version of the refresh: a partner is in the Data Access Tiers or not, so one version fits it. */
const usesOneRefresh = (own: readonly string[], other: readonly string[]) =>
  history(`an accepted call of ${own.join(" or ")}`, ({ show }) => {
    let isShown = false;
    let mine: Seen | undefined;
    let theirs: Seen | undefined;
    return (seen) => {
      const { operationId } = seen.exchange;
      if (!isAccepted(seen.exchange)) return;
      if (own.includes(operationId)) mine = seen;
      else if (other.includes(operationId)) theirs = seen;
      else return;
      if (mine === undefined || isShown) return;
      if (theirs === undefined) return show(HOLDS, seen);
      isShown = true;
      show(BOTH_VERSIONS, mine, theirs);
    };
  });

const BOTH_VERSIONS = suspected({
  message: "the client uses both versions of the refresh",
  ...{ expected: "v2 for partners in the Data Access Tiers, v1 for all others", actual: "v1 and v2" },
});

const REPLACED = "GetAppRegistrationStatus";

const usesReplacements = ofOperations(
  [REPLACED, "getApplications", "getRegisteredInstitutions"],
  "a question about registered applications",
  ({ exchange }) =>
    checkThat(exchange.operationId !== REPLACED, {
      message: `${REPLACED} was called`,
      ...{ expected: "getApplications and getRegisteredInstitutions", actual: REPLACED },
    }),
);

/** The page of a hosted flow verifies deposits as well. */
const VERIFYING = ["VerifyMicroAmountDeposits", "VerifyMicroEntryMicrodeposit"];

const resultOf = ({ body, exchange }: Seen): CheckResult | undefined => {
  const amounts = atPointer(body, "/amounts");
  if (!Array.isArray(amounts)) return undefined;
  if (amounts.length === 2 && amounts.some((amount) => Number(amount) >= 1))
    return suspected(notBoth("an amount of one dollar or more"));
  if (amounts.length === 2) return isAccepted(exchange) ? HOLDS : undefined;
  return notBoth(`${amounts.length} amounts, answered with ${statusOf(exchange)}`);
};

const notBoth = (actual: string): CheckResult =>
  violation({
    pointer: "/amounts",
    message: "a verification does not contain the two micro amounts",
    ...{ expected: "both amounts, each less than one dollar", actual },
  });

const WRONG_AMOUNTS = /\bamounts?\b.*\b(?:not|wrong|incorrect|invalid|match\w*)\b(?! arrived)/i;

/** The two amounts may be equal by chance, but not if the service refuses them, and hardly if it does not say what it refuses. */
const isOneTwice = (seen: Seen): boolean => {
  const amounts = atPointer(seen.body, "/amounts");
  if (!Array.isArray(amounts) || amounts.length !== 2 || amounts[0] !== amounts[1]) return false;
  return refusedFor(seen, WRONG_AMOUNTS) || (statusOf(seen.exchange) === 400 && namesNothing(seen));
};

/** The number of further exchanges that show that the client has gone on without a verification. */
const GONE_ON = 3;

const verifiesBothAmounts = history("a verification of micro deposits", ({ show, tell, atEnd }) => {
  const open = new Memory<string, { readonly seen: Seen; others: number }>();
  const wrong = new Memory<string, Seen>();
  // Deposits take days to arrive, so a recording may end before.
  atEnd(() => {
    for (const seen of wrong.values()) {
      const result = notBoth("one amount twice");
      show(refusedFor(seen, WRONG_AMOUNTS) ? result : suspected(result), seen);
    }
    for (const { seen, others } of open.values())
      if (others >= GONE_ON) show(NOT_VERIFIED, seen);
      else tell("micro deposits were initiated right before the end, and not verified yet");
  });
  return (seen) => {
    const { exchange, path, body } = seen;
    const customer = path.customerId ?? String(atPointer(body, "/customerId") ?? "");
    for (const entry of open.values()) entry.others += 1;
    if (exchange.operationId === "InitiateMicroAmountDeposits" && isAccepted(exchange))
      open.set(customer, { seen, others: 0 });
    if (!VERIFYING.includes(exchange.operationId)) return;
    open.delete(customer);
    const result = exchange.operationId === VERIFYING[0] ? resultOf(seen) : undefined;
    if (result !== undefined) show(result, seen);
    if (isOneTwice(seen)) wrong.set(customer, seen);
    else if (isAccepted(exchange)) wrong.delete(customer);
  };
});

const NOT_VERIFIED = suspected({
  message: "micro deposits were initiated, and never verified",
  ...{ expected: "a verification of both amounts", actual: "other calls only" },
});

/** Suspects that a lite flow is opened in the frame of the SDK, which only its events need. */
const opensLiteFlowItself = history("the page of a lite flow that was opened", ({ show }) => {
  const links = new Memory<string, true>(1_000);
  return (seen) => {
    const { exchange, answer, operation } = seen;
    if (exchange.operationId === "GenerateLiteConnectUrl") {
      const link = atPointer(answer, "/link");
      if (typeof link === "string" && URL.canParse(link)) links.set(new URL(link).pathname, true);
      return;
    }
    if (operation !== undefined || !isAccepted(exchange)) return;
    const path = new URL(exchange.request.url).pathname;
    if (![...links.keys()].some((link) => link.endsWith(path) || path.endsWith(link))) return;
    const isFramed = /^i?frame$/.test(exchange.request.headers["sec-fetch-dest"] ?? "");
    show(isFramed ? FRAMED : HOLDS, seen);
  };
});

const FRAMED = suspected({
  pointer: "sec-fetch-dest",
  message: "a lite flow was opened in a frame",
  ...{ expected: "the flow opens by itself; the SDK is needed for its events only", actual: "a frame" },
});

/** Checks that a client reads its report although the callback comes before the answer, twice or never. */
const copesWithCallbacks = history(
  "a report whose callback came before the answer, twice or never",
  ({ show, atEnd }) => {
    const open = new Memory<string, Seen>(1_000);
    atEnd(() => {
      for (const generation of open.values()) show(NEVER_READ, generation);
    });
    return (seen) => {
      const isExercise = seen.exercises.some((id) => id.startsWith("financial-data.callback-"));
      const id = isExercise ? atPointer(seen.answer, "/id") : undefined;
      if (id !== undefined) open.set(String(id), seen);
      const { reportId = "" } = seen.path;
      const generation = open.get(reportId);
      if (open.delete(reportId) && generation !== undefined) show(HOLDS, seen, generation);
    };
  },
);

const NEVER_READ = violation({
  message: "a report was never read",
  ...{ expected: "the report is read, with any callback or without one", actual: "no read" },
});

const FCRA = ["GenerateFcraPaymentSuccessIndicators", "GetFCRAPaymentSuccessIndicator"];
/** Not for purposes under the FCRA. */
const OTHERS = [
  ...["GeneratePaymentSuccessIndicators", "GetPaymentSuccessIndicators", "GetPaymentSuccessIndicator"],
  "GenerateCashFlowBusinessReport",
];

/** Whether the query or the body of a request has a purpose with a value. */
const hasPurpose = ({ query, body }: Seen): boolean =>
  [...query, ...Object.entries((body ?? {}) as object)].some(
    ([name, value]) =>
      /purpose/i.test(String(name)) && ![undefined, null, "", false, "false"].includes(value),
  );

const statesPurpose = ofOperations(
  [...FCRA, ...OTHERS, "GetFcraPaymentSuccessIndicators"],
  `a call of ${FCRA.join(" or ")}`,
  (seen) => {
    const { operationId } = seen.exchange;
    if (FCRA.includes(operationId))
      return checkThat(hasPurpose(seen), {
        message: `a call of ${operationId} states no purpose`,
        ...{ expected: "the permissible purpose", actual: "no purpose" },
      });
    // The service says by 406 that the run belongs to the other variant, or that it has no such media type.
    const isOfOther = statusOf(seen.exchange) === 406 && refusedFor(seen, /variant|purpose|fcra/i);
    if (!isOfOther && !(OTHERS.includes(operationId) && hasPurpose(seen))) return undefined;
    return violation({
      message: `the purpose does not fit ${operationId}`,
      expected: "the variant under the FCRA for such a purpose",
      actual: isOfOther ? "a run of the other variant, answered with 406" : "a purpose",
    });
  },
);

const REISSUE = "ReportReissue";
const DAY = 86_400_000;

const statesPurposeOfReissue = ofOperations([REISSUE], "a reissue after April 30, 2026", (seen, contract) => {
  const reissue = contract.operations.find(({ operationId }) => operationId === REISSUE);
  const isAfter = seen.start >= Date.parse(reissue?.requiredFrom["/purpose"] ?? "") + DAY;
  return !isAfter || isRedacted(seen.exchange.request.body)
    ? undefined
    : checkThat(hasPurpose(seen), {
        pointer: "/purpose",
        message: "a report was reissued without a purpose code",
        ...{ expected: "the permissible purpose code", actual: "none" },
      });
});

type Unit = "seconds" | "milliseconds";

const unitOf = (value: unknown): Unit | undefined => {
  const text = String(value);
  if (/^[1-9]\d{9}$/.test(text)) return "seconds";
  return /^[1-9]\d{12}$/.test(text) ? "milliseconds" : undefined;
};

/** @param echoed dates that the client sent itself */
const unitsIn = (value: unknown, echoed: ReadonlySet<string>): Unit[] => {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (typeof inner === "object") return unitsIn(inner, echoed);
    if (typeof inner !== "number" || echoed.has(String(inner))) return [];
    return (/(date|dateTime|at|time)$/i.test(name) && unitOf(inner)) || [];
  });
};

const MOST_DATES = 10_000;
const WINDOW = /^(income)?_?(from|to)_?date$/i;

/** The document shows no unit. The answers of the service do, unless it uses both. */
const sendsUnitOfService = history(
  "dates as numbers in requests, and in answers",
  ({ show, tell, atEnd }) => {
    const answered = new Set<Unit>();
    /** Whether the service found something by such a date, so that it reads this unit. */
    const sent = new Map<Unit, { readonly seen: Seen; isUnderstood: boolean }>();
    const dates = new Set<string>();
    atEnd(() => {
      const [unit] = answered;
      for (const [own, { seen, isUnderstood }] of sent) {
        if (unit === undefined || answered.size > 1)
          tell(`dates were sent in ${own}, and no answer shows the unit of the service`);
        else show(own === unit || isUnderstood ? HOLDS : inOtherUnit(own, unit), seen);
      }
    });
    return (seen) => {
      const { query, body, exchange, answer, operation } = seen;
      for (const [name, value] of [...query, ...Object.entries((body ?? {}) as object)]) {
        const unit = WINDOW.test(String(name)) ? unitOf(value) : undefined;
        if (unit === undefined) continue;
        if (dates.size < MOST_DATES) dates.add(String(value));
        const found = operation?.list && instancesAt(answer, `${operation.list.items}/*`).length > 0;
        getOrInsert(sent, unit, () => ({ seen, isUnderstood: false })).isUnderstood ||= found === true;
      }
      if (isAccepted(exchange) && seen.exercises.length === 0)
        for (const unit of unitsIn(answer, dates)) answered.add(unit);
    };
  },
);

const inOtherUnit = (own: Unit, unit: Unit): CheckResult =>
  violation({
    message: `dates are sent in ${own}, and the service answers in ${unit}`,
    ...{ expected: `${unit} since 1970`, actual: own },
  });

/** Checks of single calls. */
export const CALL_CHECKS = {
  "accounts.refresh-v1.not-for-tiers": usesOneRefresh(REFRESHES_V1, REFRESHES_V2),
  "accounts.refresh-v2.for-tiers": usesOneRefresh(REFRESHES_V2, REFRESHES_V1),
  "GetAppRegistrationStatus.replacements": usesReplacements,
  "microentry.verify-both": verifiesBothAmounts,
  "GenerateLiteConnectUrl.sdk-only-for-events": opensLiteFlowItself,
  "caller.callbacks-in-any-order": copesWithCallbacks,
  "caller.purpose-stated": statesPurpose,
  "ReportReissue.purpose-required-by-2026-04-30": statesPurposeOfReissue,
  "caller.dates-in-the-unit-of-the-service": sendsUnitOfService,
};
