/** All trials of card enrollment. */
import type { Contract } from "../../helpers/contract/contract.ts";
import type { Trial } from "../../helpers/trials/trial.ts";
import { authenticationScenarios } from "./authentication.scenarios.ts";
import { enrollmentScenarios } from "./enrollment.scenarios.ts";
import { errorScenarios } from "./errors.scenarios.ts";
import { failureScenarios } from "./failures.scenarios.ts";
import { maskingScenarios } from "./masking.scenarios.ts";
import { openQuestions } from "./open-questions.scenarios.ts";
import { recordScenarios } from "./record.scenarios.ts";
import { responseTrials } from "./response.scenarios.ts";
import { ruleTrials } from "./rules.trials.ts";

export const trials = (contract: Contract): Trial[] => [
  ...enrollmentScenarios,
  ...recordScenarios,
  ...responseTrials(contract),
  ...maskingScenarios,
  ...authenticationScenarios,
  ...errorScenarios,
  ...failureScenarios,
  ...ruleTrials(contract),
  ...openQuestions,
];
