/** A fault that no trial finds survives, unless only the provider's document has the part that it changes. */
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { faultsIn } from "../../../mocks/engine/deviations/catalogue.ts";
import { listDeviations } from "../../../mocks/engine/services.ts";
import { runFault } from "../../../mutation/run-fault.ts";
import { openWorkbench } from "../../../mutation/workbench.ts";

test("a fault in an answer for which nobody asks survives", async () => {
  const contract = await loadContract("card-enrollment");
  const fault = faultsIn(await listDeviations([contract])).find(({ effects }) =>
    effects.every(({ kind }) => kind === "json"),
  );
  const workbench = await openWorkbench(contract);
  try {
    const run = await runFault({ ...workbench, trials: [] }, fault as NonNullable<typeof fault>);
    expect([run.status, run.evidence]).toEqual(["survived", []]);
  } finally {
    await workbench.close();
  }
});
