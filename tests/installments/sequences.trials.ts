/** Sequence trials of installments. */
import { panListSequences } from "./models/pan-lists.model.ts";
import { planSequences } from "./models/plans.model.ts";

export const sequenceTrials = [panListSequences, planSequences];
