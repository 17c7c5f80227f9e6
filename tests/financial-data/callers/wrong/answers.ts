/** Wrong clients of financial data: how they take lists, unusual answers and failures. */
import { RETRYING } from "../../../callers/habits.ts";
import type { WrongClient } from "../../../callers/setting.ts";
import * as scenes from "../scenes.ts";
import { browsing, type Scene, wrongClient } from "./wrong-client.ts";

const twoConsumers: Scene = async (one) => {
  const customerId = await scenes.newCustomer(one);
  await scenes.newConsumer(one, customerId);
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
  wrongClient("the first page only", "caller.further-pages-read", (own) => scenes.listCustomers(own, false), {
    exercises: ["page-three"],
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
