/** Wrong clients of financial data: how they take lists, unusual answers and failures. */
import { RETRYING } from "../../../callers/habits.ts";
import type { WrongClient } from "../../../callers/setting.ts";
import { customerOf } from "../client.ts";
import * as deeds from "../deed-scenes.ts";
import * as scenes from "../scenes.ts";
import { browsing, type Scene, wrongClient } from "./wrong-client.ts";

const twoConsumers: Scene = async (one) => {
  const customerId = await scenes.newCustomer(one);
  await scenes.newConsumer(one, customerId);
};

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
  wrongClient("a quick repetition after 429", "caller.retry-after-kept", browsing(2), {
    habits: { retrying: { ...RETRYING, patience: 0.1 } },
    exercises: ["rate-limited"],
  }),
  wrongClient("a quick repetition after 503", "caller.retry-after-kept", browsing(2), {
    habits: { retrying: { ...RETRYING, patience: 0.5 } },
    exercises: ["unavailable"],
  }),
  wrongClient("a consumer created twice", "caller.creation-not-repeated-blindly", twoConsumers, {
    habits: { retrying: { ...RETRYING, repeatsCreations: true } },
    exercises: ["creation-lost"],
  }),
  wrongClient("a customer created twice", "caller.creation-not-repeated-blindly", scenes.newCustomer, {
    habits: { retrying: { ...RETRYING, repeatsCreations: true } },
    exercises: ["customer-lost"],
  }),
  wrongClient(
    "a report generated twice",
    "caller.creation-not-repeated-blindly",
    async (own) => {
      await scenes.newConsumer(own, customerOf(own));
      await scenes.report(own, customerOf(own));
    },
    {
      habits: { retrying: { ...RETRYING, repeatsCreations: true } },
      exercises: ["report-lost"],
    },
  ),
  wrongClient(
    "a deposit initiated twice",
    "caller.creation-not-repeated-blindly",
    (own) => deeds.initiateDeposits(own),
    {
      habits: { retrying: { ...RETRYING, repeatsCreations: true } },
      exercises: ["lost-answer"],
    },
  ),
  wrongClient(
    "an end at a call that hangs",
    "caller.error-answers-survived",
    (own) => own.call("GET", "/institution/v2/institutions/613734", { limit: 30, repeats: false }),
    { exercises: ["hanging"] },
  ),
  wrongClient("the first page only", "caller.further-pages-read", (own) => scenes.listCustomers(own, 1), {
    exercises: ["page-three"],
  }),
  wrongClient("two pages of three", "caller.further-pages-read", (own) => scenes.listCustomers(own, 2), {
    exercises: ["page-three"],
  }),
  wrongClient(
    "every second page",
    "caller.further-pages-read",
    (own) => scenes.listCustomers(own, Number.POSITIVE_INFINITY, 10),
    { exercises: ["page-three"] },
  ),
  wrongClient("a quick repetition with another URL", "caller.retry-after-kept", browsing(2), {
    habits: {
      retrying: { ...RETRYING, patience: 0.1 },
      request: (sending) => ({ ...sending, url: `${sending.url}?_=${Math.random()}` }),
    },
    exercises: ["rate-limited"],
  }),
  wrongClient("unknown fields refused, in parallel", "caller.additions-accepted", inParallel, {
    habits: { accepts: (json) => !("unheardOf" in json) },
    exercises: ["additions"],
  }),
  wrongClient("unknown fields refused", "caller.additions-accepted", browsing(2), {
    habits: { accepts: (json) => !("unheardOf" in json) },
    exercises: ["additions"],
  }),
  wrongClient("an end at the first failure", "caller.error-answers-survived", browsing(3), {
    habits: { diesOnFailure: true },
    exercises: ["failure"],
  }),
  wrongClient("an end at the first lost connection", "caller.error-answers-survived", browsing(3), {
    habits: { diesOnFailure: true },
    exercises: ["reset"],
  }),
];
