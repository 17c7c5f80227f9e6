/** Switches: a deposit switch is found by its external id. */

import { scenariosIn } from "../../../fixtures/financial-data/trial.ts";
import { isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { answered } from "../../../helpers/trials/kit/asking.ts";
import { listsResource } from "../../../helpers/trials/kit/reading.ts";
import { judgeThat } from "../../../helpers/trials/kit/verdicts.ts";
import { TargetLost } from "../../../helpers/trials/stopped.ts";
import type { Trial } from "../../../helpers/trials/trial.ts";

const scenario = scenariosIn("Micro entries and switches");

const EXTERNAL = "getAllExternalDepositSwitches";

export const switchScenarios: readonly Trial[] = [
  scenario({
    id: "switches/external-id",
    title: "a deposit switch is found by its external id",
    operations: [EXTERNAL, "getDepositSwitchDetails"],
    requirements: ["switches.found-by-external-id"],
    async run(context) {
      const wanted = await context.arrange.need("switch");
      // The details of the switch show its external id.
      await context.arrange.need("external");
      const exchange = await answered(context, EXTERNAL);
      const status = statusOf(exchange);
      if (status >= 500) throw new TargetLost(`${EXTERNAL} answered with ${status}`);
      const found = isAccepted(exchange) && listsResource(context, exchange, "switch", wanted);
      judgeThat(context, "switches.found-by-external-id", found, [exchange], {
        message: "a deposit switch is not found by the external id that its details show",
        expected: `a list with the switch ${wanted}`,
        actual: isAccepted(exchange) ? "a list without it" : `${status}`,
      });
    },
  }),
];
