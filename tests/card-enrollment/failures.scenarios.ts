/** Failures that no client can cause: a 500, a 503, and the declared error shape. */
import type { Enrollment } from "../../fixtures/card-enrollment/enrollment.ts";
import { NO_ERROR_STATUS } from "../../fixtures/card-enrollment/errors.ts";
import { observeErrorBody } from "../../fixtures/card-enrollment/observe.ts";
import { scenariosIn, type T } from "../../fixtures/card-enrollment/trial.ts";
import { checkErrorStatus } from "../../helpers/checks/error-status.ts";
import { checkRetryAfter } from "../../helpers/checks/retry-after.ts";
import { type CheckResult, HOLDS, violation } from "../../helpers/exchange/check-result.ts";
import { type Call, type Exchange, NotTried, statusOf } from "../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("Errors");
const INTERNAL = "errors.INTERNAL.500";
const SAMPLE = "errors.INTERNAL.sample-body";

export const failureScenarios = [
  scenario("failures/internal-failure", {
    title: "an internal failure is answered with 500 and INTERNAL",
    requirements: [INTERNAL, SAMPLE, "response.500.error-body"],
    async run(t) {
      const exchange = await inSituation(t, "internal-failure");
      const body = exchange.response?.json;
      const is500 = expectStatus(exchange, 500);
      if (observeErrorBody(exchange, t) === "DeclaredError") {
        t.leaveUntried(INTERNAL, "not-shown", NO_ERROR_STATUS);
        return t.leaveUntried(SAMPLE, "permitted", "the error has the declared shape");
      }
      const result = is500.holds ? (checkErrorStatus(body, ["INTERNAL"]) ?? NO_STATUS_VALUE) : is500;
      t.record(INTERNAL, result, [exchange]);
      // The sample is an example. Only its code is a requirement.
      const { code } = (body ?? {}) as { code?: unknown };
      t.judgeThat(SAMPLE, code === 500, [exchange], {
        pointer: "/code",
        message: "the body of a 500 has another code",
        expected: "500",
        actual: JSON.stringify(code) ?? "nothing",
      });
    },
  }),

  scenario("failures/declared-shape", {
    title: "an error of the declared shape has its required fields",
    section: "Error body",
    requirements: ["error.declared-shape.required-fields", "error.declared-shape.errordetail"],
    async run(t) {
      // These exchanges are not judged: in this situation the server does not answer as a new implementation must.
      const exchange = await inSituation(t, "declared-error-shape", { judged: false });
      observeErrorBody(exchange, t);
    },
  }),

  scenario("failures/unavailable", {
    title: "a 503 states when to retry",
    requirements: ["errors.503.retry-after"],
    async run(t) {
      const exchange = await inSituation(t, "temporarily-unavailable", { interruptions: "return" });
      const is503 = expectStatus(exchange, 503);
      t.record("errors.503.retry-after", is503.holds ? checkRetryAfter(exchange) : is503, [exchange]);
    },
  }),
];

/** @throws NotTried when the target can't be brought into the situation */
const inSituation = async (t: T, situation: string, call: Partial<Call> = {}): Promise<Exchange> => {
  if (!t.capabilities.offers(situation)) {
    throw new NotTried("unprovokable", situation);
  }
  const [path] = await t.acceptedPaths();
  const ids = await t.capabilities.arrange(situation);
  const [sample] = await t.sampleEnrollments(path ?? "card-number", 1);
  const body = { ...sample?.body, srcClientId: ids["src-client"] };
  return t.enroll({ ...(sample as Enrollment), body }, call);
};

const expectStatus = (exchange: Exchange, status: number): CheckResult =>
  statusOf(exchange) === status
    ? HOLDS
    : violation({
        pointer: "",
        message: `the call was answered with ${statusOf(exchange)}`,
        expected: `${status}`,
        actual: `${statusOf(exchange)}`,
      });

const NO_STATUS_VALUE = violation({
  pointer: "/status",
  message: "the error carries no error status",
  expected: "INTERNAL",
  actual: "no status of the type string",
});
