/** Pages of transactions: by start and limit, without loss or repeat, beyond the thousand that fit on one. */
import { itemsIn, type Resources, situation } from "../../../fixtures/financial-data/calls.ts";
import { tryParameter } from "../../../fixtures/financial-data/conclude.ts";
import { id } from "../../../fixtures/financial-data/ids.ts";
import { accountOfType } from "../../../fixtures/financial-data/linked-accounts.ts";
import {
  lastDays,
  listTransactions,
  PAGE,
  pageParameters,
  pagingOf,
  type Span,
  TRANSACTION_LISTS,
  transactionId,
  withSpan,
} from "../../../fixtures/financial-data/listed-transactions.ts";
import { scenario } from "../../../fixtures/financial-data/trial.ts";
import { type CheckResult, HOLDS, violation } from "../../../helpers/checks/check.ts";
import type { Exchange } from "../../../helpers/exchange/exchange.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const PAGES = "transactions.start-limit-query";

const SMALL = 5;

export const transactionPageScenarios: readonly Trial[] = [
  scenario(
    {
      id: "transactions/pages",
      title: "lists are paged by start and limit",
      section: "Transactions",
      operations: TRANSACTION_LISTS,
      requirements: [PAGES],
    },
    async (context) => {
      const { resources } = await accountOfType(context, "checking", "savings", "creditcard");
      const span = pastSpan(context);
      for (const operationId of TRANSACTION_LISTS) {
        const { start, limit, first } = pagingOf(context, operationId);
        const base = withSpan(span);
        const ofStart = { operationId, name: start, value: first, base };
        const ofLimit = { operationId, name: limit, value: SMALL, base };
        const started = await tryParameter(context, PAGES, resources, ofStart);
        const limited = await tryParameter(context, PAGES, resources, ofLimit);
        if (started === undefined || limited === undefined) continue;
        concludeSize(context, limited.probe, SMALL);
        await concludePages(context, { operationId, resources, span, size: SMALL, pages: 2 });
      }
    },
  ),

  scenario(
    {
      id: "transactions/pages-of-a-thousand",
      title: "more transactions than fit on a page come on several",
      section: "Transactions",
      operations: TRANSACTION_LISTS,
      requirements: [PAGES],
    },
    async (context) => {
      const resources = await situation(
        context,
        "many-transactions",
        "an account with more than 1000 transactions",
      );
      const span = pastSpan(context);
      for (const operationId of TRANSACTION_LISTS) {
        const walk = { operationId, resources, span };
        const whole = await idsOf(context, walk, 0, PAGE);
        if (whole.ids.length < PAGE) throw new NotTried("needs an account with more than 1000 transactions");
        const next = await idsOf(context, walk, 1, PAGE);
        record(context, disjoint(whole.ids, next.ids), [next.exchange, whole.exchange]);
        await concludePages(context, { ...walk, size: PAGE / 2, pages: 2 });
      }
    },
  ),
];

/** New transactions would move the pages. */
const pastSpan = (context: TrialContext): Span => lastDays(context, 170);

interface Walk {
  readonly operationId: string;
  readonly resources: Resources;
  readonly span: Span;
}

const idsOf = async (
  context: TrialContext,
  { operationId, resources, span }: Walk,
  index: number,
  size: number,
) => {
  const parameters = pageParameters(context, operationId, index, size);
  const { items, exchange } = await listTransactions(context, resources, span, { operationId, parameters });
  return { ids: items.map((item) => transactionId(context, item)), exchange };
};

/** Pages are compared with each other alone, since their first index is not shown (gaps: paging parameters). */
const concludePages = async (
  context: TrialContext,
  { size, pages, ...walk }: Walk & { readonly size: number; readonly pages: number },
): Promise<void> => {
  const large = await idsOf(context, walk, 0, size * pages);
  if (large.ids.length <= size) {
    context.judge.notTried(id(PAGES), `needs an account with more than ${size} transactions`);
    return;
  }
  const together: string[] = [];
  const exchanges: Exchange[] = [];
  for (let index = 0; index < pages; index += 1) {
    const page = await idsOf(context, walk, index, size);
    concludeSize(context, page.exchange, size);
    record(context, disjoint(together, page.ids), [page.exchange, ...exchanges]);
    together.push(...page.ids);
    exchanges.push(page.exchange);
  }
  record(context, sameOrder(large.ids, together, size), [...exchanges, large.exchange]);
};

const concludeSize = (context: TrialContext, exchange: Exchange, size: number): void => {
  const shown = itemsIn(context, exchange).length;
  const tooMany = violation({
    pointer: "limit",
    message: `a page holds more transactions than its limit of ${size}`,
    expected: `${size} at most`,
    actual: `${shown}`,
  });
  record(context, shown <= size ? HOLDS : tooMany, [exchange]);
};

const disjoint = (before: readonly string[], page: readonly string[]): CheckResult => {
  const known = new Set(before);
  const again = page.filter((one) => known.has(one));
  if (again.length === 0) return HOLDS;
  return violation({
    pointer: "start",
    message: `${again.length} of ${page.length} transactions of a page were on a page before`,
    expected: "other transactions on each page",
    actual: again.slice(0, 3).join(", "),
  });
};

const sameOrder = (whole: readonly string[], together: readonly string[], size: number): CheckResult => {
  const at = whole.findIndex((one, index) => one !== together[index]);
  if (at < 0 && together.length === whole.length) return HOLDS;
  return violation({
    pointer: "start",
    message: `pages of ${size} together are not the page of as many as they hold`,
    expected: `${whole.length} transactions, ${at < 0 ? "no more" : `${whole[at]} at ${at}`}`,
    actual: `${together.length} transactions${at < 0 ? "" : `, ${together[at]} at ${at}`}`,
  });
};

const record = (context: TrialContext, result: CheckResult, exchanges: readonly Exchange[]): void =>
  context.judge.record(id(PAGES), result, exchanges);
