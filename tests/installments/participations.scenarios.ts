/** Participations: they are submitted, pending, and listed only after they are effectuated. */
import { type FoundItem, listedItems } from "../../fixtures/installments/calls.ts";
import { namesTheParameter } from "../../fixtures/installments/request-id.ts";
import { EFFECTUATION, type Participation } from "../../fixtures/installments/steps.ts";
import { scenariosIn, type T } from "../../fixtures/installments/trial.ts";
import { atPointer, escapeSegment } from "../../helpers/contract/pointer.ts";
import { holdsValue } from "../../helpers/flows/delivery.ts";
import { because, type Exchange, isAccepted, NotTried } from "../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("Endpoints");

const SUBMIT = "merchants.participations.submit";
const COMPLETED_ONLY = "merchants.participations.fetch-completed-only";
const DETAILS = "merchants.participations.participation-details";
const STATUS = "merchants.participations.status-by-request-id";
const OPERATIONS = ["postMerchantParticipations", "getMerchantParticipations"];

export const participationScenarios = [
  scenario("participations/effectuation", {
    title: "participations are listed only after their effectuation is completed, each with its own details",
    operations: OPERATIONS,
    requirements: [SUBMIT, COMPLETED_ONLY, DETAILS, STATUS],
    async run(t) {
      const participation = await unlistedParticipation(t);
      const beside = t.participationOf("Beside");
      const submitted = await t.submit([participation, beside], [SUBMIT]);
      // A later request shows whether each request id leads to its own request.
      await t.submit(t.participationOf("Later"), [SUBMIT]);
      const requestId = t.requestIdOf(submitted);
      const before = requestId === undefined ? undefined : await followRequest(t, participation, requestId);
      const early = await listedWhilePending(t, participation, requestId, before);
      const listed = await t.untilListed(participation.merchant);
      const second = listed === undefined ? undefined : await t.untilListed(beside.merchant);
      const followed =
        listed !== undefined || requestId === undefined
          ? undefined
          : await followRequest(t, participation, requestId);
      judgeSubmission(t, submitted, listed, followed);
      if (listed !== undefined) {
        judgeSecond(t, [submitted, listed.exchange], second !== undefined);
        judgeDetails(t, participation, listed, [beside]);
        judgeCompletedOnly(t, early, listed.exchange);
        if (before?.status === "PENDING" || t.isConfirmed()) judgeOthers(t, listed);
      }
      if (second !== undefined) judgeDetails(t, beside, second, [participation]);
      if (requestId !== undefined) await judgeStatus(t, [participation, beside], submitted, before);
      else {
        t.leaveUntried(STATUS, NO_REQUEST_ID);
      }
    },
  }),
];

const NO_REQUEST_ID = because(
  "lacks-setting",
  "request id",
  'BINDINGS to a file with the line postMerchantParticipations: "/its/pointer"',
);

/** Generates a merchant that is not listed, because an earlier run with the same seed may have submitted some. */
const unlistedParticipation = async (t: T): Promise<Participation> => {
  for (const name of ["Submitted", "Entered", "Reported", "Declared"]) {
    const participation = t.participationOf(name);
    if ((await t.findListed(participation.merchant)) === undefined) return participation;
  }
  throw new NotTried("other-seed", "every merchant that this seed generates is already listed");
};

interface Followed {
  readonly exchange: Exchange;
  /** Whether the answer is about the merchant of the request. */
  readonly about: boolean;
  readonly status: string | undefined;
}

const followRequest = async (t: T, { merchant }: Participation, requestId: string): Promise<Followed> => {
  const exchange = await t.send({
    operationId: "getMerchantParticipations",
    query: { request_id: requestId },
  });
  const item = listedItems(exchange).find((candidate) => holdsValue(candidate, merchant.merchantLegalName));
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
  t: T,
  participation: Participation,
  requestId: string | undefined,
  before: Followed | undefined,
): Promise<Early> => {
  if (requestId === undefined || before?.status !== "PENDING") return { listed: undefined };
  const found = await t.findListed(participation.merchant);
  const after = await followRequest(t, participation, requestId);
  if (after.status !== "PENDING") return { listed: undefined };
  return { listed: found !== undefined, exchange: found?.exchange ?? after.exchange };
};

/** @param followed what the request id leads to, if the merchant is not listed */
const judgeSubmission = (
  t: T,
  submitted: Exchange,
  listed: FoundItem | undefined,
  followed: Followed | undefined,
): void => {
  const exchanges = [listed, followed].flatMap((one) => one?.exchange ?? []);
  t.recordIfConfirmed(SUBMIT, listed !== undefined, [submitted, ...exchanges], {
    // A request that its own id does not lead to is neither pending nor refused.
    confirmed:
      t.isConfirmed() ||
      (followed !== undefined && listedItems(followed.exchange).length === 0 && namesTheParameter(submitted)),
    message: `an accepted participation was not listed within ${EFFECTUATION.limitSeconds} seconds`,
    expected: "it is effectuated and listed",
    actual: "it is not in the list",
  });
};

