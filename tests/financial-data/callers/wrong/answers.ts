/** Wrong clients of financial data: how they take lists, unusual answers and failures. */
import { RETRYING } from "../../../callers/habits.ts";
import type { WrongClient } from "../../../callers/setting.ts";
import { customerOf } from "../client.ts";
import * as deeds from "../deed-scenes.ts";
import * as scenes from "../scenes.ts";
import { browsing, type Scene, wrong } from "./wrong-client.ts";

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
  wrong("a quick repetition after 429", "caller.retry-after-kept", browsing(2), ["rate-limited"], {
    retrying: { ...RETRYING, patience: 0.1 },
  }),
  wrong("a quick repetition after 503", "caller.retry-after-kept", browsing(2), ["unavailable"], {
    retrying: { ...RETRYING, patience: 0.5 },
  }),
  wrong("a consumer created twice", "caller.creation-not-repeated-blindly", twoConsumers, ["creation-lost"], {
    retrying: { ...RETRYING, repeatsCreations: true },
  }),
  wrong(
    "a customer created twice",
    "caller.creation-not-repeated-blindly",
    scenes.newCustomer,
    ["customer-lost"],
    { retrying: { ...RETRYING, repeatsCreations: true } },
  ),
  wrong(
    "a report generated twice",
    "caller.creation-not-repeated-blindly",
    async (own) => {
      await scenes.newConsumer(own, customerOf(own));
      await scenes.report(own, customerOf(own));
    },
    ["report-lost"],
    { retrying: { ...RETRYING, repeatsCreations: true } },
  ),
  wrong(
    "a deposit initiated twice",
    "caller.creation-not-repeated-blindly",
    (own) => deeds.initiateDeposits(own),
    ["lost-answer"],
    { retrying: { ...RETRYING, repeatsCreations: true } },
  ),
  wrong(
    "an end at a call that hangs",
    "caller.error-answers-survived",
    (own) => own.call("GET", "/institution/v2/institutions/613734", { limit: 30, repeats: false }),
    ["hanging"],
  ),
  wrong("the first page only", "caller.further-pages-read", (own) => scenes.listCustomers(own, 1), [
    "page-three",
  ]),
  wrong("two pages of three", "caller.further-pages-read", (own) => scenes.listCustomers(own, 2), [
    "page-three",
  ]),
  wrong(
    "every second page",
    "caller.further-pages-read",
    (own) => scenes.listCustomers(own, Number.POSITIVE_INFINITY, 10),
    ["page-three"],
  ),
  wrong("a quick repetition with another URL", "caller.retry-after-kept", browsing(2), ["rate-limited"], {
    retrying: { ...RETRYING, patience: 0.1 },
    request: (sending) => ({ ...sending, url: `${sending.url}?_=${Math.random()}` }),
  }),
  wrong("unknown fields refused, in parallel", "caller.additions-accepted", inParallel, ["additions"], {
    accepts: (json) => !("unheardOf" in json),
  }),
  wrong("unknown fields of owners refused", "caller.additions-accepted", ownerOfOneAccount, ["additions"], {
    accepts: (json) => !("unheardOf" in json),
  }),
  wrong("unknown fields refused", "caller.additions-accepted", browsing(2), ["additions"], {
    accepts: (json) => !("unheardOf" in json),
  }),
  wrong("an end at the first failure", "caller.error-answers-survived", browsing(3), ["failure"], {
    diesOnFailure: true,
  }),
  wrong("an end at the first lost connection", "caller.error-answers-survived", browsing(3), ["reset"], {
    diesOnFailure: true,
  }),
];
