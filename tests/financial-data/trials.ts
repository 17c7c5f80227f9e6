/** All trials of financial data. */
import type { Contract } from "../../helpers/contract/contract.ts";
import type { Trial } from "../../helpers/trials/trial.ts";
import { authenticationTrials } from "./authentication.trials.ts";
import { identifierTrials } from "./identifiers.trials.ts";
import { ruleTrials } from "./rules.trials.ts";
import { successTrials } from "./success.trials.ts";

export const financialDataTrials = (contract: Contract): Trial[] => [
  ...successTrials(contract),
  ...authenticationTrials(contract),
  ...identifierTrials(contract),
  ...ruleTrials(contract),
];
