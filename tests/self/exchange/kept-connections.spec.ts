/** A server may close a connection that it kept, even while a request is on its way (RFC 9112, 9.5). */
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { openWorkbench } from "../../../mutation/workbench.ts";
import { runAll } from "../support/in-process.ts";

test("a call that may do harm is not judged after a connection in use was closed", async () => {
  const workbench = await openWorkbench(await loadContract("financial-data"));
  try {
    const trials = workbench.trials.filter(({ id }) => id === "GenerateVOAReport/rule/request.shape");
    const differences = ["financial-data.difference.idle-connections-closed"];
    const results = await workbench.within({ depth: "quick", seed: 47_515, differences }, (session) =>
      runAll(session, trials),
    );
    const entries = results.flatMap((result) => result.entries);
    expect(entries.filter(({ verdict }) => verdict === "failed" || verdict === "blocked")).toEqual([]);
    expect(entries.filter(({ verdict }) => verdict === "passed")).not.toEqual([]);
  } finally {
    await workbench.close();
  }
});
