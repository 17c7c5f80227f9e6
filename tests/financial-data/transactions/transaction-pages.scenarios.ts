/** Pages of more transactions than one page may have, without omissions or duplicates. */
import { type Span, TRANSACTION_LISTS } from "../../../fixtures/financial-data/listed-transactions.ts";
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import { checkSize } from "../../../helpers/checks/obedience.ts";
import { checkPages } from "../../../helpers/checks/pages.ts";
import { type Exchange, isAccepted, NotTried, type Resources } from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("Transactions");

const PAGES = "transactions.start-limit-query";
const MOST = "transactions.page-max-1000";

/** The maximum number of transactions on a page. */
const LARGEST = 1000;

export const transactionPageScenarios = [
  scenario("transactions/pages-of-a-thousand", {
    title: "more than a thousand transactions are split into several pages",
    operations: TRANSACTION_LISTS,
    requirements: [PAGES, MOST],
    async run(t) {
      const need = "an account with more than 1000 transactions";
      const resources = await t.situation("many-transactions", need);
      for (const operationId of TRANSACTION_LISTS) {
        const list = { operationId, resources };
        const whole = await pageOf(t, list, 0, LARGEST);
        if (whole.ids.length < LARGEST) throw new NotTried("lacks", need);
        const next = await pageOf(t, list, LARGEST, LARGEST);
        judgePages(t, whole, [whole, next], false);
        if (next.ids.length > 0) await tryBeyond(t, list, whole.exchange);
        const half = LARGEST / 2;
        const halves = [await pageOf(t, list, 0, half), await pageOf(t, list, half, half)];
        judgePages(t, whole, halves, true);
      }
    },
  }),
];

/** Asks for a larger page than there may be, which is refused or cut (gaps: page size above the maximum). */
const tryBeyond = async (t: T, { operationId, resources }: List, whole: Exchange): Promise<void> => {
  const parameters = { ...pastSpan(t), ...t.pageQuery(operationId, 0, LARGEST + 1) };
  const probe = await t.answered(operationId, resources, { parameters });
  const shown = isAccepted(probe) ? t.itemsIn(probe).length : 0;
  t.record(MOST, checkSize("limit", LARGEST, shown), [probe, whole]);
  t.showOccasion(MOST);
};

/** Returns a fixed window in the past, because new transactions would move the pages. */
const pastSpan = (t: T): Span => t.lastDays(170);

interface List {
  readonly operationId: string;
  readonly resources: Resources;
}

interface IdPage {
  readonly ids: readonly string[];
  readonly exchange: Exchange;
}

const pageOf = async (
  t: T,
  { operationId, resources }: List,
  offset: number,
  size: number,
): Promise<IdPage> => {
  const parameters = { ...pastSpan(t), ...t.pageQuery(operationId, offset, size) };
  const { items, exchange } = await t.listTransactions(operationId, resources, parameters);
  return { ids: t.transactionKeys(items), exchange };
};

/** @param areAll whether the pages together are the whole list: the index of the first transaction is not documented */
const judgePages = (t: T, whole: IdPage, pages: readonly IdPage[], areAll: boolean): void => {
  const shown = pages.map(({ ids }) => ids);
  const exchanges = [...pages.toReversed(), whole].map(({ exchange }) => exchange);
  t.record(PAGES, checkPages("start", shown, whole.ids, areAll), exchanges);
};
