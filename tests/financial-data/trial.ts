/** What the trials of financial data have in common. */
import type { Operation } from "../../helpers/contract/contract.ts";
import type { Trial, TrialContext } from "../../helpers/trials/trial.ts";
import { observe } from "./observe.ts";

interface Row {
  readonly id: string;
  readonly title: string;
  readonly section: string;
  readonly operations: readonly string[];
  /** Ids without the service in front. */
  readonly requirements: readonly string[];
}

const SERVICE = "financial-data";

/** `auth.lockout-after-five` -> `financial-data.auth.lockout-after-five`. */
export const id = (suffix: string): string => `${SERVICE}.${suffix}`;

export const scenario = (row: Row, run: (context: TrialContext) => Promise<void>): Trial => ({
  ...row,
  service: SERVICE,
  requirements: row.requirements.map(id),
  hazards: [],
  run,
  observe,
});

/** A trial about one operation alone. */
export const operationTrial = (
  operation: Operation,
  name: string,
  title: string,
  requirements: readonly string[],
  run: (context: TrialContext) => Promise<void>,
): Trial =>
  scenario(
    {
      id: `${operation.operationId}/${name}`,
      title: `${operation.operationId}: ${title}`,
      section: operation.section,
      operations: [operation.operationId],
      requirements,
    },
    run,
  );
