/** Single calls of financial data, and the versions of operations that a caller uses. */
import { atPointer } from "../../../../../helpers/contract/pointer.ts";
import { type CheckResult, HOLDS } from "../../../../../helpers/exchange/check-result.ts";
import { isAccepted, statusOf } from "../../../../../helpers/exchange/exchange.ts";
import { Memory } from "../../../../../helpers/traffic/memory.ts";
import type { Seen } from "../../../../../helpers/traffic/seen.ts";
import {
  broken,
  brokenUnless,
  type CallerChecks,
  type HistoryCheck,
  history,
  type RequestCheck,
  suspected,
} from "../../../judging/check.ts";
import { namesNothing, refusedFor } from "../../../judging/refusals.ts";

export const REFRESHES_V1 = ["RefreshCustomerAccountsByInstitutionLogin", "RefreshCustomerAccounts"];
export const REFRESHES_V2 = ["RefreshCustomerAccountsByInstitutionLoginV2", "RefreshCustomerAccountsV2"];

/** Suspects a wrong version of the refresh: a partner is in the Data Access Tiers or not, so one version fits it. */
const usesOneRefresh = (own: readonly string[], other: readonly string[]): HistoryCheck =>
  history(`an accepted call of ${own.join(" or ")}`, ({ show }) => {
    let isShown = false;
    const first = new Map<"own" | "other", Seen>();
    return (seen) => {
      const { operationId } = seen.exchange;
      if (!isAccepted(seen.exchange)) return;
      if (own.includes(operationId)) first.set("own", seen);
      else if (other.includes(operationId)) first.set("other", seen);
      else return;
      const [mine, theirs] = [first.get("own"), first.get("other")];
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

const usesReplacements: RequestCheck = {
  operations: [REPLACED, "getApplications", "getRegisteredInstitutions"],
  occasion: "a question about registered applications",
  check: ({ exchange }) =>
    brokenUnless(exchange.operationId !== REPLACED, {
      message: `${REPLACED} was called`,
      ...{ expected: "getApplications and getRegisteredInstitutions", actual: REPLACED },
    }),
};

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
  broken({
    pointer: "/amounts",
    message: "a verification does not contain the two micro amounts",
    ...{ expected: "both amounts, each less than one dollar", actual },
  });

const WRONG_AMOUNTS = /\bamounts?\b.*\b(?:not|wrong|incorrect|invalid|match\w*)\b(?! arrived)/i;

/** The two amounts may be equal by chance, but not if the service refuses them, and hardly if it does not say what it refuses. */
const isOneTwice = (seen: Seen): boolean => {
  const amounts = atPointer(seen.body, "/amounts");
  const isPair = Array.isArray(amounts) && amounts.length === 2 && amounts[0] === amounts[1];
  return (
    isPair && (refusedFor(seen, WRONG_AMOUNTS) || (statusOf(seen.exchange) === 400 && namesNothing(seen)))
  );
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
      const generation = open.get(seen.path.reportId ?? "");
      if (generation === undefined) return;
      open.delete(seen.path.reportId ?? "");
      show(HOLDS, seen, generation);
    };
  },
);

const NEVER_READ = broken({
  message: "a report was never read",
  ...{ expected: "the report is read, with any callback or without one", actual: "no read" },
});

/** Checks of single calls. */
export const CALL_CHECKS: CallerChecks = {
  "accounts.refresh-v1.not-for-tiers": usesOneRefresh(REFRESHES_V1, REFRESHES_V2),
  "accounts.refresh-v2.for-tiers": usesOneRefresh(REFRESHES_V2, REFRESHES_V1),
  "GetAppRegistrationStatus.replacements": usesReplacements,
  "microentry.verify-both": verifiesBothAmounts,
  "GenerateLiteConnectUrl.sdk-only-for-events": opensLiteFlowItself,
  "caller.callbacks-in-any-order": copesWithCallbacks,
};
