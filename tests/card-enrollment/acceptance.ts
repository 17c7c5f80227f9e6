/** Whether the server accepts a valid enrollment at all, and which verdicts follow from its first answers. */

import {
  ENROLLMENT_PATHS,
  type Enrollment,
  type EnrollmentPath,
  enroll,
  isEnrolled,
  sampleEnrollments,
} from "../../fixtures/enrollment.ts";
import { violation } from "../../helpers/checks/check.ts";
import { type Exchange, isAccepted, statusOf } from "../../helpers/exchange/exchange.ts";
import { NotTried, TargetLost, type TrialContext } from "../../helpers/trials/trial.ts";
import { answerOf, blameOf } from "./blame.ts";
import { id } from "./trial.ts";

export interface Attempt {
  readonly enrollment: Enrollment;
  readonly exchange: Exchange;
}

/**
 * The first enrollments of a trial by one path: enough to meet one that even a strict server accepts. A trial sends them
 * once. A path that refused them all is not asked again in the session, nor is a server that did not answer.
 */
export const firstAttempts = async (
  context: TrialContext,
  path: EnrollmentPath,
): Promise<readonly Attempt[]> => {
  const known = tried.get(context)?.get(path) ?? context.memory.get(`refused by ${path}`);
  if (known !== undefined) return known as readonly Attempt[];
  const attempts = await tryFirst(context, path);
  tried.set(context, new Map([...(tried.get(context) ?? []), [path, attempts]]));
  if (!attempts.some(({ exchange }) => isAccepted(exchange))) {
    context.memory.set(`refused by ${path}`, attempts);
  }
  return attempts;
};

/** By trial: a server may refuse to enroll the same card again. */
const tried = new WeakMap<TrialContext, ReadonlyMap<EnrollmentPath, readonly Attempt[]>>();

const tryFirst = async (context: TrialContext, path: EnrollmentPath): Promise<Attempt[]> => {
  // Not the seed of the trial: its other samples have to be of other cards.
  const seed = ~context.seed;
  // With all that is optional, without it, and as it comes.
  const samples = [
    ...(await sampleEnrollments(context, path, 1, ALL, seed)),
    ...(await sampleEnrollments(context, path, 1, NOTHING_OPTIONAL, seed)),
    ...(await sampleEnrollments(context, path, 3, {}, seed)).slice(1),
  ];
  const attempts: Attempt[] = [];
  for (const enrollment of samples) {
    const exchange = await enroll(context, enrollment);
    attempts.push({ enrollment, exchange });
    if (isAccepted(exchange) || exchange.failure !== undefined) break;
  }
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
  const says = refusal === undefined ? undefined : blameOf(refusal, path);
  if (says !== undefined && "notTried" in says) throw new NotTried(says.hint);
  throw new TargetLost(`the server refused ${path} enrollment: ${answerOf(refusal)}`);
};

/** A 500 may say that the card was not decrypted (gaps: encryptedCard encryption), unless receipts get one as well. */
const isInternal = async (
  context: TrialContext,
  path: EnrollmentPath,
  refusal: Exchange,
): Promise<boolean> => {
  if (path === "push-account-receipt" || !isFailure(refusal)) return isFailure(refusal);
  const receipts = await firstAttempts(context, "push-account-receipt");
  return receipts.every(({ exchange }) => isFailure(exchange));
};

const isFailure = (exchange: Exchange): boolean =>
  statusOf(exchange) >= 500 && ![501, 503].includes(statusOf(exchange));

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
    if (isEnrolled(first)) judge.passed(requirement, accepted);
    else judge.blocked(requirement, "200 without an enrollment record shows no enrollment");
    return true;
  }
  const refusal = first ?? attempts.at(-1)?.exchange;
  if (refusal === undefined) throw new TargetLost("nothing was sent");
  const internal = await isInternal(context, path, refusal);
  const says = blameOf(refusal, path);
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
  const answer = isAccepted(refusal)
    ? `${statusOf(refusal)} without an enrollment record`
    : answerOf(refusal);
  const reason = `${answer}${says === undefined ? "" : `: ${says.hint}`}`;
  if (says !== undefined && "notTried" in says) judge.notTried(requirement, says.hint);
  else judge.blocked(requirement, `a valid ${path} enrollment was refused: ${reason}`);
  return false;
};
