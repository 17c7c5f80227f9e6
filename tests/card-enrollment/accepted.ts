/** Enrollments that the server should accept, and what it answers to them. */
import {
  type Enrollment,
  type EnrollmentPath,
  enroll,
  sampleEnrollments,
} from "../../fixtures/enrollment.ts";
import { type Exchange, isAccepted } from "../../helpers/exchange/exchange.ts";
import type { TrialContext } from "../../helpers/trials/trial.ts";
import { acceptedPaths } from "./acceptance.ts";

interface ResponseBody {
  readonly srcCorrelationId?: unknown;
  readonly maskedCard?: Readonly<Record<string, unknown>>;
  readonly maskedConsumer?: Readonly<Record<string, unknown>>;
}

export const responseBody = (exchange: Exchange): ResponseBody =>
  (exchange.response?.json ?? {}) as ResponseBody;

/** The path to take where either will do. */
export const firstAccepted = async (context: TrialContext): Promise<EnrollmentPath> =>
  (await acceptedPaths(context))[0] ?? "card-number";

/** Enrollments by a path that the server accepts. */
export const acceptable = async (
  context: TrialContext,
  count: number,
  shape: Parameters<typeof sampleEnrollments>[3] = {},
  seed: number = context.seed,
): Promise<Enrollment[]> => sampleEnrollments(context, await firstAccepted(context), count, shape, seed);

/** The accepted ones of the exchanges; a strict server may refuse a generated value now and then. */
export const sendAll = async (context: TrialContext, list: readonly Enrollment[]): Promise<Exchange[]> => {
  const exchanges: Exchange[] = [];
  for (const enrollment of list) exchanges.push(await enroll(context, enrollment));
  return exchanges.filter(isAccepted);
};
