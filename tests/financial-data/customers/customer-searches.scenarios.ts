/** Searches for customers: by username, names and kind. */
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import { contentOf, type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { holdsValue } from "../../../helpers/flows/delivery.ts";
import { type Call, unbound } from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("Customers");
const LIST = "GetCustomers";
const BY_USERNAME = `${LIST}.search-by-username`;
const BY_NAMES = `${LIST}.search-by-names`;

export const customerSearchScenarios = [
  scenario("customers/search", {
    title: "a customer is found by username and by its names",
    operations: [LIST],
    requirements: ["GetCustomers.username-query", "GetCustomers.search-query", BY_USERNAME, BY_NAMES],
    async run(t) {
      const names = t.namesFor("sought");
      const { customerId } = await t.addCustomer("AddTestingCustomer", names);
      // Each way to search may have an index of its own.
      const found = (query: NonNullable<Call["query"]>): Promise<Exchange> =>
        t.readUntil(
          () => t.answerTo(search(query)),
          // A server may answer 404 while it lists none.
          (exchange) =>
            isAccepted(exchange) ? holdsValue(contentOf(exchange), customerId) : statusOf(exchange) !== 404,
        );
      const control = await t.answerTo({ operationId: LIST });
      const byUsername = await found({ username: names.username });
      t.judgeParameter("GetCustomers.username-query", "username", [byUsername, control]);
      const byText = await found({ search: names.username });
      t.judgeParameter("GetCustomers.search-query", "search", [byText, control]);
      // The documents do not state whether the username parameter or the search text finds the customer. If the names
      // are not confirmed, one of them is enough.
      const ways = [byUsername, byText].filter(isAccepted);
      const shown = ways.map((exchange) => t.listsResource(exchange, "customer", customerId));
      const way = ways[Math.max(0, shown.indexOf(false))];
      if (way !== undefined) {
        const holds = t.isConfirmed(LIST) ? !shown.includes(false) : shown.includes(true);
        judgeFound(t, BY_USERNAME, holds, way);
      }
      for (const text of [names.firstName, names.lastName]) {
        const exchange = await found({ search: text });
        if (!isAccepted(exchange)) continue;
        const holds = t.listsResource(exchange, "customer", customerId);
        judgeFound(t, BY_NAMES, holds, exchange);
      }
      const both = await t.answerTo(search({ search: `${names.firstName} ${names.lastName}` }));
      const together = isAccepted(both) && holdsValue(contentOf(both), customerId) ? "found" : "not found";
      t.judge.observe("GetCustomers search", LIST, `by firstName and lastName together: ${together}`);
      t.leaveRestUntried([BY_USERNAME, BY_NAMES], "not-arranged", "every search was refused");
    },
  }),

  scenario("customers/all", {
    title: "without a search text all customers are listed",
    operations: [LIST],
    requirements: ["GetCustomers.no-search-returns-all"],
    async run(t) {
      const known = [await t.arrange.need("customer")];
      for (const which of ["all first", "all second"])
        known.push((await t.addCustomer("AddTestingCustomer", t.namesFor(which))).customerId);
      // The first page without a number shows the first customer even if the list counts from zero.
      const { items, exchanges } = await walkUntil(t, known.at(-1) ?? "");
      const missing = known.filter((customerId) => !items.some((item) => holdsValue(item, customerId)));
      if (missing.length > 0 && !items.some((item) => t.idOf(LIST, "customer", item) !== undefined))
        throw unbound(LIST, "customer in its items");
      t.judgeThat("GetCustomers.no-search-returns-all", missing.length === 0, exchanges.slice(-1), {
        message: `${missing.length} of ${known.length} existing customers are not listed`,
        expected: "all customers",
        actual: `${items.length} customers, without them`,
      });
    },
  }),
];

/** Reads the whole list, repeatedly until it shows the customer or a time limit passes. */
const walkUntil = (t: T, customerId: string): ReturnType<T["walk"]> => {
  const read = async (): ReturnType<T["walk"]> => {
    const first = await t.answerTo({ operationId: LIST });
    const { items, exchanges } = await t.walk({ operationId: LIST });
    return { items: [...items, contentOf(first)], exchanges };
  };
  return t.readUntil(read, ({ items }) => items.some((item) => holdsValue(item, customerId)));
};

const search = (query: NonNullable<Call["query"]>): Call => ({ operationId: LIST, query });

const judgeFound = (t: T, requirement: string, holds: boolean, exchange: Exchange): void =>
  t.judgeThat(requirement, holds, [exchange], {
    message: "an existing customer is not found by its own values",
    expected: "the customer among those found",
    actual: `${statusOf(exchange)} without it`,
  });
