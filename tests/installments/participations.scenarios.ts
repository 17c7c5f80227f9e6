/** Participations: submitted, pending, effectuated and only then listed. */

import { itemsOf, namesAreCertain } from "../../fixtures/installments/calls.ts";
import { id } from "../../fixtures/installments/ids.ts";
import {
  findListed,
  type Merchant,
  type Participation,
  participationOf,
  requestIdOf,
  submit,
} from "../../fixtures/installments/steps.ts";
import { conclude, scenario } from "../../fixtures/installments/trial.ts";
import { type Exchange, isAccepted } from "../../helpers/exchange/exchange.ts";
import { holdsValue } from "../../helpers/flows/delivery.ts";
import { waitUntil } from "../../helpers/flows/wait-until.ts";
import { NotTried } from "../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../helpers/trials/trial.ts";

const OPERATIONS = ["postMerchantParticipations", "getMerchantParticipations"];
const PATIENCE = { everySeconds: 1, limitSeconds: 60 };

export const participationScenarios: readonly Trial[] = [
  scenario(
    {
      id: "participations/effectuation",
      title: "a participation is listed when its effectuation is completed, and not before",
      section: "Endpoints",
      operations: OPERATIONS,
      requirements: [
        "merchants.participations.submit",
        "merchants.participations.fetch-completed-only",
        "merchants.participations.participation-details",
        "merchants.participations.status-by-request-id",
      ],
    },
    async (context) => {
      const participation = await unlistedParticipation(context);
      const submitted = await submit(context, participation, [id("merchants.participations.submit")]);
      const requestId = requestIdOf(context, submitted);
      const before =
        requestId === undefined ? undefined : await followRequest(context, participation, requestId);
      const early = await listedWhilePending(context, participation, requestId, before);
      const listed = await waitUntil(
        context.clock,
        () => findListed(context, participation.merchant),
        PATIENCE,
      );
      concludeSubmission(context, [submitted, ...(listed ? [listed.exchange] : [])], listed !== undefined);
      if (listed !== undefined) {
        concludeDetails(context, participation.merchant, listed.item, listed.exchange);
        concludeCompletedOnly(context, early, listed.exchange);
      }
      if (requestId !== undefined) await concludeStatus(context, participation, requestId, before);
      else {
        context.judge.notTried(
          id("merchants.participations.status-by-request-id"),
          'needs request id: neither the header Location nor the body gives one; set BINDINGS to a file with the line postMerchantParticipations: "/its/pointer"',
        );
      }
    },
  ),
];

/** A made-up merchant may be known from an earlier run with the same seed. */
const unlistedParticipation = async (context: TrialContext): Promise<Participation> => {
  for (const name of ["Submitted", "Entered", "Reported", "Declared"]) {
    const participation = participationOf(context, name);
    if ((await findListed(context, participation.merchant)) === undefined) return participation;
  }
  throw new NotTried("every merchant that this seed makes up is listed already: choose another --seed");
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
  const item = itemsOf(exchange.response?.json).find((candidate) =>
    holdsValue(candidate, merchant.merchantLegalName),
  );
  return { exchange, about: isAccepted(exchange) && item !== undefined, status: statusIn(item) };
};

const STATUSES = ["PENDING", "COMPLETED", "ERROR"];

/** Whatever the field is called, if its value is one of the assumed ones. */
const statusIn = (item: unknown): string | undefined => STATUSES.find((status) => holdsValue(item, status));

interface Early {
  /** `undefined` when the participation was not seen pending. */
  readonly listed: boolean | undefined;
  readonly exchange?: Exchange;
}

/** Asked before and after, so that an effectuation completed in between is not taken for a pending one. */
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

const concludeSubmission = (context: TrialContext, exchanges: readonly Exchange[], holds: boolean): void =>
  conclude(
    context,
    "merchants.participations.submit",
    {
      holds,
      // How long an effectuation may take is not shown.
      certain: context.capabilities.has("new-implementation"),
      finding: {
        message: `an accepted participation was not listed within ${PATIENCE.limitSeconds} seconds`,
        expected: "it is effectuated and listed",
        actual: "it is not in the list",
      },
    },
    exchanges,
  );

const concludeDetails = (
  context: TrialContext,
  { merchantLegalName, countryCode, acquirerICA }: Merchant,
  item: unknown,
  exchange: Exchange,
): void => {
  const identity = new Set<unknown>([merchantLegalName, countryCode, acquirerICA]);
  const details = Object.values((item ?? {}) as object).filter(
    (value) => value !== null && !identity.has(value),
  );
  conclude(
    context,
    "merchants.participations.participation-details",
    {
      holds: details.length > 0,
      certain: true,
      finding: {
        message: "a listed merchant comes without any participation details",
        expected: "more than the name, country and acquirer of the merchant",
        actual: JSON.stringify(item),
      },
    },
    [exchange],
  );
};

const concludeCompletedOnly = (context: TrialContext, early: Early, listed: Exchange): void => {
  const requirement = "merchants.participations.fetch-completed-only";
  if (early.listed === undefined) {
    context.judge.notTried(id(requirement), "the participation was never seen pending");
    return;
  }
  conclude(
    context,
    requirement,
    {
      holds: !early.listed,
      certain: true,
      finding: {
        message: "a participation was listed while its effectuation was pending",
        expected: "it is listed when its effectuation is completed",
        actual: "it was listed before",
      },
    },
    [early.exchange ?? listed, listed],
  );
};

const concludeStatus = async (
  context: TrialContext,
  participation: Participation,
  requestId: string,
  before: Followed | undefined,
): Promise<void> => {
  const completed = await waitUntil(
    context.clock,
    async () => {
      const followed = await followRequest(context, participation, requestId);
      return followed.status === "COMPLETED" ? followed : undefined;
    },
    { everySeconds: 1, limitSeconds: 10 },
  );
  const last = completed ?? (await followRequest(context, participation, requestId));
  // Only this merchant was in the request: another in the answer shows that the request id did not select.
  const others = itemsOf(last.exchange.response?.json).length > 1;
  const requirement = "merchants.participations.status-by-request-id";
  const finding = {
    message: "the request id of a participation does not lead to its effectuation status",
    expected: "the merchant of the request alone, with its status up to COMPLETED",
    actual: last.about
      ? `${last.status ?? "no status"}${others ? ", beside other merchants" : ""}`
      : "not the merchant",
  };
  const holds = before?.about === true && completed !== undefined && !others;
  const certain = namesAreCertain(context, "getMerchantParticipations");
  const exchanges = [last.exchange, ...(before ? [before.exchange] : [])];
  conclude(context, requirement, { holds, certain, finding }, exchanges);
};
