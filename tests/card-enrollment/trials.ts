/** All trials of card enrollment. */
import { policy } from "../../fixtures/card-enrollment/policy.ts";
import type { Contract } from "../../helpers/contract/contract.ts";
import { generatedTrials } from "../../helpers/trials/from-contract/generated.ts";
import type { Trial } from "../../helpers/trials/trial.ts";
import { authenticationScenarios } from "./authentication.scenarios.ts";
import { enrollmentScenarios } from "./enrollment.scenarios.ts";
import { errorScenarios } from "./errors.scenarios.ts";
import { failureScenarios } from "./failures.scenarios.ts";
import { maskingScenarios } from "./masking.scenarios.ts";
import { openQuestions } from "./open-questions.scenarios.ts";
import { recordScenarios } from "./record.scenarios.ts";
import { responseScenarios } from "./response.scenarios.ts";

export const trials = (contract: Contract): Trial[] => [
  ...enrollmentScenarios,
  ...recordScenarios,
  ...responseScenarios,
  ...maskingScenarios,
  ...authenticationScenarios,
  ...errorScenarios,
  ...failureScenarios,
  ...generatedTrials(contract, policy),
  ...openQuestions,
];
