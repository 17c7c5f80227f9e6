/** The common part of the models of financial data: their trials, and the ids of assumed requirements. */
import { id } from "../../../fixtures/financial-data/ids.ts";
import { scenariosIn } from "../../../fixtures/financial-data/trial.ts";
import type { Promises } from "../../../helpers/sequences/model-resources.ts";
import { sequenceTrials } from "../../../helpers/sequences/sequences.ts";

export const READABLE = id("sequences.created-readable");
export const GONE = id("sequences.deleted-gone");
export const LISTS_AGREE = id("sequences.lists-agree");

/** The requirements that a read of most resources judges. */
export const PROMISES = {
  readable: READABLE,
  gone: GONE,
  given: id("sequences.shown-as-given"),
  unnamed: id("sequences.update-only-named"),
  untouched: id("sequences.untouched-stays"),
} as const satisfies Promises;

export const sequenceTrial = sequenceTrials(
  scenariosIn,
  (t) => t.isConfirmed() || t.contract.provider !== null,
);
