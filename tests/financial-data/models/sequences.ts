/** What the models of financial data have in common: their trials, and the ids of what no document states. */
import { type Sequences, walkSequences } from "../../../fixtures/engine/sequences.ts";
import { id } from "../../../fixtures/financial-data/ids.ts";
import { scenario } from "../../../fixtures/financial-data/trial.ts";
import type { Promises } from "../../../helpers/sequences/things.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

export const READABLE = id("sequences.created-readable");
export const GONE = id("sequences.deleted-gone");
export const LISTS_AGREE = id("sequences.lists-agree");
export const OWN_ONLY = id("sequences.own-only");

/** What a look at most things judges. */
export const PROMISES = {
  readable: READABLE,
  gone: GONE,
  given: id("sequences.shown-as-given"),
  unnamed: id("sequences.update-only-named"),
  untouched: id("sequences.untouched-stays"),
} as const satisfies Promises;

interface Row {
  readonly name: string;
  readonly title: string;
  readonly section: string;
  readonly operations: readonly string[];
  /** Whole ids. */
  readonly requirements: readonly string[];
}

/** @param modelOf the model in one trial, and whatever it needs while its sequences run */
export const sequenceTrial = <State>(
  row: Row,
  modelOf: (
    context: TrialContext,
    walk: (sequences: Omit<Sequences<State>, "requirements" | "certain">) => Promise<void>,
  ) => Promise<void>,
): Trial => ({
  ...scenario(
    { ...row, id: `sequences/${row.name}`, title: `sequences: ${row.title}`, requirements: [] },
    (context) =>
      modelOf(context, (sequences) =>
        walkSequences(
          context,
          {
            ...sequences,
            requirements: row.requirements,
            certain: context.capabilities.has("new-implementation") || context.contract.provider !== null,
          },
          (use) => context.onSandbox((twin) => modelOf(twin, ({ model }) => use(model, twin))),
        ),
      ),
  ),
  requirements: row.requirements,
});
