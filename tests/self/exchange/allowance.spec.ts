/** The permissions of a run limit all of its processes together. */
import { Socket } from "node:net";
import { expect, test } from "@playwright/test";
import type { Level } from "../../../helpers/contract/contract.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { createAllowance, type Limits, shareOf } from "../../../helpers/exchange/allowance.ts";
import type { Exchange } from "../../../helpers/exchange/exchange.ts";
import { type CoordinatorClient, connectToCoordinator } from "../../../helpers/run/coordinator-client.ts";
import { type CreatedResource, trackCreatedResources } from "../../../helpers/trials/created-resources.ts";
import { startSandbox } from "../../../mocks/engine/server.ts";
import { openCoordinator } from "../../../runner/coordinator.ts";
import { holdingProxy } from "../runs/holding-proxy.ts";
import { certify } from "../support/command.ts";
import { ALLOW_ALL, client, closeAll, get, web } from "../support/loopback.ts";

test.afterEach(closeAll);

const fail = (): never => {
  throw new Error("the line was cut");
};

const withLines = async (
  limits: Limits,
  use: (
    lines: readonly [CoordinatorClient, CoordinatorClient],
    coordinator: Awaited<ReturnType<typeof openCoordinator>>,
  ) => Promise<void>,
  clock?: Parameters<typeof createAllowance>[1],
): Promise<void> => {
  const coordinator = await openCoordinator({
    allowance: createAllowance(limits, clock),
    made: trackCreatedResources(),
  });
  const lines = [
    connectToCoordinator(coordinator.address, fail),
    connectToCoordinator(coordinator.address, fail),
  ] as const;
  await use(lines, coordinator);
  for (const line of lines) await line.close();
  coordinator.close();
};

const sentBy = (
  origin: string,
  { allowance }: CoordinatorClient,
  more: Parameters<typeof get>[1],
): Promise<Exchange> =>
  client({ allowance, permissions: { ...ALLOW_ALL, requestsPerSecond: 1000 } }).send(get(origin, more));

const wasSent = ({ failure }: Exchange): boolean => failure?.kind !== "not-allowed";

test("two processes share the count of billable calls", async () => {
  const origin = await web((_, response) => response.end());
  await withLines({ billableCalls: 3 }, async (lines) => {
    const calls = [0, 1, 0, 1, 0, 1].map((at) =>
      sentBy(origin, lines[at] as CoordinatorClient, { hazards: ["billable"] }),
    );
    expect((await Promise.all(calls)).filter(wasSent)).toHaveLength(3);
  });
});

test("billable calls that a process reserved and did not make are released to the others", async () => {
  const billableCalls = 5000;
  await withLines({ billableCalls }, async ([line, other]) => {
    const { bill } = line.allowance;
    expect(await Promise.all([bill(), bill()])).toEqual([true, true]);
    await line.close();
    let calls = 2;
    while (await other.allowance.bill()) calls += 1;
    expect(calls).toBe(billableCalls);
  });
});

test("two processes share one request rate", async () => {
  const waits: number[] = [];
  const clock = { now: () => 0, wait: async (milliseconds: number) => void waits.push(milliseconds) };
  const limits = { billableCalls: 0, requestsPerSecond: 4 };
  await withLines(
    limits,
    async (lines) => void (await Promise.all(lines.flatMap(({ allowance: { turn } }) => [turn(), turn()]))),
    clock,
  );
  expect(waits).toEqual([250, 500, 750]);
});

test("failing log-ins stop before the fifth, even when two processes send them in parallel", async () => {
  let requests = 0;
  const origin = await web((_, response) => {
    requests += 1;
    response.writeHead(401).end();
  });
  await withLines({ billableCalls: 0 }, async (lines) => {
    const attempt = (at: number, account: string) =>
      sentBy(origin, lines[at % 2] as CoordinatorClient, { risk: { account } });
    const exchanges = await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map((at) => attempt(at, "partner")));
    expect(exchanges.filter(wasSent)).toHaveLength(4);
    const refusal = exchanges.find((exchange) => !wasSent(exchange));
    expect(refusal?.failure?.message).toContain("one more failed log-in could lock the account");
    expect(requests).toBe(4);
    expect(wasSent(await attempt(0, "another"))).toBe(true);
  });
});

test("log-ins that succeed are not limited", async () => {
  const origin = await web((_, response) => response.end());
  await withLines({ billableCalls: 0 }, async (lines) => {
    const all = Array.from({ length: 20 }, (_, at) =>
      sentBy(origin, lines[at % 2] as CoordinatorClient, { risk: PARTNER }),
    );
    expect((await Promise.all(all)).filter(wasSent)).toHaveLength(20);
  });
});

const PARTNER = { account: "partner" };

