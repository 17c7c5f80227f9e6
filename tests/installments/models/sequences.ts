/** What the models of installments have in common. */

import { type Sequences, walkSequences } from "../../../fixtures/engine/sequences.ts";
import { namesAreCertain } from "../../../fixtures/installments/calls.ts";
import { scenario } from "../../../fixtures/installments/trial.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

interface Row {
  readonly name: string;
  readonly title: string;
  readonly operations: readonly string[];
  /** Without the service in front. */
  readonly requirements: readonly string[];
}

/** @param modelOf the model in one trial, and whatever it needs while its sequences run */
export const sequenceTrial = <State>(
  { name, title, operations, requirements }: Row,
  modelOf: (context: TrialContext) => Promise<Omit<Sequences<State>, "requirements" | "certain">>,
): Trial => {
  const row = { id: `sequences/${name}`, title: `sequences: ${title}`, section: "Endpoints" };
  const trial = scenario({ ...row, operations, requirements }, async (context) =>
    walkSequences(
      context,
      {
        ...(await modelOf(context)),
        requirements: trial.requirements,
        certain: operations.every((operation) => namesAreCertain(context, operation)),
      },
      (use) => context.onSandbox(async (twin) => use((await modelOf(twin)).model, twin)),
    ),
  );
  return trial;
};
