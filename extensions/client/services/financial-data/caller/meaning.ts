/** The meaning of what a caller of financial data sends: purposes, and dates. */
import { instancesAt } from "../../../../../helpers/checks/rules.ts";
import { getOrInsert } from "../../../../../helpers/contract/memoize.ts";
import { type CheckResult, HOLDS } from "../../../../../helpers/exchange/check-result.ts";
import { isAccepted, statusOf } from "../../../../../helpers/exchange/exchange.ts";
import type { Seen } from "../../../../../helpers/traffic/seen.ts";
import {
  broken,
  brokenUnless,
  type CallerChecks,
  history,
  isRedacted,
  type RequestCheck,
} from "../../../judging/check.ts";
import { refusedFor } from "../../../judging/refusals.ts";

const FCRA = ["GenerateFcraPaymentSuccessIndicators", "GetFCRAPaymentSuccessIndicator"];
/** Not for purposes under the FCRA. */
const OTHERS = [
  "GeneratePaymentSuccessIndicators",
  "GetPaymentSuccessIndicators",
  "GetPaymentSuccessIndicator",
  "GenerateCashFlowBusinessReport",
];

/** Whether the query or the body of a request has a purpose with a value. */
const hasPurpose = ({ query, body }: Seen): boolean =>
  [...query, ...Object.entries((body ?? {}) as object)].some(
    ([name, value]) =>
      /purpose/i.test(String(name)) && ![undefined, null, "", false, "false"].includes(value),
  );

const statesPurpose: RequestCheck = {
  operations: [...FCRA, ...OTHERS, "GetPaymentSuccessIndicators", "GetFcraPaymentSuccessIndicators"],
  occasion: `a call of ${FCRA.join(" or ")}`,
  check(seen) {
    const { operationId } = seen.exchange;
    if (FCRA.includes(operationId))
      return brokenUnless(hasPurpose(seen), {
        message: `a call of ${operationId} states no purpose`,
        ...{ expected: "the permissible purpose", actual: "no purpose" },
      });
    // The service says by 406 that the run belongs to the other variant, or that it has no such media type.
    const isOfOther = statusOf(seen.exchange) === 406 && refusedFor(seen, /variant|purpose|fcra/i);
    if (!isOfOther && !(OTHERS.includes(operationId) && hasPurpose(seen))) return undefined;
    return broken({
      message: `the purpose does not fit ${operationId}`,
      expected: "the variant under the FCRA for such a purpose",
      actual: isOfOther ? "a run of the other variant, answered with 406" : "a purpose",
    });
  },
};

/** A purpose code of a reissue is required from this day on. */
const REQUIRED_FROM = Date.UTC(2026, 4, 1);

const statesPurposeOfReissue: RequestCheck = {
  operations: ["ReportReissue"],
  occasion: "a reissue after April 30, 2026",
  check: (seen) =>
    seen.start < REQUIRED_FROM || Number.isNaN(seen.start) || isRedacted(seen.exchange.request.body)
      ? undefined
      : brokenUnless(hasPurpose(seen), {
          pointer: "/purpose",
          message: "a report was reissued without a purpose code",
          ...{ expected: "the permissible purpose code", actual: "none" },
        }),
};

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

interface Sent {
  readonly seen: Seen;
  /** Whether the service found something by such a date, so that it reads this unit. */
  isUnderstood: boolean;
}

const MOST_DATES = 10_000;

const WINDOW = /^(income)?_?(from|to)_?date$/i;

/** The document shows no unit. The answers of the service do, unless it uses both. */
const sendsUnitOfService = history(
  "dates as numbers in requests, and in answers",
  ({ show, tell, atEnd }) => {
    const answered = new Set<Unit>();
    const sent = new Map<Unit, Sent>();
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
  broken({
    message: `dates are sent in ${own}, and the service answers in ${unit}`,
    ...{ expected: `${unit} since 1970`, actual: own },
  });

export const MEANING_CHECKS: CallerChecks = {
  "caller.purpose-stated": statesPurpose,
  "ReportReissue.purpose-required-by-2026-04-30": statesPurposeOfReissue,
  "caller.dates-in-the-unit-of-the-service": sendsUnitOfService,
};
