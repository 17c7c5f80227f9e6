/** All trials of the service that `--document` describes: those that follow from its contract. */
import type { Contract } from "../../helpers/contract/contract.ts";
import { documentPolicy } from "../../helpers/trials/from-contract/document-policy.ts";
import { generatedTrials } from "../../helpers/trials/from-contract/generated.ts";
import { relationTrials } from "../../helpers/trials/relations/relations.ts";
import type { Trial } from "../../helpers/trials/trial.ts";
import { tryGone } from "./gone.ts";
import { unlistedMethodTrials } from "./unlisted-methods.ts";

export const trials = (contract: Contract): Trial[] => {
  const policy = documentPolicy(contract.service);
  return [
    ...generatedTrials(contract, policy),
    ...unlistedMethodTrials(contract, policy),
    ...relationTrials(contract, policy, tryGone),
  ];
};
