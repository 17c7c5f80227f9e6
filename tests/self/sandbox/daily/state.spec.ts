/** State: a reset, a snapshot and a file bring back exactly what was there. */
import { readFile, writeFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { startSandbox, type TestSandbox } from "../../../../mocks/sandbox.ts";
import { run, startMock } from "../../support/command.ts";
import { LONG } from "../../support/lanes.ts";
import { api, closeAll } from "../../support/loopback.ts";
import { CHOSEN } from "./chosen-data.ts";
import { type Client, financialClient } from "./clients.ts";

const addCustomer = (client: Client, username: string) =>
  client("POST", "/aggregation/v2/customers/testing", { username, firstName: "Al", lastName: "Li" });

/** Uses much of the sandbox, so that much of its state differs from the first. */
const live = async (client: Client, sandbox: TestSandbox, callback: string): Promise<void> => {
  const did: Client = async (...call) => {
    const seen = await client(...call);
    expect(seen.status, `${call}: ${JSON.stringify(seen.json)}`).toBeLessThan(300);
    return seen;
  };
  const { json } = await addCustomer(did, "al");
  const { json: rest } = await did("GET", `/aggregation/v1/customers/${json.id}`);
  expect(rest).toMatchObject({ username: "al" });
  const ada = "/aggregation/v1/customers/7001";
  await did("POST", `${ada}/accounts`);
  await did("PUT", ada, { firstName: "Eve" });
  await did("POST", "/notification-subscriptions/webhooks", {
    url: callback,
    events: [{ name: "accounts-linked" }],
  });
  await did("POST", `/decisioning/v2/customers/7001/voa?callbackUrl=${callback}`, {});
  await did("POST", "/connect/v2/generate", { customerId: "7001", partnerId: "9000" });
  await sandbox.clock.advance(1);
};

test("a snapshot is restored as it was, in every part, and a reset starts anew", async () => {
  await using sandbox = await startSandbox({ data: CHOSEN });
  const first = sandbox.data();
  const client = await financialClient(sandbox);
  await live(client, sandbox, "http://127.0.0.1:9/");
  const before = sandbox.data();
  const restore = sandbox.snapshot();
  const time = sandbox.clock.now().getTime();
  await client("DELETE", "/aggregation/v1/customers/7001");
  const own = await addCustomer(client, "other");
  await sandbox.clock.advance(86_400);
  expect(sandbox.data()).not.toEqual(before);
  await restore();
  expect(sandbox.data()).toEqual(before);
  expect(Math.abs(sandbox.clock.now().getTime() - time)).toBeLessThan(60_000);
  // The token of the client and the numbering of resources are part of the state.
  expect((await addCustomer(client, "other")).json.id).toBe(own.json.id);
  await sandbox.reset();
  expect(withoutTimes(sandbox.data())).toBe(withoutTimes(first));
  expect((await client("GET", "/aggregation/v1/customers")).status).toBe(401);
});

const withoutTimes = (data: unknown): string =>
  JSON.stringify(data).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "now");

test("unfinished work continues after a restore: reports, applications and retries", async () => {
  const received: string[] = [];
  const callback = await api(({ text }) => {
    received.push(text);
    return received.length === 1 ? 500 : 200;
  });
  await using sandbox = await startSandbox({ services: ["financial-data"], data: financialOnly });
  const client = await financialClient(sandbox);
  const { json, status } = await client(
    "POST",
    `/decisioning/v2/customers/7001/voa?callbackUrl=${callback}`,
    {},
  );
  expect([status, json.status]).toEqual([202, "inProgress"]);
  const restore = sandbox.snapshot();
  await restore();
  await sandbox.clock.advance(60);
  await sandbox.settle();
  const whileWaiting = sandbox.snapshot();
  await whileWaiting();
  await sandbox.clock.advance(60);
  await sandbox.settle();
  await closeAll();
  expect(received.map((body) => JSON.parse(body))).toEqual([
    expect.objectContaining({ reportId: json.id, status: "success" }),
    expect.objectContaining({ reportId: json.id, status: "success" }),
  ]);
  expect(sandbox.deliveries.at(-1)).toMatchObject({
    status: "delivered",
    attempts: [{ status: 500 }, { status: 200 }],
  });
});

const financialOnly = { "financial-data": CHOSEN["financial-data"] ?? {} };

test("a file keeps the state between two starts, and a wrong one is refused", async () => {
  const stateFile = test.info().outputPath("state.json");
  const first = await startSandbox({ data: CHOSEN, stateFile });
  const client = await financialClient(first);
  await live(client, first, "http://127.0.0.1:9/");
  const before = first.data();
  await first.stop();
  await using second = await startSandbox({ stateFile });
  expect(second.data()).toEqual(before);
  expect(second.credentials.CARD_ENROLLMENT_ENCRYPTION_KEY).toBe(
    first.credentials.CARD_ENROLLMENT_ENCRYPTION_KEY,
  );
  for (const [text, message] of [
    ["{", "no state of a sandbox"],
    [await readFile(stateFile, "utf8"), "the state of other services"],
  ] as const) {
    const other = test.info().outputPath("other.json");
    await writeFile(other, text);
    await expect(startSandbox({ services: ["installments"], stateFile: other })).rejects.toThrow(message);
  }
});

test("100 SIGKILLs under load leave a whole state, and the sandbox always starts again", LONG, async () => {
  const file = test.info().outputPath("state.json");
  let least = 0;
  for (let round = 0; round < 100; round += 1) {
    const mock = await startMock(["--service", "financial-data", "--state", file]);
    const client = await financialClient({ baseUrls: mock.baseUrls, credentials: mock.credentials });
    const { json } = await client("GET", "/aggregation/v1/customers?limit=1");
    expect(Number(json.found), `round ${round}`).toBeGreaterThanOrEqual(least);
    least = Number(json.found);
    const calls = Array.from({ length: 60 }, (_, index) =>
      addCustomer(client, `user-${round}-${index}`).catch(() => undefined),
    );
    await Promise.race([
      Promise.all(calls),
      new Promise((resolve) => setTimeout(resolve, (round * 7) % 120)),
    ]);
    await mock.kill();
    await Promise.all(calls);
  }
  expect(least).toBeGreaterThan(20);
  expect((await run("mock", ["--service", "financial-data", "--state", file, "--dump-data"])).code).toBe(0);
});
