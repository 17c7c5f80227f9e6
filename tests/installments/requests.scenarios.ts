/** Requests for participations: each leads to its own merchants only, and leaves the merchants of the others. */

import { accepted, itemsOf, namesAreConfirmed, unknownLike } from "../../fixtures/installments/calls.ts";
import { namesTheParameter, requestIdOf } from "../../fixtures/installments/request-id.ts";
import {
  findListed,
  type Participation,
  participationOf,
  submit,
  untilListed,
} from "../../fixtures/installments/steps.ts";
import { scenariosIn } from "../../fixtures/installments/trial.ts";
import { contentOf, type Exchange, isAccepted } from "../../helpers/exchange/exchange.ts";
import { holdsValue } from "../../helpers/flows/delivery.ts";
import { readUntil } from "../../helpers/flows/read-until.ts";
import { unconfirmed } from "../../helpers/trials/kit/names.ts";
import { judgeThat, leaveUntried, recordIfConfirmed } from "../../helpers/trials/kit/verdicts.ts";
import { NotTried } from "../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../helpers/trials/trial.ts";

const scenario = scenariosIn("Endpoints");

const SUBMIT = "merchants.participations.submit";
const STATUS = "merchants.participations.status-by-request-id";
const COUNTS = "lists.counts";
const OPERATIONS = ["postMerchantParticipations", "getMerchantParticipations"];

export const requestScenarios: readonly Trial[] = [
  scenario({
    id: "requests/apart",
    title: "a request id leads to the merchants of its own request only",
    operations: OPERATIONS,
    requirements: [SUBMIT, STATUS, COUNTS],
    async run(context) {
      const [own, next] = [participationOf(context, "Own"), participationOf(context, "Next")];
      const submitted = await submit(context, own, [SUBMIT]);
      if ((await untilListed(context, own.merchant)) === undefined)
        throw new NotTried(unconfirmed(context, "the submitted merchant was not listed"));
      const other = requestIdOf(context, await submit(context, next, [SUBMIT]));
      await untilListed(context, next.merchant);
      await judgeKept(context, own);
      await judgeCounts(context);
      await judgeOtherRequests(context, own, submitted, other);
    },
  }),
];

/** Judges that a merchant is still listed after other requests. */
const judgeKept = async (context: TrialContext, { merchant }: Participation): Promise<void> => {
  const kept = await readUntil(
    context,
    () => findListed(context, merchant),
    (found) => found !== undefined,
  );
  const list = kept?.exchange ?? (await accepted(context, { operationId: "getMerchantParticipations" }));
  judgeThat(context, SUBMIT, kept !== undefined, [list], {
    message: "a merchant is no longer listed after the next request",
    expected: merchant.merchantLegalName,
    actual: "without that merchant",
  });
};

/** Judges that an unknown request id, and the id of another request, do not lead to the merchant. */
const judgeOtherRequests = async (
  context: TrialContext,
  { merchant }: Participation,
  submitted: Exchange,
  other: string | undefined,
): Promise<void> => {
  const requestId = requestIdOf(context, submitted);
  if (requestId === undefined) return;
  const confirmed = namesAreConfirmed(context, "getMerchantParticipations") || namesTheParameter(submitted);
  for (const [what, id] of [
    ["an unknown request id", unknownLike(requestId)],
    ["the id of another request", other],
  ] as const) {
    if (id === undefined) continue;
    const call = { operationId: "getMerchantParticipations", query: { request_id: id } };
    const exchange = await context.send(call);
    const isShown = isAccepted(exchange) && holdsValue(contentOf(exchange), merchant.merchantLegalName);
    recordIfConfirmed(context, STATUS, !isShown, [exchange], {
      confirmed,
      message: `${what} leads to the merchant of a request`,
      expected: "not that merchant",
      actual: merchant.merchantLegalName,
    });
  }
};

/** Judges the counts in the headers of a list, next to its items, and the total of a page next to a whole list. */
const judgeCounts = async (context: TrialContext): Promise<void> => {
  const page = (limit: number) =>
    accepted(context, { operationId: "getMerchantParticipations", query: { offset: 0, limit } });
  const whole = await page(WHOLE);
  const one = await page(1);
  const found = [whole, one].flatMap((exchange) => {
    const { length } = itemsOf(exchange);
    const [count, total] = [headerOf(exchange, "count"), headerOf(exchange, "total")];
    // Others may submit merchants between the two answers, so the total may only be too low.
    const least = exchange === one ? itemsOf(whole).length : length;
    const isExact = exchange === whole && length < WHOLE;
    if (count !== undefined && count !== length)
      return [{ exchange, pointer: "count", expected: `${length}`, actual: `${count}` }];
    if (total !== undefined && (total < least || (isExact && total > length)))
      return [{ exchange, pointer: "total", expected: `${least}`, actual: `${total}` }];
    return [];
  });
  if (headerOf(whole, "count") === undefined && headerOf(whole, "total") === undefined) {
    leaveUntried(context, COUNTS, "no header of the list states a count under an assumed name");
    return;
  }
  const [{ exchange, ...wrong } = { exchange: one, pointer: "", expected: "", actual: "" }] = found;
  judgeThat(context, COUNTS, found.length === 0, [exchange, whole], {
    message: `the header ${wrong.pointer} does not state the number of merchants`,
    ...wrong,
  });
};

/** The longest page. */
const WHOLE = 500;

const headerOf = ({ response }: Exchange, name: string): number | undefined => {
  const text = response?.headers[name];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
};
