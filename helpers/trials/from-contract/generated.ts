/** Generates the trials of a contract: for each kind of trial, the trials of all operations. */
import type { Contract, Operation } from "../../contract/contract.ts";
import type { Trial } from "../trial.ts";
import { authenticationTrials } from "./authentication.ts";
import { creationTrials } from "./creations.ts";
import type { Subject } from "./operation-trial.ts";
import type { Policy } from "./policy.ts";
import { ruleTrials } from "./rules.ts";
import { successTrials } from "./success.ts";
import { unknownIdTrials } from "./unknown-ids.ts";

const KINDS: readonly ((subject: Subject) => Trial[])[] = [
  successTrials,
  creationTrials,
  authenticationTrials,
  unknownIdTrials,
  ruleTrials,
];

export const generatedTrials = (contract: Contract, policy: Policy): Trial[] => {
  const subjects = subjectsOf(contract, policy);
  return KINDS.flatMap((trialsOf) => subjects.flatMap(trialsOf));
};

export const subjectsOf = (contract: Contract, policy: Policy): Subject[] =>
  contract.operations.filter(isGenerated).map((operation) => ({ contract, policy, operation }));

/**
 * Whether an operation gets generated trials. Failed log-ins lock an account, so only scenarios test the log-in
 * operations. The service itself sends the outbound operations.
 */
const isGenerated = ({ refusalHazards, outbound }: Operation): boolean =>
  refusalHazards.length === 0 && !outbound;
