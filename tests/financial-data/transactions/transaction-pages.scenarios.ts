/** Pages of more transactions than one page may have, without omissions or duplicates. */
import { type Span, TRANSACTION_LISTS } from "../../../fixtures/financial-data/listed-transactions.ts";
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import { checkSize } from "../../../helpers/checks/obedience.ts";
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
        judgeOthers(t, next, [whole]);
        if (next.ids.length > 0) await tryBeyond(t, list, whole.exchange);
        await judgePages(t, list, LARGEST / 2);
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

/**
 * Compares two pages only with the whole list, because the index of the first transaction is not documented (gaps:
 * paging parameters).
 */
const judgePages = async (t: T, list: List, size: number): Promise<void> => {
  const whole = await pageOf(t, list, 0, size * 2);
  if (whole.ids.length <= size)
    return t.leaveUntried(PAGES, "lacks", `an account with more than ${size} transactions`);
  const pages = [await pageOf(t, list, 0, size), await pageOf(t, list, size, size)];
  for (const [index, page] of pages.entries()) {
    judgeOthers(t, page, pages.slice(0, index));
  }
  const together = pages.flatMap(({ ids }) => ids);
  const at = whole.ids.findIndex((one, index) => one !== together[index]);
  const isSame = at < 0 && together.length === whole.ids.length;
  t.judgeThat(PAGES, isSame, [...pages, whole].map(exchangeOf), {
    pointer: "start",
    message: `two pages of ${size} transactions differ from one page of ${size * 2}`,
    expected: `${whole.ids.length} transactions, ${at < 0 ? "no more" : `${whole.ids[at]} at ${at}`}`,
    actual: `${together.length} transactions${at < 0 ? "" : `, ${together[at]} at ${at}`}`,
  });
};

const judgeOthers = (t: T, page: IdPage, before: readonly IdPage[]): void => {
  const known = new Set(before.flatMap(({ ids }) => ids));
  const again = page.ids.filter((one) => known.has(one));
  t.judgeThat(PAGES, again.length === 0, [page, ...before].map(exchangeOf), {
    pointer: "start",
    message: `${again.length} of ${page.ids.length} transactions of a page were on an earlier page`,
    expected: "different transactions on each page",
    actual: again.slice(0, 3).join(", "),
  });
};

const exchangeOf = ({ exchange }: IdPage): Exchange => exchange;
