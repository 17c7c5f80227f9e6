/** Makes the sequence trials of installments. */
import { answeredCall } from "../../../fixtures/installments/calls.ts";
import { scenariosIn } from "../../../fixtures/installments/trial.ts";
import { sequenceTrials } from "../../../helpers/sequences/sequences.ts";

export const sequenceTrial = sequenceTrials(
  scenariosIn,
  (t, operations) => operations.every((operation) => t.namesAreConfirmed(operation)),
  answeredCall,
);
