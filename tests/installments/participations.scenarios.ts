/** Participations: they are submitted, pending, and listed only after they are effectuated. */

import { itemsOf, namesAreConfirmed } from "../../fixtures/installments/calls.ts";
import { requestIdOf } from "../../fixtures/installments/request-id.ts";
import {
  EFFECTUATION,
  findListed,
  type Merchant,
  type Participation,
  participationOf,
  submit,
  untilListed,
} from "../../fixtures/installments/steps.ts";
import { scenariosIn } from "../../fixtures/installments/trial.ts";
import { type Exchange, isAccepted } from "../../helpers/exchange/exchange.ts";
import { holdsValue } from "../../helpers/flows/delivery.ts";
import { readUntil } from "../../helpers/flows/read-until.ts";
import { isConfirmed } from "../../helpers/trials/kit/names.ts";
import { judgeSeen, judgeThat, leaveUntried, recordIfConfirmed } from "../../helpers/trials/kit/verdicts.ts";
import { NotTried } from "../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../helpers/trials/trial.ts";

const scenario = scenariosIn("Endpoints");

const SUBMIT = "merchants.participations.submit";
const COMPLETED_ONLY = "merchants.participations.fetch-completed-only";
const DETAILS = "merchants.participations.participation-details";
const STATUS = "merchants.participations.status-by-request-id";
const OPERATIONS = ["postMerchantParticipations", "getMerchantParticipations"];

export const participationScenarios: readonly Trial[] = [
  scenario({
    id: "participations/effectuation",
    title: "a participation is listed only after its effectuation is completed",
    operations: OPERATIONS,
    requirements: [SUBMIT, COMPLETED_ONLY, DETAILS, STATUS],
    async run(context) {
      const participation = await unlistedParticipation(context);
      const submitted = await submit(context, participation, [SUBMIT]);
      const requestId = requestIdOf(context, submitted);
      const before =
        requestId === undefined ? undefined : await followRequest(context, participation, requestId);
      const early = await listedWhilePending(context, participation, requestId, before);
      const listed = await untilListed(context, participation.merchant);
      judgeSubmission(context, [submitted, ...(listed ? [listed.exchange] : [])], listed !== undefined);
      if (listed !== undefined) {
        judgeDetails(context, participation.merchant, listed.item, listed.exchange);
        judgeCompletedOnly(context, early, listed.exchange);
      }
      if (requestId !== undefined) await judgeStatus(context, participation, requestId, before);
      else {
        leaveUntried(context, STATUS, NO_REQUEST_ID);
      }
    },
  }),
];

const NO_REQUEST_ID =
  'needs request id: neither the header Location nor the body gives one; set BINDINGS to a file with the line postMerchantParticipations: "/its/pointer"';

/** Generates a merchant that is not listed, because an earlier run with the same seed may have submitted some. */
const unlistedParticipation = async (context: TrialContext): Promise<Participation> => {
  for (const name of ["Submitted", "Entered", "Reported", "Declared"]) {
    const participation = participationOf(context, name);
    if ((await findListed(context, participation.merchant)) === undefined) return participation;
  }
  throw new NotTried("every merchant that this seed generates is already listed: choose another --seed");
};

interface Followed {
  readonly exchange: Exchange;
  /** Whether the answer is about the merchant of the request. */
  readonly about: boolean;
  readonly status: string | undefined;
}

const followRequest = async (
  context: TrialContext,
  { merchant }: Participation,
  requestId: string,
): Promise<Followed> => {
  const exchange = await context.send({
    operationId: "getMerchantParticipations",
    query: { request_id: requestId },
  });
  const item = itemsOf(exchange).find((candidate) => holdsValue(candidate, merchant.merchantLegalName));
  return { exchange, about: isAccepted(exchange) && item !== undefined, status: statusIn(item) };
};

const STATUSES = ["PENDING", "COMPLETED", "ERROR"];

/** Finds an assumed status value in any field. */
const statusIn = (item: unknown): string | undefined => STATUSES.find((status) => holdsValue(item, status));

interface Early {
  /** `undefined` when the participation was not seen pending. */
  readonly listed: boolean | undefined;
  readonly exchange?: Exchange;
}

/** Reads the list between two reads of the status, so that the effectuation was certainly pending. */
const listedWhilePending = async (
  context: TrialContext,
  participation: Participation,
  requestId: string | undefined,
  before: Followed | undefined,
): Promise<Early> => {
  if (requestId === undefined || before?.status !== "PENDING") return { listed: undefined };
  const found = await findListed(context, participation.merchant);
  const after = await followRequest(context, participation, requestId);
  if (after.status !== "PENDING") return { listed: undefined };
  return { listed: found !== undefined, exchange: found?.exchange ?? after.exchange };
};

const judgeSubmission = (context: TrialContext, exchanges: readonly Exchange[], holds: boolean): void =>
  recordIfConfirmed(context, SUBMIT, holds, exchanges, {
    confirmed: isConfirmed(context),
    message: `an accepted participation was not listed within ${EFFECTUATION.limitSeconds} seconds`,
    expected: "it is effectuated and listed",
    actual: "it is not in the list",
  });

const judgeDetails = (
  context: TrialContext,
  { merchantLegalName, countryCode, acquirerICA }: Merchant,
  item: unknown,
  exchange: Exchange,
): void => {
  const identity = new Set<unknown>([merchantLegalName, countryCode, acquirerICA]);
  const details = Object.values((item ?? {}) as object).filter(
    (value) => value !== null && !identity.has(value),
  );
  judgeSeen(context, DETAILS, details.length > 0, [exchange], {
    message: "a listed merchant has no participation details",
    expected: "more than the name, country and acquirer of the merchant",
    actual: JSON.stringify(item),
  });
};

const judgeCompletedOnly = (context: TrialContext, early: Early, listed: Exchange): void => {
  if (early.listed === undefined) {
    leaveUntried(context, COMPLETED_ONLY, "the participation was never seen pending");
    return;
  }
  judgeThat(context, COMPLETED_ONLY, !early.listed, [early.exchange ?? listed, listed], {
    message: "a participation was listed while its effectuation was pending",
    expected: "it is listed when its effectuation is completed",
    actual: "it was listed before",
  });
};

const judgeStatus = async (
  context: TrialContext,
  participation: Participation,
  requestId: string,
  before: Followed | undefined,
): Promise<void> => {
  const last = await readUntil(
    context,
    () => followRequest(context, participation, requestId),
    ({ status }) => status === "COMPLETED",
    { everySeconds: 1, limitSeconds: 10 },
  );
  // The request contained only this merchant. Another merchant in the answer shows that the request id was ignored.
  const others = itemsOf(last.exchange).length > 1;
  const holds = before?.about === true && last.status === "COMPLETED" && !others;
  const exchanges = [last.exchange, ...(before ? [before.exchange] : [])];
  recordIfConfirmed(context, STATUS, holds, exchanges, {
    confirmed: namesAreConfirmed(context, "getMerchantParticipations"),
    message: "the request id of a participation does not lead to its effectuation status",
    expected: "only the merchant of the request, with its status up to COMPLETED",
    actual: last.about
      ? `${last.status ?? "no status"}${others ? ", with other merchants" : ""}`
      : "not the merchant",
  });
};
