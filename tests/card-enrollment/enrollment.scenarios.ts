/** Enrollment: both enrollment paths, the path of the operation, and the program of the card. */
import { type Attempt, WITHOUT_RECORD } from "../../fixtures/card-enrollment/acceptance.ts";
import { answerOf, blameOf } from "../../fixtures/card-enrollment/blame.ts";
import {
  ENROLLMENT_PATHS,
  type EnrollmentPath,
  isEnrolled,
  responseBody,
} from "../../fixtures/card-enrollment/enrollment.ts";
import { id } from "../../fixtures/card-enrollment/ids.ts";
import { scenariosIn, type T } from "../../fixtures/card-enrollment/trial.ts";
import { type Exchange, isAccepted, statusOf } from "../../helpers/exchange/exchange.ts";
import { because, NotTried, TargetLost } from "../../helpers/trials/kit/language.ts";
import type { Trial } from "../../helpers/trials/trial.ts";

const scenario = scenariosIn("What the service does");
const PROGRAM = ["enrollment.into-profile-for-named-service", "request.serviceId.identifies-program"];
const RETURNED_PROGRAM = "response.maskedCard.serviceId.program";

const pathScenario = (path: EnrollmentPath, title: string): Trial =>
  scenario(`enrollment/${path}`, {
    title,
    requirements: [`enrollment.${path}-path`],
    async run(t) {
      if (await judgePath(t, path)) {
        for (const enrollment of await t.sampleEnrollments(path, 5)) await t.enroll(enrollment);
      }
    },
  });

export const enrollmentScenarios = [
  pathScenario("card-number", "a card is enrolled by its encrypted number"),
  pathScenario("push-account-receipt", "a card is enrolled by its push account receipt"),

  scenario("enrollment/reached", {
    title: "POST {base_url}/cards with a JSON body is served",
    requirements: [
      "path.post-cards",
      "request.content-type",
      "version.no-path-segment",
      "base-url.path-prefix",
      "putCard.documented-statuses",
      "response.json-body",
    ],
    async run(t) {
      const { contract, target } = t;
      const { pathname } = new URL(target.baseUrls["card-enrollment"] ?? "");
      await lookForVersions(t);
      const path = await t.firstAccepted();
      const { exchange } = await t.requireAccepted(path);
      t.pass(["path.post-cards", "request.content-type", "version.no-path-segment"], [exchange]);
      const isPrefixed = pathname.replace(/\/+$/, "").endsWith(contract.basePath);
      t.judgeSeen("base-url.path-prefix", isPrefixed, [exchange], {
        message: "the base address does not end in the documented path prefix",
        expected: `…${contract.basePath}`,
        actual: pathname,
      });
    },
  }),

  scenario("enrollment/program", {
    title: "a card is enrolled in the program that serviceId names",
    requirements: [...PROGRAM, RETURNED_PROGRAM],
    async run(t) {
      const { enrollment, exchange } = await t.requireAccepted(await t.firstAccepted());
      const { serviceId } = enrollment.body as { serviceId: string };
      const returned = responseBody(exchange).maskedCard?.serviceId;
      if (returned !== undefined)
        return t.judgeThat([...PROGRAM, RETURNED_PROGRAM], returned === serviceId, [exchange], {
          pointer: "/maskedCard/serviceId",
          message: "the card was enrolled in a program other than the named one",
          expected: serviceId,
          actual: String(returned),
        });
      const [sample = enrollment] = await t.acceptable(1);
      const body = { ...sample.body, serviceId: `unknown-${t.seed >>> 0}` };
      const refusal = await t.enroll({ ...sample, body });
      t.judgeThat(PROGRAM, !isAccepted(refusal), [refusal, exchange], {
        pointer: "/serviceId",
        message: "a serviceId that names no program was accepted",
        expected: "the program that serviceId names, or a refusal",
        actual: "200",
      });
      t.leaveUntried(RETURNED_PROGRAM, "not-shown", "no response carried maskedCard.serviceId");
    },
  }),
];

/**
 * Judges an enrollment path from the answers to its first enrollments. @returns whether the path accepts enrollments
 */
const judgePath = async (t: T, path: EnrollmentPath): Promise<boolean> => {
  const requirement = `enrollment.${path}-path`;
  const attempts = await t.firstAttempts(path);
  const accepted = attempts.filter(({ exchange }) => isAccepted(exchange)).map(({ exchange }) => exchange);
  const [first] = accepted;
  if (first !== undefined && statusOf(first) === 200) {
    if (isEnrolled(first)) t.pass(requirement, accepted);
    else t.judge.blocked(id(requirement), WITHOUT_RECORD);
    return true;
  }
  const refusal = first ?? attempts.at(-1)?.exchange;
  if (refusal === undefined) throw new TargetLost("not-arranged", "nothing was sent");
  const internal = await isInternal(t, path, refusal);
  const says = blameOf(refusal, path);
  const breaks = says !== undefined && "breaks" in says;
  if (first !== undefined || breaks || internal) {
    const broken = breaks ? says : { breaks: requirement, expected: "200" };
    t.judgeThat(broken.breaks, false, [refusal], {
      message: `a valid ${path} enrollment was answered with ${statusOf(refusal)}`,
      expected: broken.expected,
      actual: answerOf(refusal),
    });
    if (first === undefined) return false;
    const message = `a valid enrollment was answered with ${statusOf(first)}`;
    t.judgeThat("response.200.schema", false, [first], { message, expected: "200" });
    return true;
  }
  if (says !== undefined && "notTried" in says)
    t.leaveUntried(requirement, "not-arranged", `${answerOf(refusal)}: ${says.hint}`);
  else {
    const reason = `${answerOf(refusal)}${says === undefined ? "" : `: ${says.hint}`}`;
    t.judge.blocked(
      id(requirement),
      because("not-arranged", `a valid ${path} enrollment was refused: ${reason}`),
    );
  }
  return false;
};

/**
 * Whether a 500 counts as a failure. With an encrypted card it counts only if receipts also get a 500 (gaps:
 * encryptedCard encryption).
 */
const isInternal = async (t: T, path: EnrollmentPath, refusal: Exchange): Promise<boolean> => {
  if (path === "push-account-receipt" || !isFailure(refusal)) return isFailure(refusal);
  const receipts = await t.firstAttempts("push-account-receipt");
  return receipts.every(({ exchange }) => isFailure(exchange));
};

const isFailure = (exchange: Exchange): boolean =>
  statusOf(exchange) >= 500 && ![501, 503].includes(statusOf(exchange));

/** Checks whether a server without the documented path serves the operation below a version segment. */
const lookForVersions = async (t: T): Promise<void> => {
  for (const path of ENROLLMENT_PATHS) {
    const attempts = await t.firstAttempts(path).catch(nothingToTry);
    const lost = attempts.find(({ exchange }) => statusOf(exchange) === 404);
    if (lost === undefined) continue;
    for (const version of ["v1", "v2"]) {
      const exchange = await t.enroll(lost.enrollment, { at: `/${version}/cards`, judged: false });
      if (!isAccepted(exchange)) continue;
      return t.judgeThat("version.no-path-segment", false, [exchange], {
        message: `the operation is served at /${version}/cards`,
        expected: "POST {base_url}/cards",
        actual: `POST {base_url}/${version}/cards`,
      });
    }
  }
};

/**
 * Returns no attempts for an enrollment path that lacks configuration, because the other path may have all its
 * configuration.
 */
const nothingToTry = (error: unknown): readonly Attempt[] => {
  if (error instanceof NotTried) return [];
  throw error;
};