/** Judges that each merchant of a request is effectuated. No document states when, and whether at the same time. */
const judgeSecond = (t: T, exchanges: readonly Exchange[], holds: boolean): void =>
  t.recordIfConfirmed(SUBMIT, holds, exchanges, {
    doubt: "only one of two participations in a request was listed so far",
    message: `of two participations in one accepted request, only one was listed within ${EFFECTUATION.limitSeconds} seconds`,
    expected: "both are effectuated and listed",
    actual: "one of them",
  });

/** @param others merchants whose details the item must not show */
const judgeDetails = (
  t: T,
  { merchant, body }: Participation,
  { item, exchange }: FoundItem,
  others: readonly Participation[],
): void => {
  const identity = new Set<unknown>(Object.values(merchant));
  const details = Object.values((item ?? {}) as object).filter(
    (value) => value !== null && !identity.has(value),
  );
  t.judgeSeen(DETAILS, details.length > 0, [exchange], {
    message: "a listed merchant has no participation details",
    expected: "more than the name, country and acquirer of the merchant",
    actual: JSON.stringify(item),
  });
  const foreign = others.find((other) => holdsValue(item, streetOf(other.body)));
  t.judgeThat(DETAILS, foreign === undefined || holdsValue(item, streetOf(body)), [exchange], {
    message: "a listed merchant has the details of another merchant",
    expected: streetOf(body),
    actual: JSON.stringify(item),
  });
};

const streetOf = (body: unknown): string => String(atPointer(body, "/address/addressLine1"));

const judgeCompletedOnly = (t: T, early: Early, listed: Exchange): void => {
  if (early.listed === undefined) {
    t.leaveUntried(COMPLETED_ONLY, "not-shown", "the participation was never seen pending");
    return;
  }
  t.judgeThat(COMPLETED_ONLY, !early.listed, [early.exchange ?? listed, listed], {
    message: "a participation was listed while its effectuation was pending",
    expected: "it is listed when its effectuation is completed",
    actual: "it was listed before",
  });
};

/** Judges the other items of a list by the field that shows that the effectuation of this one is completed. */
const judgeOthers = (t: T, { item, exchange }: FoundItem): void => {
  const [name] = Object.entries((item ?? {}) as object).find(([, value]) => value === "COMPLETED") ?? [];
  if (name === undefined) return;
  const other = listedItems(exchange).find((one) => atPointer(one, `/${escapeSegment(name)}`) === "PENDING");
  t.judgeThat(COMPLETED_ONLY, other === undefined, [exchange], {
    message: "the list of completed effectuations has an item that is pending",
    expected: `each item with the ${name} COMPLETED`,
    actual: JSON.stringify(other),
  });
};

const judgeStatus = async (
  t: T,
  [participation, beside]: readonly [Participation, Participation],
  submitted: Exchange,
  before: Followed | undefined,
): Promise<void> => {
  const requestId = t.requestIdOf(submitted) ?? "";
  const last = await t.readUntil(
    () => followRequest(t, participation, requestId),
    ({ status }) => status === "COMPLETED",
    { everySeconds: 1, limitSeconds: 10 },
  );
  const items = listedItems(last.exchange);
  const names = [participation, beside].map(({ merchant }) => merchant.merchantLegalName);
  // The request contained only these merchants. Another merchant in the answer shows that the request id was ignored.
  const others = items.some((item) => !names.some((name) => holdsValue(item, name)));
  const lacks = names.some((name) => !items.some((item) => holdsValue(item, name)));
  const holds = before?.about === true && last.status === "COMPLETED" && !others && !lacks;
  const exchanges = [last.exchange, ...(before ? [before.exchange] : [])];
  const confirmed = t.namesAreConfirmed("getMerchantParticipations") || namesTheParameter(submitted);
  t.recordIfConfirmed(STATUS, holds, exchanges, {
    // The words of the statuses are assumed.
    confirmed: confirmed && (last.status !== undefined || t.isConfirmed("getMerchantParticipations")),
    message: "the request id of a participation does not lead to its effectuation status",
    expected: "only the merchants of the request, with their status up to COMPLETED",
    actual: last.about
      ? `${last.status ?? "no status"}${others ? ", with other merchants" : ""}${lacks ? ", without one of them" : ""}`
      : "not the merchant",
  });
};
