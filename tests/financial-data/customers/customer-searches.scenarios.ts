/** Customers found again: by username, by names, by kind, and page after page without loss or repeat. */

import {
  answerTo,
  identifierIn,
  judgeParameter,
  judgeThat,
  namesAreCertain,
  taken,
  validCall,
  withFields,
  withQuery,
} from "../../../fixtures/financial-data/asking.ts";
import { namesFor } from "../../../fixtures/financial-data/customer-names.ts";
import { id } from "../../../fixtures/financial-data/ids.ts";
import { pagesOf, walk } from "../../../fixtures/financial-data/paging.ts";
import { scenario } from "../../../fixtures/financial-data/trial.ts";
import { instancesAt } from "../../../helpers/checks/rules.ts";
import { type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { holdsValue } from "../../../helpers/flows/delivery.ts";
import type { Call } from "../../../helpers/trials/call.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const SECTION = "Customers";
const LIST = "GetCustomers";

export const customerSearchScenarios: readonly Trial[] = [
  scenario(
    {
      id: "customers/search",
      title: "a customer is found by username and by its names",
      section: SECTION,
      operations: [LIST],
      requirements: [
        "GetCustomers.username-query",
        "GetCustomers.search-query",
        "GetCustomers.search-by-username",
        "GetCustomers.search-by-names",
      ],
    },
    async (context) => {
      const { names, customerId } = await addCustomer(context, "sought");
      const twin = await answerTo(context, { operationId: LIST });
      const byUsername = await answerTo(context, search({ username: names.username }));
      judgeParameter(context, "GetCustomers.username-query", "username", [byUsername, twin]);
      const byText = await answerTo(context, search({ search: names.username }));
      judgeParameter(context, "GetCustomers.search-query", "search", [byText, twin]);
      // How username and search text combine is open: without certain names either will do.
      const ways = [byUsername, byText].filter(isAccepted);
      const found = ways.map((exchange) => holdsValue(exchange.response?.json, customerId));
      if (ways.length > 0) {
        const holds = namesAreCertain(context, LIST) ? !found.includes(false) : found.includes(true);
        judgeFound(context, "GetCustomers.search-by-username", holds, [
          ways[Math.max(0, found.indexOf(false))] as Exchange,
        ]);
      }
      for (const text of [names.firstName, names.lastName]) {
        const exchange = await answerTo(context, search({ search: text }));
        if (isAccepted(exchange)) {
          judgeFound(
            context,
            "GetCustomers.search-by-names",
            holdsValue(exchange.response?.json, customerId),
            [exchange],
          );
        }
      }
      const both = await answerTo(context, search({ search: `${names.firstName} ${names.lastName}` }));
      const shown = isAccepted(both) && holdsValue(both.response?.json, customerId) ? "found" : "not found";
      context.judge.observe("GetCustomers search", LIST, `by firstName and lastName together: ${shown}`);
      for (const requirement of ["GetCustomers.search-by-username", "GetCustomers.search-by-names"]) {
        if (!context.judge.hasVerdict(id(requirement)))
          context.judge.notTried(id(requirement), "every search was refused");
      }
    },
  ),

  scenario(
    {
      id: "customers/kinds-listed",
      title: "customers are listed by kind",
      section: SECTION,
      operations: [LIST],
      requirements: ["GetCustomers.type-query"],
    },
    async (context) => {
      // The values of the kind are open; this is one that a customer was given.
      const twin = await answerTo(context, { operationId: LIST });
      const exchange = await answerTo(context, search({ type: "testing" }));
      judgeParameter(context, "GetCustomers.type-query", "type", [exchange, twin]);
    },
  ),

  scenario(
    {
      id: "customers/all",
      title: "without a search text all customers are listed",
      section: SECTION,
      operations: [LIST],
      requirements: ["GetCustomers.no-search-returns-all"],
    },
    async (context) => {
      const known = [await context.arrange.need("customer")];
      for (const which of ["first", "second"])
        known.push((await addCustomer(context, `all ${which}`)).customerId);
      const { items, exchanges } = await walk(context, { operationId: LIST });
      const missing = known.filter((customerId) => !items.some((item) => holdsValue(item, customerId)));
      judgeThat(context, "GetCustomers.no-search-returns-all", missing.length === 0, exchanges.slice(-1), {
        message: `${missing.length} of ${known.length} customers that exist are not listed`,
        expected: "all customers",
        actual: `${items.length} customers, without them`,
      });
    },
  ),

  scenario(
    {
      id: "customers/paging",
      title: "pages of customers show each once",
      section: SECTION,
      operations: [LIST],
      requirements: ["GetCustomers.paging"],
    },
    async (context) => {
      for (const which of ["a", "b", "c", "d"]) await addCustomer(context, `page ${which}`);
      const twin = await answerTo(context, { operationId: LIST });
      for (const [name, value] of Object.entries({ start: 1, limit: 2 })) {
        const exchange = await answerTo(context, search({ [name]: value }));
        judgeParameter(context, "GetCustomers.paging", name, [exchange, twin]);
      }
      const { problem, exchanges } = await pagesOf(context, { operationId: LIST }, identifiers);
      if (problem !== undefined || exchanges.length > 0) {
        judgeThat(context, "GetCustomers.paging", problem === undefined, exchanges, {
          message: problem ?? "",
          expected: "each customer on one page",
          actual: "pages that do not fit together",
        });
      }
    },
  ),
];

const search = (query: NonNullable<Call["query"]>): Call => withQuery({ operationId: LIST }, query);

const addCustomer = async (context: TrialContext, what: string) => {
  const names = namesFor(context, what);
  const call = await validCall(context, "AddTestingCustomer", context.arrange.apart());
  const added = await taken(context, withFields(call, names));
  return { names, customerId: identifierIn(context, added, "customer") };
};

const judgeFound = (
  context: TrialContext,
  requirement: string,
  holds: boolean,
  exchanges: readonly Exchange[],
): void =>
  judgeThat(context, requirement, holds, exchanges, {
    message: "a customer that exists is not found by what it was given",
    expected: "the customer among those found",
    actual: `${exchanges.map(statusOf)} without it`,
  });

/** A record is told from others by the first identifier in it. */
const identifiers = (item: unknown): string =>
  String(instancesAt(item, "/id")[0]?.value ?? JSON.stringify(item));
