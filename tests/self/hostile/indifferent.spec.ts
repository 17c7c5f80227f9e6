/** A server that gives every request the same answer passes nothing, for each service. */
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { services } from "../../../helpers/contract/services.ts";
import { startSandbox } from "../../../mocks/engine/server.ts";
import { trialsOf } from "../../../mutation/workbench.ts";
import { LONG } from "../support/lanes.ts";
import { closeAll } from "../support/loopback.ts";
import { judge } from "./judged.ts";
import { always } from "./mode.ts";

test.afterEach(closeAll);

const BODIES = ["", "{}", '{"code":16,"status":"UNAUTHENTICATED","message":"No.","details":[]}'];

const ANSWERS = [200, 401, 404].flatMap((status) => BODIES.map((body) => ({ status, body })));

for (const service of services()) {
  test(`${service}: the same answer to every request passes nothing`, LONG, async () => {
    const contract = await loadContract(service);
    const trials = await trialsOf(contract);
    const sandbox = await startSandbox({ contracts: [contract] });
    for (const { status, body } of ANSWERS) {
      const judging = { contract, trials, sandbox, isWhole: true };
      const { requirements } = (await judge(judging, always(status, body))).certificate;
      const passed = requirements.filter(({ verdict }) => verdict === "passed");
      expect(
        passed.map(({ id }) => id),
        `${status} ${body}`,
      ).toEqual([]);
    }
    await sandbox.close();
  });
}
