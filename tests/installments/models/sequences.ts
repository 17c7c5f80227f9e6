/** Makes the sequence trials of installments. */

import { sequenceTrials } from "../../../fixtures/engine/sequences.ts";
import { answerTo, namesAreConfirmed } from "../../../fixtures/installments/calls.ts";
import { scenario } from "../../../fixtures/installments/trial.ts";

export const sequenceTrial = sequenceTrials(
  scenario,
  (context, operations) => operations.every((operation) => namesAreConfirmed(context, operation)),
  answerTo,
);
