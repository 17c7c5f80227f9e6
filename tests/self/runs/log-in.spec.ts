/** A log-in that the server leaves without an answer does not end the run, but a run logs in only a few times. */
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { trialsOf } from "../../../mutation/workbench.ts";
import { run, startMock, temporary } from "../support/command.ts";
import { onSandbox, runAll } from "../support/in-process.ts";
import { LONG } from "../support/lanes.ts";

const LOG_IN = "CreateToken";

const range = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

/** Runs five trials on a sandbox that drops the first log-ins, and returns how many are blocked. */
const blockedAfter = async (
  dropped: number,
): Promise<{ readonly blocked: number; readonly logIns: number }> => {
  const contract = await loadContract("financial-data");
  const trials = (await trialsOf(contract))
    .filter(({ id }) => /^Get(Customers|Institutions)\/(success|authentication|rule\/.*)$/.test(id))
    .slice(0, 5);
  expect(trials).toHaveLength(5);
  let logIns = 0;
  const results = await onSandbox(
    {
      contract,
      troubles: [{ operation: LOG_IN, connection: "dropped", nth: range(dropped) }],
      onExchange: ({ operationId }) => {
        if (operationId === LOG_IN) logIns += 1;
      },
    },
    (session) => runAll(session, trials),
  );
  const blocked = results.filter(({ entries }) =>
    entries.some(({ verdict }) => verdict === "blocked"),
  ).length;
  return { blocked, logIns };
};

test("after a log-in without an answer, the next trial logs in again", async () => {
  expect(await blockedAfter(1)).toEqual({ blocked: 1, logIns: 2 });
});

test("after three log-ins without an answer, the run does not log in any more", async () => {
  expect(await blockedAfter(99)).toEqual({ blocked: 5, logIns: 3 });
});

test("two workers share one token, on a server where a newer token ends the older one", LONG, async () => {
  const mock = await startMock([
    "--plain",
    "--difference",
    "financial-data.difference.newer-token-ends-older",
  ]);
  const operations = "CreateToken,GetCustomers,GetInstitutions,GenerateVOAReport,GetCustomerAccounts";
  const args = ["--target", "other", "--service", "financial-data", "--operation", operations];
  const { code, stdout } = await run("certify", [...args, "--depth", "quick", "--out", await temporary()], {
    ...mock.credentials,
    MAX_BILLABLE_CALLS: "100000",
    MAX_REQUESTS_PER_SECOND: "100000",
  });
  await mock.stop();
  expect(stdout).toContain(" 0 failed ");
  expect(stdout).toContain(" 0 blocked ");
  expect([code, mock.complaint()]).toEqual([0, ""]);
});
