/** Sequence trials of installments. */
import type { Trial } from "../../helpers/trials/trial.ts";
import { panListSequences } from "./models/pan-lists.model.ts";
import { planSequences } from "./models/plans.model.ts";

export const sequenceTrials: readonly Trial[] = [panListSequences, planSequences];
