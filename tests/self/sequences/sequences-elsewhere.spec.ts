/** If a sequence fails on an external server and also on the embedded sandbox, it is shrunk on the sandbox. */
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { createAllowance } from "../../../helpers/exchange/allowance.ts";
import { connectToCoordinator } from "../../../helpers/run/coordinator-client.ts";
import { openWorkerSession } from "../../../helpers/run/worker-session.ts";
import { targetOf } from "../../../helpers/target/load-target.ts";
import { trackCreatedResources } from "../../../helpers/trials/created-resources.ts";
import type { LedgerEntry, TrialResult } from "../../../helpers/trials/ledger.ts";
import { type Sandbox, startSandbox } from "../../../mocks/engine/server.ts";
import { openCoordinator } from "../../../runner/coordinator.ts";
import { customerSequences } from "../../financial-data/models/customers.model.ts";
import { temporary } from "../support/command.ts";
import { LONG } from "../support/lanes.ts";

const VIOLATED = "financial-data.sequences.created-readable";
const FAULT = `${VIOLATED}.deletion-takes-next-customer`;
const contract = await loadContract("financial-data");

const started: Sandbox[] = [];
test.afterEach(async () => {
  await Promise.all(started.splice(0).map((sandbox) => sandbox.close()));
});

const serverWith = async (faults: readonly string[], plain: boolean): Promise<Sandbox> => {
  const sandbox = await startSandbox({ faults, contracts: [contract], plain });
  started.push(sandbox);
  return sandbox;
};

/** Runs the customer sequences in a worker, against a server with the fault. */
const walkedWith = async (own: Sandbox | undefined): Promise<TrialResult> => {
  const external = await serverWith([FAULT], true);
  const target = targetOf("external", { ...external.environment, ALLOW_DESTRUCTIVE: "true" }, false);
  const values = own && targetOf("sandbox", { ...own.environment, ALLOW_DESTRUCTIVE: "true" }, true).values;
  const coordinator = await openCoordinator({
    allowance: createAllowance(target.permissions),
    made: trackCreatedResources(),
    sandbox: async () => values,
  });
  const { service, version, digest, provider } = contract;
  const info = {
    target: { name: target.name, embedded: false, baseUrls: target.baseUrls },
    contracts: [{ service, version, digest, provider }],
    services: [service],
    seed: 1,
    depth: "standard",
    startedAt: new Date(0).toISOString(),
    out: await temporary(),
    selection: null,
    shard: null,
    untested: {},
  } as const;
  const session = await openWorkerSession(
    { info, target, workers: 1, order: [] },
    { coordinator: connectToCoordinator(coordinator.address, () => {}), contracts: [contract], prefix: "w0" },
  );
  try {
    return await session.run(customerSequences, []);
  } finally {
    await session.close();
    coordinator.close();
  }
};

const shownBy = ({ entries }: TrialResult): LedgerEntry | undefined =>
  entries.find(({ requirement, failure }) => requirement === VIOLATED && failure !== undefined);

test(
  "a failure that the sandbox shares costs the external server fewer calls, with the same report",
  LONG,
  async () => {
    const alone = await walkedWith(undefined);
    const helped = await walkedWith(await serverWith([FAULT], false));
    expect(shownBy(alone)?.failure?.message).toContain("was made and not deleted");
    expect(shownBy(helped)?.failure?.message).toBe(shownBy(alone)?.failure?.message);
    expect(helped.exchanges).toBeLessThan(alone.exchanges);
  },
);

test("a failure that the sandbox does not share is shrunk on the external server", LONG, async () => {
  const alone = await walkedWith(undefined);
  const beside = await walkedWith(await serverWith([], false));
  expect(shownBy(beside)?.failure?.message).toBe(shownBy(alone)?.failure?.message);
  expect(beside.exchanges).toBe(alone.exchanges);
});
