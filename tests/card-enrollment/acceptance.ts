/** Whether the server accepts a valid enrollment at all, and if not, what the refusal says about whom. */

import {
  ENROLLMENT_PATHS,
  type Enrollment,
  type EnrollmentPath,
  enroll,
  sampleEnrollments,
} from "../../fixtures/enrollment.ts";
import { violation } from "../../helpers/checks/check.ts";
import { errorDetails, errorStatus } from "../../helpers/checks/error-body.ts";
import { sourcesOf } from "../../helpers/checks/error-source.ts";
import { type Exchange, isAccepted, statusOf } from "../../helpers/exchange/exchange.ts";
import { NotTried, TargetLost, type TrialContext } from "../../helpers/trials/trial.ts";
import { id } from "./trial.ts";

export interface Attempt {
  readonly enrollment: Enrollment;
  readonly exchange: Exchange;
}

/**
 * The first enrollments of a trial by one path: enough to meet one that even a strict server accepts.
 * A path that refused them all is not asked again in the session, nor is a server that did not answer.
 */
export const firstAttempts = async (
  context: TrialContext,
  path: EnrollmentPath,
): Promise<readonly Attempt[]> => {
  const known = context.memory.get(`refused by ${path}`) as readonly Attempt[] | undefined;
  if (known !== undefined) return known;
  const attempts: Attempt[] = [];
  // With all that is optional, without it, and as it comes.
  const samples = [
    ...(await sampleEnrollments(context, path, 1, ALL)),
    ...(await sampleEnrollments(context, path, 1, NOTHING_OPTIONAL)),
    ...(await sampleEnrollments(context, path, 3)).slice(1),
  ];
  for (const enrollment of samples) {
    const exchange = await enroll(context, enrollment);
    attempts.push({ enrollment, exchange });
    if (isAccepted(exchange)) return attempts;
    if (exchange.failure !== undefined) break;
  }
  context.memory.set(`refused by ${path}`, attempts);
  return attempts;
};

const OPTIONAL = ["/srcCorrelationId", "/cardSource"];
const OPTIONAL_OF_CARD = ["/panExpirationMonth", "/panExpirationYear", "/cardSecurityCode"];
const ALL = { with: OPTIONAL, cardWith: OPTIONAL_OF_CARD };
const NOTHING_OPTIONAL = { without: OPTIONAL, cardWithout: OPTIONAL_OF_CARD };

/**
 * The paths on which refusals can be proved, since enrollments are accepted there.
 * @throws NotTried when the configuration lacks what an enrollment needs
 * @throws TargetLost when enrollments are refused on every path
 */
export const acceptedPaths = async (context: TrialContext): Promise<EnrollmentPath[]> => {
  const accepted: EnrollmentPath[] = [];
  const refusals: string[] = [];
  const missing: string[] = [];
  for (const path of ENROLLMENT_PATHS) {
    try {
      const attempts = await firstAttempts(context, path);
      if (attempts.some(({ exchange }) => isAccepted(exchange))) accepted.push(path);
      else refusals.push(`${path}: ${answerOf(attempts.at(-1)?.exchange)}`);
    } catch (error) {
      if (!(error instanceof NotTried)) throw error;
      missing.push(error.message);
    }
  }
  if (accepted.length > 0) return accepted;
  if (refusals.length === 0) throw new NotTried(missing.join("; "));
  throw new TargetLost(
    `no enrollment was accepted, so that no refusal proves anything (${refusals.join("; ")})`,
  );
};

/** @throws NotTried or TargetLost when the path does not accept enrollments */
export const requireAccepted = async (context: TrialContext, path: EnrollmentPath): Promise<Attempt> => {
  const attempts = await firstAttempts(context, path);
  const accepted = attempts.find(({ exchange }) => isAccepted(exchange));
  if (accepted !== undefined) return accepted;
  const refusal = attempts.at(-1)?.exchange;
  if (path === "push-account-receipt" && refusal !== undefined && isUnknownReceipt(refusal)) {
    throw new NotTried("needs a push account receipt that the server knows: the made-up one was refused");
  }
  throw new TargetLost(`the server refused ${path} enrollment: ${answerOf(refusal)}`);
};

/** A made-up receipt may be unknown, and a payload may not be decrypted: neither is held against a server. */
const isUnknownReceipt = (exchange: Exchange): boolean =>
  statusOf(exchange) === 400 &&
  (errorStatus(exchange.response?.json) === "INVALID_STATE" || blames(exchange, ["enrolmentReference"]));

const blames = (exchange: Exchange, words: readonly string[]): boolean =>
  sourcesOf(exchange.response?.json).some((source) =>
    words.some((word) => source.toLowerCase().includes(word.toLowerCase())),
  );

/** The request keeps to the contract: blaming its body as a whole says that it was not read. */
const blamesBody = (exchange: Exchange): boolean =>
  sourcesOf(exchange.response?.json).some((source) => /^(request ?)?body$/i.test(source));

