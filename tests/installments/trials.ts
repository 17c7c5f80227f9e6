/** All trials of the installments service. */
import { policy } from "../../fixtures/installments/policy.ts";
import type { Contract } from "../../helpers/contract/contract.ts";
import { generatedTrials } from "../../helpers/trials/from-contract/generated.ts";
import type { Trial } from "../../helpers/trials/trial.ts";
import { approvalScenarios } from "./approvals.scenarios.ts";
import { checkoutScenarios } from "./checkouts.scenarios.ts";
import { flowScenarios } from "./flow.scenarios.ts";
import { listedPanScenarios } from "./listed-pans.scenarios.ts";
import { offerScenarios } from "./offers.scenarios.ts";
import { panListScenarios } from "./pan-lists.scenarios.ts";
import { participationScenarios } from "./participations.scenarios.ts";
import { partnerScenarios } from "./partners.scenarios.ts";
import { planScenarios } from "./plans.scenarios.ts";
import { requestScenarios } from "./requests.scenarios.ts";
import { searchScenarios } from "./searches.scenarios.ts";
import { separatePlanScenarios } from "./separate-plans.scenarios.ts";
import { servedScenarios } from "./served.scenarios.ts";
import { updateScenarios } from "./updates.scenarios.ts";

export const trials = (contract: Contract): Trial[] => [
  ...servedScenarios,
  ...participationScenarios,
  ...requestScenarios,
  ...updateScenarios,
  ...searchScenarios,
  ...partnerScenarios,
  ...panListScenarios,
  ...listedPanScenarios,
  ...offerScenarios,
  ...planScenarios,
  ...approvalScenarios,
  ...checkoutScenarios,
  ...flowScenarios,
  ...separatePlanScenarios,
  ...generatedTrials(contract, policy),
];
