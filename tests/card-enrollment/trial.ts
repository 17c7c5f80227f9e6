/** What the trials of card enrollment have in common. */
import type { Trial, TrialContext } from "../../helpers/trials/trial.ts";
import { observe } from "./observe.ts";

interface Row {
  readonly id: string;
  readonly title: string;
  readonly section: string;
  /** Ids without the service in front. */
  readonly requirements: readonly string[];
}

const SERVICE = "card-enrollment";

/** `auth.whole-interface` -> `card-enrollment.auth.whole-interface`. */
export const id = (suffix: string): string => `${SERVICE}.${suffix}`;

export const scenario = (row: Row, run: (context: TrialContext) => Promise<void>): Trial => ({
  ...row,
  service: SERVICE,
  operations: ["putCard"],
  requirements: row.requirements.map(id),
  hazards: [],
  run,
  observe,
});
