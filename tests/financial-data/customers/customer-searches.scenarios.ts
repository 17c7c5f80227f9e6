/** Searches for customers: by username, names and kind, and in pages without omissions or duplicates. */

import { addCustomer, namesFor } from "../../../fixtures/financial-data/customers.ts";
import { scenariosIn } from "../../../fixtures/financial-data/trial.ts";
import { contentOf, type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { holdsValue } from "../../../helpers/flows/delivery.ts";
import { readUntil } from "../../../helpers/flows/read-until.ts";
import type { Call } from "../../../helpers/trials/call.ts";
import { answerTo } from "../../../helpers/trials/kit/asking.ts";
import { judgeDivision } from "../../../helpers/trials/kit/lists.ts";
import { isConfirmed } from "../../../helpers/trials/kit/names.ts";
import { walk } from "../../../helpers/trials/kit/pages.ts";
import { judgeParameter } from "../../../helpers/trials/kit/parameters.ts";
import { idOf, listsResource, unbound } from "../../../helpers/trials/kit/reading.ts";
import { judgeThat, leaveRestUntried } from "../../../helpers/trials/kit/verdicts.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const scenario = scenariosIn("Customers");
const LIST = "GetCustomers";
const BY_USERNAME = `${LIST}.search-by-username`;
const BY_NAMES = `${LIST}.search-by-names`;

export const customerSearchScenarios: readonly Trial[] = [
  scenario({
    id: "customers/search",
    title: "a customer is found by username and by its names",
    operations: [LIST],
    requirements: ["GetCustomers.username-query", "GetCustomers.search-query", BY_USERNAME, BY_NAMES],
    async run(context) {
      const names = namesFor(context, "sought");
      const { customerId } = await addCustomer(context, "AddTestingCustomer", names);
      // Each way to search may have an index of its own.
      const found = (query: NonNullable<Call["query"]>): Promise<Exchange> =>
        readUntil(
          context,
          () => answerTo(context, search(query)),
          // A server may answer 404 while it lists none.
          (exchange) =>
            isAccepted(exchange) ? holdsValue(contentOf(exchange), customerId) : statusOf(exchange) !== 404,
        );
      const control = await answerTo(context, { operationId: LIST });
      const byUsername = await found({ username: names.username });
      judgeParameter(context, "GetCustomers.username-query", "username", [byUsername, control]);
      const byText = await found({ search: names.username });
      judgeParameter(context, "GetCustomers.search-query", "search", [byText, control]);
      // The documents do not state whether the username parameter or the search text finds the customer. If the names
      // are not confirmed, one of them is enough.
      const ways = [byUsername, byText].filter(isAccepted);
      const shown = ways.map((exchange) => listsResource(context, exchange, "customer", customerId));
      const way = ways[Math.max(0, shown.indexOf(false))];
      if (way !== undefined) {
        const holds = isConfirmed(context, LIST) ? !shown.includes(false) : shown.includes(true);
        judgeFound(context, BY_USERNAME, holds, way);
      }
      for (const text of [names.firstName, names.lastName]) {
        const exchange = await found({ search: text });
        if (!isAccepted(exchange)) continue;
        const holds = listsResource(context, exchange, "customer", customerId);
        judgeFound(context, BY_NAMES, holds, exchange);
      }
      const both = await answerTo(context, search({ search: `${names.firstName} ${names.lastName}` }));
      const together = isAccepted(both) && holdsValue(contentOf(both), customerId) ? "found" : "not found";
      context.judge.observe("GetCustomers search", LIST, `by firstName and lastName together: ${together}`);
      leaveRestUntried(context, [BY_USERNAME, BY_NAMES], "every search was refused");
    },
  }),

  scenario({
    id: "customers/all",
    title: "without a search text all customers are listed",
    operations: [LIST],
    requirements: ["GetCustomers.no-search-returns-all"],
    async run(context) {
      const known = [await context.arrange.need("customer")];
      for (const which of ["all first", "all second"])
        known.push((await addCustomer(context, "AddTestingCustomer", namesFor(context, which))).customerId);
      // The first page without a number shows the first customer even if the list counts from zero.
      const { items, exchanges } = await walkUntil(context, known.at(-1) ?? "");
      const missing = known.filter((customerId) => !items.some((item) => holdsValue(item, customerId)));
      if (missing.length > 0 && !items.some((item) => idOf(context, LIST, "customer", item) !== undefined))
        throw unbound(LIST, "customer in its items");
      judgeThat(context, "GetCustomers.no-search-returns-all", missing.length === 0, exchanges.slice(-1), {
        message: `${missing.length} of ${known.length} existing customers are not listed`,
        expected: "all customers",
        actual: `${items.length} customers, without them`,
      });
    },
  }),

  scenario({
    id: "customers/paging",
    title: "pages of customers list each customer once",
    operations: [LIST],
    requirements: ["GetCustomers.paging"],
    async run(context) {
      for (const which of ["page a", "page b", "page c", "page d"])
        await addCustomer(context, "AddTestingCustomer", namesFor(context, which));
      await judgeDivision(context, "GetCustomers.paging", LIST, "customer");
    },
  }),
];

/** Reads the whole list, repeatedly until it shows the customer or a time limit passes. */
const walkUntil = (context: TrialContext, customerId: string): ReturnType<typeof walk> => {
  const read = async (): ReturnType<typeof walk> => {
    const first = await answerTo(context, { operationId: LIST });
    const { items, exchanges } = await walk(context, { operationId: LIST });
    return { items: [...items, contentOf(first)], exchanges };
  };
  return readUntil(context, read, ({ items }) => items.some((item) => holdsValue(item, customerId)));
};

const search = (query: NonNullable<Call["query"]>): Call => ({ operationId: LIST, query });

const judgeFound = (context: TrialContext, requirement: string, holds: boolean, exchange: Exchange): void =>
  judgeThat(context, requirement, holds, [exchange], {
    message: "an existing customer is not found by its own values",
    expected: "the customer among those found",
    actual: `${statusOf(exchange)} without it`,
  });
