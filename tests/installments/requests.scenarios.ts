/** Requests for participations: each leads to its own merchants only, and leaves the merchants of the others. */
import { listedItems, unknownLike } from "../../fixtures/installments/calls.ts";
import { namesTheParameter } from "../../fixtures/installments/request-id.ts";
import type { Merchant, Participation } from "../../fixtures/installments/steps.ts";
import { scenariosIn, type T } from "../../fixtures/installments/trial.ts";
import { holdsValue } from "../../helpers/flows/delivery.ts";
import { contentOf, type Exchange, isAccepted, NotTried } from "../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("Endpoints");

const SUBMIT = "merchants.participations.submit";
const STATUS = "merchants.participations.status-by-request-id";
const COUNTS = "lists.counts";
const OPERATIONS = ["postMerchantParticipations", "getMerchantParticipations"];

export const requestScenarios = [
  scenario("requests/apart", {
    title: "a request id leads to the merchants of its own request only",
    operations: OPERATIONS,
    requirements: [SUBMIT, STATUS, COUNTS],
    async run(t) {
      const [own, next] = [t.participationOf("Own"), t.participationOf("Next")];
      const submitted = await t.submit(own, [SUBMIT]);
      if ((await t.untilListed(own.merchant)) === undefined)
        throw new NotTried(t.unconfirmed("the submitted merchant was not listed"));
      const answer = await t.submit(next, [SUBMIT]);
      const isListed = (await t.untilListed(next.merchant)) !== undefined;
      await judgeKept(t, own);
      await judgeCounts(t);
      const first = { merchant: own.merchant, answer: submitted };
      await judgeRequestIds(t, first, isListed ? { merchant: next.merchant, answer } : undefined);
    },
  }),
];

interface Submitted {
  readonly merchant: Merchant;
  /** The answer to the request that contained only this merchant. */
  readonly answer: Exchange;
}

/** Judges that a merchant is still listed after other requests. */
const judgeKept = async (t: T, { merchant }: Participation): Promise<void> => {
  const kept = await t.readUntil(
    () => t.findListed(merchant),
    (found) => found !== undefined,
  );
  const list = kept?.exchange ?? (await t.acceptedCall({ operationId: "getMerchantParticipations" }));
  t.judgeThat(SUBMIT, kept !== undefined, [list], {
    message: "a merchant is no longer listed after the next request",
    expected: merchant.merchantLegalName,
    actual: "without that merchant",
  });
};

/**
 * Judges that an unknown request id leads to no merchant, and each other one to its own. The id of the first request is read
 * last, after those that a server may confuse with it.
 */
const judgeRequestIds = async (t: T, own: Submitted, next: Submitted | undefined): Promise<void> => {
  const ownId = t.requestIdOf(own.answer);
  if (ownId === undefined) return;
  const unlike = await readStatus(t, unknownLike(ownId));
  t.recordIfConfirmed(STATUS, !isAbout(unlike, own), [unlike], {
    confirmed: isParameterKnown(t, own),
    message: "an unknown request id leads to the merchant of a request",
    expected: "not that merchant",
    actual: own.merchant.merchantLegalName,
  });
  if (next === undefined) return;
  await judgeRequestId(t, next, own);
  await judgeRequestId(t, own, next);
};

const readStatus = (t: T, id: string): Promise<Exchange> =>
  t.send({ operationId: "getMerchantParticipations", query: { request_id: id } });

const isAbout = (exchange: Exchange, { merchant }: Submitted): boolean =>
  isAccepted(exchange) && holdsValue(contentOf(exchange), merchant.merchantLegalName);

const isParameterKnown = (t: T, { answer }: Submitted): boolean =>
  t.namesAreConfirmed("getMerchantParticipations") || namesTheParameter(answer);

const judgeRequestId = async (t: T, own: Submitted, other: Submitted): Promise<void> => {
  const id = t.requestIdOf(own.answer);
  if (id === undefined) return;
  const exchange = await t.readUntil(
    () => readStatus(t, id),
    (one) => isAbout(one, own),
  );
  const isForeign = isAbout(exchange, other);
  t.recordIfConfirmed(STATUS, isAbout(exchange, own) && !isForeign, [exchange, own.answer], {
    confirmed: isParameterKnown(t, own),
    message: `the id of a request ${isForeign ? "leads to the merchant of another one" : "does not lead to its merchant"}`,
    expected: own.merchant.merchantLegalName,
    actual: isForeign ? other.merchant.merchantLegalName : "without that merchant",
  });
};

/** Judges the counts in the headers of a list, next to its items, and the total of a page next to a whole list. */
const judgeCounts = async (t: T): Promise<void> => {
  const page = (limit: number) =>
    t.acceptedCall({ operationId: "getMerchantParticipations", query: { offset: 0, limit } });
  const whole = await page(WHOLE);
  const one = await page(1);
  const found = [whole, one].flatMap((exchange) => {
    const { length } = listedItems(exchange);
    const [count, total] = [headerOf(exchange, "count"), headerOf(exchange, "total")];
    // Others may submit merchants between the two answers, so the total may only be too low.
    const least = exchange === one ? listedItems(whole).length : length;
    const isExact = exchange === whole && length < WHOLE;
    if (count !== undefined && count !== length)
      return [{ exchange, pointer: "count", expected: `${length}`, actual: `${count}` }];
    if (total !== undefined && (total < least || (isExact && total > length)))
      return [{ exchange, pointer: "total", expected: `${least}`, actual: `${total}` }];
    return [];
  });
  if (headerOf(whole, "count") === undefined && headerOf(whole, "total") === undefined)
    return t.leaveUntried(COUNTS, "name-assumed", "no header is named like a count");
  const [{ exchange, ...wrong } = { exchange: one, pointer: "", expected: "", actual: "" }] = found;
  t.judgeThat(COUNTS, found.length === 0, [exchange, whole], {
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
