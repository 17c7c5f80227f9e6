/** Businesses: one a customer. */

import { answerTo, judgeRefused, taken, validCall } from "../../../fixtures/financial-data/asking.ts";
import { scenario } from "../../../fixtures/financial-data/trial.ts";
import type { Trial } from "../../../helpers/trials/trial.ts";

export const businessScenarios: readonly Trial[] = [
  scenario(
    {
      id: "businesses/one",
      title: "a customer has one business",
      section: "Businesses",
      operations: ["AddBusinessDetails"],
      requirements: ["businesses.request-bodies", "businesses.one-per-customer"],
    },
    async (context) => {
      const call = await validCall(context, "AddBusinessDetails", context.arrange.apart());
      const first = await taken(context, call, ["businesses.request-bodies"]);
      const second = await answerTo(context, call);
      judgeRefused(context, "businesses.one-per-customer", "a second business", [second, first], [409]);
    },
  ),

  scenario(
    {
      id: "businesses/changed",
      title: "a business is changed",
      section: "Businesses",
      operations: ["UpdateBusiness"],
      requirements: ["businesses.request-bodies"],
    },
    async (context) => {
      await taken(context, await validCall(context, "UpdateBusiness", context.arrange.apart()), [
        "businesses.request-bodies",
      ]);
    },
  ),
];
