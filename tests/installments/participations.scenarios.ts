/** Participations: they are submitted, pending, and listed only after they are effectuated. */

import { type FoundItem, itemsOf, namesAreConfirmed } from "../../fixtures/installments/calls.ts";
import { namesTheParameter, requestIdOf } from "../../fixtures/installments/request-id.ts";
import {
  EFFECTUATION,
  findListed,
  type Participation,
  participationOf,
  submit,
  untilListed,
} from "../../fixtures/installments/steps.ts";
import { scenariosIn } from "../../fixtures/installments/trial.ts";
import { atPointer, escapeSegment } from "../../helpers/contract/pointer.ts";
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
    title: "participations are listed only after their effectuation is completed, each with its own details",
    operations: OPERATIONS,
    requirements: [SUBMIT, COMPLETED_ONLY, DETAILS, STATUS],
    async run(context) {
      const participation = await unlistedParticipation(context);
      const beside = participationOf(context, "Beside");
      const submitted = await submit(context, [participation, beside], [SUBMIT]);
      // A later request shows whether each request id leads to its own request.
      await submit(context, participationOf(context, "Later"), [SUBMIT]);
      const requestId = requestIdOf(context, submitted);
      const before =
        requestId === undefined ? undefined : await followRequest(context, participation, requestId);
      const early = await listedWhilePending(context, participation, requestId, before);
      const listed = await untilListed(context, participation.merchant);
      const second = listed === undefined ? undefined : await untilListed(context, beside.merchant);
      const followed =
        listed !== undefined || requestId === undefined
          ? undefined
          : await followRequest(context, participation, requestId);
      judgeSubmission(context, submitted, listed, followed);
      if (listed !== undefined) {
        judgeSecond(context, [submitted, listed.exchange], second !== undefined);
        judgeDetails(context, participation, listed, [beside]);
        judgeCompletedOnly(context, early, listed.exchange);
        if (before?.status === "PENDING" || isConfirmed(context)) judgeOthers(context, listed);
      }
      if (second !== undefined) judgeDetails(context, beside, second, [participation]);
      if (requestId !== undefined) await judgeStatus(context, [participation, beside], submitted, before);
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

/** @param followed what the request id leads to, if the merchant is not listed */
const judgeSubmission = (
  context: TrialContext,
  submitted: Exchange,
  listed: FoundItem | undefined,
  followed: Followed | undefined,
): void => {
  const exchanges = [listed, followed].flatMap((one) => one?.exchange ?? []);
  recordIfConfirmed(context, SUBMIT, listed !== undefined, [submitted, ...exchanges], {
    // A request that its own id does not lead to is neither pending nor refused.
    confirmed:
      isConfirmed(context) ||
      (followed !== undefined && itemsOf(followed.exchange).length === 0 && namesTheParameter(submitted)),
    message: `an accepted participation was not listed within ${EFFECTUATION.limitSeconds} seconds`,
    expected: "it is effectuated and listed",
    actual: "it is not in the list",
  });
};

/** Judges that each merchant of a request is effectuated. That the other one is shows that the target read the request. */
const judgeSecond = (context: TrialContext, exchanges: readonly Exchange[], holds: boolean): void =>
  judgeThat(context, SUBMIT, holds, exchanges, {
    message: `of two participations in one accepted request, only one was listed within ${EFFECTUATION.limitSeconds} seconds`,
    expected: "both are effectuated and listed",
    actual: "one of them",
  });

/** @param others merchants whose details the item must not show */
const judgeDetails = (
  context: TrialContext,
  { merchant, body }: Participation,
  { item, exchange }: FoundItem,
  others: readonly Participation[],
): void => {
  const identity = new Set<unknown>(Object.values(merchant));
  const details = Object.values((item ?? {}) as object).filter(
    (value) => value !== null && !identity.has(value),
  );
  judgeSeen(context, DETAILS, details.length > 0, [exchange], {
    message: "a listed merchant has no participation details",
    expected: "more than the name, country and acquirer of the merchant",
    actual: JSON.stringify(item),
  });
  const foreign = others.find((other) => holdsValue(item, streetOf(other.body)));
  judgeThat(context, DETAILS, foreign === undefined || holdsValue(item, streetOf(body)), [exchange], {
    message: "a listed merchant has the details of another merchant",
    expected: streetOf(body),
    actual: JSON.stringify(item),
  });
};

const streetOf = (body: unknown): string => String(atPointer(body, "/address/addressLine1"));

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

/** Judges the other items of a list by the field that shows that the effectuation of this one is completed. */
const judgeOthers = (context: TrialContext, { item, exchange }: FoundItem): void => {
  const [name] = Object.entries((item ?? {}) as object).find(([, value]) => value === "COMPLETED") ?? [];
  if (name === undefined) return;
  const other = itemsOf(exchange).find((one) => atPointer(one, `/${escapeSegment(name)}`) === "PENDING");
  judgeThat(context, COMPLETED_ONLY, other === undefined, [exchange], {
    message: "the list of completed effectuations has an item that is pending",
    expected: `each item with the ${name} COMPLETED`,
    actual: JSON.stringify(other),
  });
};

const judgeStatus = async (
  context: TrialContext,
  [participation, beside]: readonly [Participation, Participation],
  submitted: Exchange,
  before: Followed | undefined,
): Promise<void> => {
  const requestId = requestIdOf(context, submitted) ?? "";
  const last = await readUntil(
    context,
    () => followRequest(context, participation, requestId),
    ({ status }) => status === "COMPLETED",
    { everySeconds: 1, limitSeconds: 10 },
  );
  const items = itemsOf(last.exchange);
  const names = [participation, beside].map(({ merchant }) => merchant.merchantLegalName);
  // The request contained only these merchants. Another merchant in the answer shows that the request id was ignored.
  const others = items.some((item) => !names.some((name) => holdsValue(item, name)));
  const lacks = names.some((name) => !items.some((item) => holdsValue(item, name)));
  const holds = before?.about === true && last.status === "COMPLETED" && !others && !lacks;
  const exchanges = [last.exchange, ...(before ? [before.exchange] : [])];
  const confirmed = namesAreConfirmed(context, "getMerchantParticipations") || namesTheParameter(submitted);
  recordIfConfirmed(context, STATUS, holds, exchanges, {
    // The words of the statuses are assumed.
    confirmed: confirmed && (last.status !== undefined || isConfirmed(context, "getMerchantParticipations")),
    message: "the request id of a participation does not lead to its effectuation status",
    expected: "only the merchants of the request, with their status up to COMPLETED",
    actual: last.about
      ? `${last.status ?? "no status"}${others ? ", with other merchants" : ""}${lacks ? ", without one of them" : ""}`
      : "not the merchant",
  });
};
