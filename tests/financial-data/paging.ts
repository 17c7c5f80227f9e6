/** Pages of a list: walked to its end, and held against each other. */
import { instancesAt } from "../../helpers/checks/rules.ts";
import { type Exchange, isAccepted, statusOf } from "../../helpers/exchange/exchange.ts";
import { type Call, NotTried, type TrialContext } from "../../helpers/trials/trial.ts";
import { answerTo, operationOf, withQuery } from "./asking.ts";

const PAGE = 500;
const MOST_PAGES = 6;

export interface Walked {
  readonly items: readonly unknown[];
  readonly exchanges: readonly Exchange[];
}

/**
 * All items of a list.
 * @throws NotTried when a page is refused, holds no list, or the list does not end
 */
export const walk = async (context: TrialContext, call: Call): Promise<Walked> => {
  const { list } = operationOf(context, call.operationId);
  const items: unknown[] = [];
  const exchanges: Exchange[] = [];
  for (let page = 0; page < MOST_PAGES; page++) {
    const { exchange, shown } = await pageAt(context, call, items.length, PAGE);
    exchanges.push(exchange);
    items.push(...shown);
    const more =
      list?.more === undefined ? undefined : instancesAt(exchange.response?.json, list.more)[0]?.value;
    if (shown.length === 0 || more === false || (more === undefined && shown.length < PAGE))
      return { items, exchanges };
  }
  throw new NotTried(
    `${call.operationId} lists more than ${MOST_PAGES} pages of ${PAGE}: nothing is said of so many`,
  );
};

interface Page {
  readonly exchange: Exchange;
  readonly shown: readonly unknown[];
}

/** @param offset items before the page; where lists begin to count is the contract's to say */
export const pageAt = async (
  context: TrialContext,
  call: Call,
  offset: number,
  limit: number,
): Promise<Page> => {
  const { operationId, paging, list } = operationOf(context, call.operationId);
  if (paging?.start === undefined)
    throw new NotTried(`${operationId} has no start parameter in the document given`);
  const exchange = await answerTo(
    context,
    withQuery(call, { [paging.start]: paging.first + offset, [paging.limit]: limit }),
  );
  if (!isAccepted(exchange)) throw new NotTried(`${operationId} refuses a page with ${statusOf(exchange)}`);
  const [found] = instancesAt(exchange.response?.json, context.bindings[operationId] ?? list?.items ?? "");
  if (!Array.isArray(found?.value)) {
    throw new NotTried(
      `${operationId} shows no list at ${list?.items}: bind ${operationId} in BINDINGS to where it stands`,
    );
  }
  return { exchange, shown: found.value as readonly unknown[] };
};

const SMALL = 2;
const ATTEMPTS = 3;

/**
 * Two pages of two against one of four. Others may add to the list meanwhile: what does not fit is looked at again.
 * @param identify what tells one item from another
 */
export const pagesOf = async (
  context: TrialContext,
  call: Call,
  identify: (item: unknown) => string,
): Promise<{ readonly problem: string | undefined; readonly exchanges: readonly Exchange[] }> => {
  for (let attempt = 1; ; attempt++) {
    const whole = await pageAt(context, call, 0, 2 * SMALL);
    if (whole.shown.length < 2 * SMALL)
      throw new NotTried(`${call.operationId} lists fewer than four: there is nothing to page`);
    const first = await pageAt(context, call, 0, SMALL);
    const second = await pageAt(context, call, SMALL, SMALL);
    const ids = (page: Page) => page.shown.map(identify);
    const problem = problemOf(ids(whole), ids(first), ids(second));
    if (problem === undefined || attempt === ATTEMPTS) {
      return { problem, exchanges: [second.exchange, first.exchange, whole.exchange] };
    }
  }
};

/** In which order items come is open, but pages divide them. */
const problemOf = (
  whole: readonly string[],
  first: readonly string[],
  second: readonly string[],
): string | undefined => {
  if (first.length > SMALL || second.length > SMALL) return "a page holds more items than its limit";
  if (second.some((item) => first.includes(item)))
    return "an item of the first page comes again on the second";
  const lost = whole.filter((item) => !first.includes(item) && !second.includes(item));
  return lost.length === 0
    ? undefined
    : `${lost.length} of the first four items are on neither of their pages`;
};
