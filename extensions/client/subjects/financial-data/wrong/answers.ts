/** Wrong clients of financial data: how they take lists, unusual answers and failures. */
import { hasty, STRICT, TWICE, url } from "../../habits.ts";
import type { WrongClient } from "../../setting.ts";
import { customerOf } from "../client.ts";
import * as deeds from "../deed-scenes.ts";
import * as scenes from "../scenes.ts";
import { browsing, type Scene, wrong } from "./wrong-client.ts";

const CREATED = "caller.creation-not-repeated-blindly";
const SURVIVED = "caller.error-answers-survived";
const PAGES = "caller.further-pages-read";
const ADDITIONS = "caller.additions-accepted";
const RETRIES = "caller.retry-after-kept";

const consumerThenReport: Scene = async (own) => {
  await scenes.newConsumer(own, customerOf(own));
  await scenes.report(own, customerOf(own));
};

const twoConsumers: Scene = async (one) => {
  const customerId = await scenes.newCustomer(one);
  await scenes.newConsumer(one, customerId);
};

const ownerOfOneAccount: Scene = async (one) =>
  one.call("GET", `/aggregation/v3/${await deeds.accountPath(one)}/owner`);

const inParallel: Scene = async (one) => {
  await scenes.browse(one, 1);
  const customerId = customerOf(one);
  await Promise.all(
    Array.from({ length: 6 }, async (_, index) => {
      await one.call("GET", `/institution/v2/institutions/${613735 + index}`);
      await one.call("PUT", `/aggregation/v1/customers/${customerId}`, {
        body: { firstName: `Robin ${index}`, lastName: "Meadow" },
      });
    }),
  );
};

export const answers: readonly WrongClient[] = [
  wrong("a quick repetition after 429", RETRIES, browsing(2), ["rate-limited"], hasty(0.1)),
  wrong("a quick repetition after 503", RETRIES, browsing(2), ["unavailable"], hasty(0.5)),
  wrong("a consumer created twice", CREATED, twoConsumers, ["creation-lost"], TWICE),
  wrong("a customer created twice", CREATED, scenes.newCustomer, ["customer-lost"], TWICE),
  wrong("a report generated twice", CREATED, consumerThenReport, ["report-lost"], TWICE),
  wrong("a deposit initiated twice", CREATED, (own) => deeds.initiateDeposits(own), ["lost-answer"], TWICE),
  wrong(
    "an end at a call that hangs",
    SURVIVED,
    (own) => own.call("GET", "/institution/v2/institutions/613734", { limit: 30, repeats: false }),
    ["hanging"],
  ),
  wrong("the first page only", PAGES, (own) => scenes.listCustomers(own, 1), ["page-three"]),
  wrong("two pages of three", PAGES, (own) => scenes.listCustomers(own, 2), ["page-three"]),
  wrong("every second page", PAGES, (own) => scenes.listCustomers(own, Number.POSITIVE_INFINITY, 10), [
    "page-three",
  ]),
  wrong("a quick repetition with another URL", RETRIES, browsing(2), ["rate-limited"], {
    ...hasty(0.1),
    request: url((asked) => `${asked}?_=${Math.random()}`),
  }),
  wrong("unknown fields refused, in parallel", ADDITIONS, inParallel, ["additions"], STRICT),
  wrong("unknown fields of owners refused", ADDITIONS, ownerOfOneAccount, ["additions"], STRICT),
  wrong("unknown fields refused", ADDITIONS, browsing(2), ["additions"], STRICT),
  wrong("an end at the first failure", SURVIVED, browsing(3), ["failure"], { diesOnFailure: true }),
  wrong("an end at the first lost connection", SURVIVED, browsing(3), ["reset"], { diesOnFailure: true }),
];