/** For messages: status, error status and sources, or the failure of the connection. */
export const answerOf = (exchange: Exchange | undefined): string => {
  if (exchange === undefined) return "nothing was sent";
  if (exchange.failure !== undefined) return exchange.failure.message;
  const body = exchange.response?.json;
  const [detail] = errorDetails(body);
  const { message } = (body ?? {}) as { message?: unknown };
  const parts = [
    errorStatus(body),
    typeof message === "string" ? message : undefined,
    typeof detail?.reason === "string" ? detail.reason : undefined,
    ...sourcesOf(body),
  ].filter((part) => part !== undefined);
  return [`${statusOf(exchange)}`, ...parts].join(" ");
};

interface Blame {
  readonly applies: (exchange: Exchange, path: EnrollmentPath) => boolean;
  /** Requirement that the refusal breaks, or what the user can do about it. */
  readonly says:
    | { readonly breaks: string; readonly expected: string }
    | { readonly hint: string; readonly notTried?: true };
}

/** What the refusal of a valid enrollment says, first match first. */
const BLAME: readonly Blame[] = [
  {
    applies: (exchange) => exchange.failure !== undefined,
    says: { hint: "is the target running, and CARD_ENROLLMENT_BASE_URL right?" },
  },
  {
    applies: (exchange) => [404, 405, 501].includes(statusOf(exchange)),
    says: { breaks: "path.post-cards", expected: "an enrollment at POST {base_url}/cards" },
  },
  {
    applies: (exchange) => statusOf(exchange) === 415,
    says: {
      breaks: "request.content-type",
      expected: "a body of the content type application/json is taken",
    },
  },
  {
    applies: (exchange) => [401, 403].includes(statusOf(exchange)),
    says: { hint: "check CARD_ENROLLMENT_API_KEY" },
  },
  {
    applies: (exchange) => blames(exchange, ["srcClientId", "serviceId"]),
    says: { hint: "check CARD_ENROLLMENT_SRC_CLIENT_ID and CARD_ENROLLMENT_SERVICE_ID" },
  },
  {
    applies: (exchange, path) =>
      path === "card-number" && blames(exchange, ["encryptedCard", "card.", "primaryAccountNumber"]),
    // Never failed: how the card is encrypted is not shown (gaps: encryptedCard encryption).
    says: {
      hint: "the server could not read the encrypted card: check CARD_ENROLLMENT_ENCRYPTION_KEY and its algorithms",
    },
  },
  {
    applies: (exchange, path) => path === "card-number" && blames(exchange, ["enrolmentReference"]),
    says: { breaks: "enrollment.card-number-path", expected: "200 without enrolmentReferenceData" },
  },
  {
    applies: (exchange, path) =>
      path === "push-account-receipt" && blames(exchange, ["encryptedCard", "card"]),
    says: { breaks: "enrollment.push-account-receipt-path", expected: "200 without encryptedCard" },
  },
  {
    applies: (exchange) =>
      statusOf(exchange) === 400 &&
      errorStatus(exchange.response?.json) !== "INVALID_STATE" &&
      blamesBody(exchange),
    says: { breaks: "request.json-body", expected: "a valid JSON body is read" },
  },
  {
    applies: (exchange, path) => path === "push-account-receipt" && statusOf(exchange) === 400,
    says: {
      notTried: true,
      hint: "needs a push account receipt that the server knows: the made-up one was refused",
    },
  },
];

const notAsDocumented = (exchange: Exchange) =>
  violation({
    pointer: "",
    message: `a valid enrollment was answered with ${statusOf(exchange)}`,
    expected: "200",
    actual: `${statusOf(exchange)}`,
  });

/** Gives the verdicts that follow from how a path answered its first enrollments. */
export const judgePath = async (context: TrialContext, path: EnrollmentPath): Promise<boolean> => {
  const { judge } = context;
  const requirement = id(`enrollment.${path}-path`);
  const attempts = await firstAttempts(context, path);
  const accepted = attempts.filter(({ exchange }) => isAccepted(exchange)).map(({ exchange }) => exchange);
  const [first] = accepted;
  if (first !== undefined && statusOf(first) === 200) {
    judge.passed(requirement, accepted);
    return true;
  }
  const refusal = first ?? attempts.at(-1)?.exchange;
  if (refusal === undefined) throw new TargetLost("nothing was sent");
  const internal = statusOf(refusal) >= 500 && ![501, 503].includes(statusOf(refusal));
  const says = BLAME.find(({ applies }) => applies(refusal, path))?.says;
  if (first !== undefined || internal || (says !== undefined && "breaks" in says)) {
    const broken =
      says !== undefined && "breaks" in says ? says : { breaks: `enrollment.${path}-path`, expected: "200" };
    judge.record(
      id(broken.breaks),
      violation({
        pointer: "",
        message: `a valid ${path} enrollment was answered with ${statusOf(refusal)}`,
        expected: broken.expected,
        actual: answerOf(refusal),
      }),
      [refusal],
    );
    if (first !== undefined) judge.record(id("response.200.schema"), notAsDocumented(first), [first]);
    return first !== undefined;
  }
  const reason = `${answerOf(refusal)}${says === undefined ? "" : `: ${says.hint}`}`;
  if (says !== undefined && "notTried" in says) judge.notTried(requirement, says.hint);
  else judge.blocked(requirement, `a valid ${path} enrollment was refused: ${reason}`);
  return false;
};
