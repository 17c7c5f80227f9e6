/** Switches: a deposit switch is found by its external id. */
import { scenariosIn } from "../../../fixtures/financial-data/trial.ts";
import { isAccepted, statusOf, TargetLost } from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("Micro entries and switches");

const EXTERNAL = "getAllExternalDepositSwitches";

export const switchScenarios = [
  scenario("switches/external-id", {
    title: "a deposit switch is found by its external id",
    operations: [EXTERNAL, "getDepositSwitchDetails"],
    requirements: ["switches.found-by-external-id"],
    async run(t) {
      const wanted = await t.arrange.need("switch");
      // The details of the switch show its external id.
      await t.arrange.need("external");
      const exchange = await t.answered(EXTERNAL);
      const status = statusOf(exchange);
      if (status >= 500) throw new TargetLost("answered", EXTERNAL, status);
      const found = isAccepted(exchange) && t.listsResource(exchange, "switch", wanted);
      t.judgeThat("switches.found-by-external-id", found, [exchange], {
        message: "a deposit switch is not found by the external id that its details show",
        expected: `a list with the switch ${wanted}`,
        actual: isAccepted(exchange) ? "a list without it" : `${status}`,
      });
    },
  }),
];