test("invalid requests whose results last stop after three were accepted, by all processes together", async () => {
  let requests = 0;
  const origin = await web((_, response) => {
    requests += 1;
    // The first is refused.
    response.writeHead(requests === 1 ? 400 : 200).end();
  });
  await withLines({ billableCalls: 0 }, async (lines) => {
    const attempt = (at: number, lasting: string, level: Level = "assumed") =>
      sentBy(origin, lines[at % 2] as CoordinatorClient, { risk: { lasting, level } });
    const exchanges = await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map((at) => attempt(at, "addReport")));
    expect([exchanges.filter(wasSent).length, requests]).toEqual([4, 4]);
    const left = exchanges.find((exchange) => !wasSent(exchange));
    expect(left?.failure?.message).toContain("as many invalid requests to this operation");
    expect(wasSent(await attempt(0, "addPlan"))).toBe(true);
    expect(wasSent(await attempt(0, "addReport", "documented"))).toBe(true);
  });
});

test("an unfinished log-in of an ended process counts as failed", async () => {
  await withLines({ billableCalls: 0, failedLogIns: 2 }, async ([line], coordinator) => {
    const other = connectToCoordinator(coordinator.address, fail);
    expect(await other.allowance.attempt(PARTNER)).toBe(true);
    await other.close();
    expect(await line.allowance.attempt(PARTNER)).toBe(true);
    line.allowance.attempted(PARTNER, true);
    expect(await line.allowance.attempt(PARTNER)).toBe(false);
  });
});

test("processes know the resources that the probes of others stored", async () => {
  await withLines({ billableCalls: 0 }, async ([one, other]) => {
    await other.take("list");
    one.probed.add("7");
    // Each answer shows that what was sent before it has arrived.
    await one.take("list");
    await other.take("list");
    expect([other.probed.has("7"), other.probed.has("8")]).toEqual([true, false]);
  });
});

test("a message between processes never waits for the acknowledgement of the one before", async () => {
  const { setNoDelay } = Socket.prototype;
  const ends = new Set<Socket>();
  Socket.prototype.setNoDelay = function (...args) {
    ends.add(this);
    return setNoDelay.apply(this, args);
  };
  try {
    await withLines({ billableCalls: 0 }, async ([line]) => void (await line.take("list")));
  } finally {
    Socket.prototype.setNoDelay = setNoDelay;
  }
  expect(ends.size, "both ends of both lines").toBe(4);
});

test("the coordinator ignores a client without the secret word", async () => {
  const made = trackCreatedResources();
  const coordinator = await openCoordinator({ allowance: createAllowance({ billableCalls: 9 }), made });
  const cut = new Promise<void>((resolve) => {
    const external = connectToCoordinator({ ...coordinator.address, word: "guess" }, resolve);
    external.changed({ made: CUSTOMER });
  });
  await cut;
  expect(made.all()).toEqual([]);
  coordinator.close();
});

test("shards divide the permissions of one run exactly", () => {
  const limits = { billableCalls: 7, requestsPerSecond: 6 };
  const shares = [1, 2, 3].map((index) => shareOf(limits, { index, total: 3 }));
  expect(shares.map(({ billableCalls }) => billableCalls)).toEqual([3, 2, 2]);
  expect(shares.map(({ failedLogIns }) => failedLogIns)).toEqual([2, 1, 1]);
  expect(shares.map(({ requestsPerSecond }) => requestsPerSecond)).toEqual([2, 2, 2]);
});

const CUSTOMER: CreatedResource = { service: "financial-data", resource: "customer", id: "17", within: {} };

test("only the removed items leave a list", () => {
  const list = trackCreatedResources();
  const pans = (json: unknown): CreatedResource => ({
    service: "installments",
    resource: "pan-list",
    id: "l1",
    within: {},
    json,
  });
  list.note({ made: pans({ pans: ["a", "b"] }) });
  list.note({ removed: pans({ panListId: "l1", pans: ["a"] }) });
  expect(list.all()).toEqual([pans({ pans: ["b"] })]);
  list.note({ removed: pans({ panListId: "l1", pans: ["b"] }) });
  expect(list.all()).toEqual([]);
});

test("all processes of a run together try a wrong secret at most four times", async () => {
  const contract = await loadContract("financial-data");
  const sandbox = await startSandbox({ contracts: [contract], plain: true });
  const proxy = await holdingProxy(`http://127.0.0.1:${sandbox.port}`);
  const { FINANCIAL_DATA_DISPOSABLE_PARTNER_ID: _, ...environment } = sandbox.environment;
  try {
    const { pathname } = new URL(environment.FINANCIAL_DATA_BASE_URL ?? "");
    const operations = "CreateToken,GetCustomer,GetInstitutions";
    const args = ["--service", contract.service, "--operation", operations, "--depth", "quick"];
    const { code } = await certify(["--target", "external", ...args], {
      ...environment,
      FINANCIAL_DATA_BASE_URL: `${proxy.origin}${pathname}`,
      FINANCIAL_DATA_PARTNER_SECRET: "this-is-not-the-Secret-1!",
    });
    expect(code).not.toBe(0);
    const own = environment.FINANCIAL_DATA_PARTNER_ID ?? "";
    const logIns = proxy.passed.filter(
      ({ path, body }) => /authentication$/.test(path) && body.includes(own),
    );
    expect(logIns.length).toBeGreaterThanOrEqual(1);
    expect(logIns.length).toBeLessThanOrEqual(4);
  } finally {
    await sandbox.close();
  }
});
