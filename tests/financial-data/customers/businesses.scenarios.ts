/** Businesses: one per customer. */
import { scenariosIn } from "../../../fixtures/financial-data/trial.ts";

const scenario = scenariosIn("Businesses");

const keeps = ["businesses.request-bodies"];

export const businessScenarios = [
  scenario("businesses/one", {
    title: "a second business for a customer is a conflict",
    operations: ["AddBusinessDetails"],
    requirements: [...keeps, "businesses.one-per-customer"],
    run: (t) =>
      t.tryTwice("businesses.one-per-customer", "a second business", "AddBusinessDetails", { keeps }),
  }),

  scenario("businesses/changed", {
    title: "a business is changed",
    operations: ["UpdateBusiness"],
    requirements: keeps,
    async run(t) {
      await t.accepted("UpdateBusiness", t.arrange.exclusive(), { keeps });
    },
  }),
];
