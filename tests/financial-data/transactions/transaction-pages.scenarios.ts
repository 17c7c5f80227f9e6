/** Pages of transactions by start and limit, without omissions or duplicates, with more than one full page. */

import { accountOfType } from "../../../fixtures/financial-data/linked-accounts.ts";
import {
  lastDays,
  listTransactions,
  type Span,
  TRANSACTION_LISTS,
  transactionKeys,
} from "../../../fixtures/financial-data/listed-transactions.ts";
import { scenariosIn } from "../../../fixtures/financial-data/trial.ts";
import { checkSize } from "../../../helpers/checks/obedience.ts";
import { type Exchange, isAccepted } from "../../../helpers/exchange/exchange.ts";
import { answered } from "../../../helpers/trials/kit/asking.ts";
import { type Resources, situation } from "../../../helpers/trials/kit/calls.ts";
import { pageQuery } from "../../../helpers/trials/kit/pages.ts";
import { tryParameter } from "../../../helpers/trials/kit/parameters.ts";
import { itemsIn } from "../../../helpers/trials/kit/reading.ts";
import { judgeThat, leaveUntried, record, showOccasion } from "../../../helpers/trials/kit/verdicts.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const scenario = scenariosIn("Transactions");

const PAGES = "transactions.start-limit-query";
const MOST = "transactions.page-max-1000";

const SMALL = 5;
/** The maximum number of transactions on a page. */
const LARGEST = 1000;

export const transactionPageScenarios: readonly Trial[] = [
  scenario({
    id: "transactions/pages",
    title: "lists are paged by start and limit",
    operations: TRANSACTION_LISTS,
    requirements: [PAGES],
    async run(context) {
      const { resources } = await accountOfType(context, "checking", "savings", "creditcard");
      const base = { parameters: pastSpan(context) };
      for (const operationId of TRANSACTION_LISTS) {
        const list = { operationId, resources };
        const tried: (Exchange | undefined)[] = [];
        for (const [name, value] of Object.entries(pageQuery(context, operationId, 0, SMALL)))
          tried.push(
            (await tryParameter(context, PAGES, { operationId, name, value, base }, resources))?.probe,
          );
        // Each answer of a run is judged by its size.
        if (tried.includes(undefined)) continue;
        const shown = itemsIn(context, tried.at(-1) as Exchange).length;
        await judgePages(context, list, shown < SMALL ? Math.max(1, Math.floor(shown / 2)) : SMALL);
      }
    },
  }),

  scenario({
    id: "transactions/pages-of-a-thousand",
    title: "more than a thousand transactions are split into several pages",
    operations: TRANSACTION_LISTS,
    requirements: [PAGES, MOST],
    async run(context) {
      const need = "an account with more than 1000 transactions";
      const resources = await situation(context, "many-transactions", need);
      for (const operationId of TRANSACTION_LISTS) {
        const list = { operationId, resources };
        const whole = await pageOf(context, list, 0, LARGEST);
        if (whole.ids.length < LARGEST) throw new NotTried(`needs ${need}`);
        const next = await pageOf(context, list, LARGEST, LARGEST);
        judgeOthers(context, next, [whole]);
        if (next.ids.length > 0) await tryBeyond(context, list, whole.exchange);
        await judgePages(context, list, LARGEST / 2);
      }
    },
  }),
];

/** Asks for a larger page than there may be, which is refused or cut (gaps: page size above the maximum). */
const tryBeyond = async (
  context: TrialContext,
  { operationId, resources }: List,
  whole: Exchange,
): Promise<void> => {
  const parameters = { ...pastSpan(context), ...pageQuery(context, operationId, 0, LARGEST + 1) };
  const probe = await answered(context, operationId, resources, { parameters });
  const shown = isAccepted(probe) ? itemsIn(context, probe).length : 0;
  record(context, MOST, checkSize("limit", LARGEST, shown), [probe, whole]);
  showOccasion(context, MOST);
};

/** Returns a fixed window in the past, because new transactions would move the pages. */
const pastSpan = (context: TrialContext): Span => lastDays(context, 170);

interface List {
  readonly operationId: string;
  readonly resources: Resources;
}

interface IdPage {
  readonly ids: readonly string[];
  readonly exchange: Exchange;
}

const pageOf = async (
  context: TrialContext,
  { operationId, resources }: List,
  offset: number,
  size: number,
): Promise<IdPage> => {
  const parameters = { ...pastSpan(context), ...pageQuery(context, operationId, offset, size) };
  const { items, exchange } = await listTransactions(context, operationId, resources, parameters);
  return { ids: transactionKeys(context, items), exchange };
};

/**
 * Compares two pages only with the whole list, because the index of the first transaction is not documented (gaps:
 * paging parameters).
 */
const judgePages = async (context: TrialContext, list: List, size: number): Promise<void> => {
  const whole = await pageOf(context, list, 0, size * 2);
  if (whole.ids.length <= size) {
    leaveUntried(context, PAGES, `needs an account with more than ${size} transactions`);
    return;
  }
  const pages = [await pageOf(context, list, 0, size), await pageOf(context, list, size, size)];
  for (const [index, page] of pages.entries()) {
    judgeOthers(context, page, pages.slice(0, index));
  }
  const together = pages.flatMap(({ ids }) => ids);
  const at = whole.ids.findIndex((one, index) => one !== together[index]);
  const isSame = at < 0 && together.length === whole.ids.length;
  judgeThat(context, PAGES, isSame, [...pages, whole].map(exchangeOf), {
    pointer: "start",
    message: `two pages of ${size} transactions differ from one page of ${size * 2}`,
    expected: `${whole.ids.length} transactions, ${at < 0 ? "no more" : `${whole.ids[at]} at ${at}`}`,
    actual: `${together.length} transactions${at < 0 ? "" : `, ${together[at]} at ${at}`}`,
  });
};

const judgeOthers = (context: TrialContext, page: IdPage, before: readonly IdPage[]): void => {
  const known = new Set(before.flatMap(({ ids }) => ids));
  const again = page.ids.filter((one) => known.has(one));
  judgeThat(context, PAGES, again.length === 0, [page, ...before].map(exchangeOf), {
    pointer: "start",
    message: `${again.length} of ${page.ids.length} transactions of a page were on an earlier page`,
    expected: "different transactions on each page",
    actual: again.slice(0, 3).join(", "),
  });
};

const exchangeOf = ({ exchange }: IdPage): Exchange => exchange;
