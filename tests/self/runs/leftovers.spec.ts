/**
 * The leftovers file lists the resources left on a target, and the calls that may have left one. `npm run clean` removes
 * them, and says what remains.
 */
import { existsSync } from "node:fs";
import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import type { Operation } from "../../../helpers/contract/contract.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import type { Client } from "../../../helpers/exchange/client.ts";
import type { Exchange } from "../../../helpers/exchange/exchange.ts";
import {
  compactLeftovers,
  createJournal,
  leftoversPath,
  readLeftovers,
} from "../../../helpers/run/leftovers.ts";
import { NOTHING } from "../../../helpers/situations/sandbox-capabilities.ts";
import { targetOf } from "../../../helpers/target/load-target.ts";
import type { Call } from "../../../helpers/trials/call.ts";
import type { Change, CreatedResource } from "../../../helpers/trials/created-resources.ts";
import { createEndurance } from "../../../helpers/trials/endurance.ts";
import { createSending } from "../../../helpers/trials/sending.ts";
import { openSession } from "../../../helpers/trials/session.ts";
import { startSandbox } from "../../../mocks/engine/server.ts";
import { runInfo } from "../reports/reports-data.ts";
import { financialClient } from "../sandbox/daily/clients.ts";
import { run, temporary } from "../support/command.ts";

const contract = await loadContract("financial-data");
const operation = contract.operations.find(
  ({ operationId }) => operationId === "AddTestingCustomer",
) as Operation;
const SECRET = "a-partner-secret-of-ours";
const target = targetOf(
  "external",
  {
    FINANCIAL_DATA_BASE_URL: "http://127.0.0.1:9",
    FINANCIAL_DATA_CUSTOMER_ID: "17",
    FINANCIAL_DATA_PARTNER_SECRET: SECRET,
  },
  false,
);
const CALL = {
  operationId: operation.operationId,
  headers: { "partner-app-token": "t" },
  json: {},
  interruptions: "return",
} as const;

/** Returns the changes reported for one call that creates a customer, in order. */
const changesOf = async (answer: Partial<Exchange>, call: Call = CALL): Promise<Change[]> => {
  const changes: Change[] = [];
  const send = async (): Promise<Exchange> => {
    changes.push({ settled: "sent" });
    return answer as Exchange;
  };
  const client = { send, close: async () => {} } satisfies Client;
  const onChange = (change: Change): void => void changes.push(change);
  const endurance = createEndurance();
  const sending = createSending({ client, target, bindings: {}, isDisposable: true, endurance, onChange });
  await sending.send({ contract, access: () => undefined }, operation, call);
  return changes;
};

const answered = (status: number, json?: unknown): Partial<Exchange> => ({
  request: { method: "POST", url: "http://127.0.0.1:9/", headers: {} },
  response: { status, headers: {}, body: Buffer.alloc(0), json },
});
const failed = (kind: NonNullable<Exchange["failure"]>["kind"]): Partial<Exchange> => ({
  failure: { kind, message: "" },
});

/** The changes after the first request. A request without an answer is sent again, which may create a second resource. */
const CHANGES = {
  made: ["made", "settled"],
  "nothing made": ["settled"],
  unclear: [],
  "unclear twice": ["intended", "settled"],
} as const;

const CASES: readonly {
  readonly about: string;
  readonly answer: Partial<Exchange>;
  readonly tells: keyof typeof CHANGES;
}[] = [
  { about: "the response names the new resource", answer: answered(201, { id: "18" }), tells: "made" },
  {
    about: "the response names the user's resource",
    answer: answered(201, { id: "17" }),
    tells: "nothing made",
  },
  { about: "the server refuses the call", answer: answered(400), tells: "nothing made" },
  { about: "the server is unavailable", answer: answered(503), tells: "nothing made" },
  { about: "the call is not permitted", answer: failed("not-allowed"), tells: "nothing made" },
  { about: "the connection is refused", answer: failed("connection-refused"), tells: "nothing made" },
  { about: "the response names nothing", answer: answered(201, {}), tells: "unclear" },
  { about: "the server fails", answer: answered(500), tells: "unclear" },
  { about: "the response is late", answer: failed("timeout"), tells: "unclear twice" },
  { about: "the connection is lost", answer: failed("connection-lost"), tells: "unclear twice" },
];

for (const [method, attempts] of [
  ["POST", 2],
  ["PUT", 3],
  ["GET", 3],
] as const)
  test(`${method} is sent ${attempts} times if its connection is lost each time`, async () => {
    const changes = await changesOf(failed("connection-lost"), { ...CALL, method });
    expect(changes.filter((change) => "settled" in change && change.settled === "sent")).toHaveLength(
      attempts,
    );
  });

for (const { about, answer, tells } of CASES) {
  test(`if a call creates a resource and ${about}, the list has: ${tells}`, async () => {
    const [intended, sent, ...after] = await changesOf(answer);
    expect([intended, sent]).toMatchObject([
      { intended: { operationId: "AddTestingCustomer", resources: ["customer"] } },
      { settled: "sent" },
    ]);
    expect(after.map((change) => Object.keys(change)[0])).toEqual(CHANGES[tells]);
  });
}

test("a call with another method than its operation's creates nothing", async () => {
  expect(await changesOf(answered(405), { ...CALL, method: "PATCH" })).toEqual([{ settled: "sent" }]);
});

const made = (id: string, json?: unknown): CreatedResource => ({
  service: "installments",
  resource: "pan-list",
  id,
  within: {},
  ...(json !== undefined && { json }),
});

test("the list has one entry per run, without removed resources and without incomplete lines", async () => {
  const out = await temporary();
  const [first, second] = ["2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z"].map((startedAt) => {
    const info = runInfo({ out, startedAt, target: { name: "external", embedded: false, baseUrls: {} } });
    return { info, note: createJournal({ info, target }, []) };
  });
  first?.note({ made: made("a") });
  first?.note({ made: made("b") });
  await appendFile(leftoversPath(out), '{"run":"2026-01-01T00:0\n');
  second?.note({ made: made("c") });
  first?.note({ removed: made("a") });
  second?.note({ removed: made("c") });
  const left = [{ run: "2026-01-01T00:00:00.000Z", target: "external", left: [made("b")], unclear: [] }];
  expect(readLeftovers(out)).toEqual(left);
  compactLeftovers(out);
  expect(readLeftovers(out)).toEqual(left);
  expect((await readFile(leftoversPath(out), "utf8")).split("\n")).toHaveLength(2);
  first?.note({ removed: made("b") });
  compactLeftovers(out);
  expect(readLeftovers(out)).toEqual([]);
  await expect(readFile(leftoversPath(out))).rejects.toThrow("ENOENT");
});

test("only the lists of a body are stored, without secrets", async () => {
  const out = await temporary();
  const note = createJournal({ info: runInfo({ out }), target }, []);
  const [, , change] = await changesOf(answered(201, { id: "18" }), {
    ...CALL,
    json: { firstName: "Robin", notes: ["kept", SECRET, "5555341244441115"] },
  });
  note(change as Change);
  const text = await readFile(leftoversPath(out), "utf8");
  expect(text).toContain("kept");
  expect(text).not.toMatch(/Robin|5555341244441115|a-partner-secret/);
});

/** Writes the leftovers of a run that made a customer. @returns the path of its certificate */
const leave = async (id: string, environment: Readonly<Record<string, string>>): Promise<string> => {
  const out = await temporary();
  const info = runInfo({ out, target: { name: "external", embedded: false, baseUrls: {} } });
  const journal = createJournal({ info, target: targetOf("external", environment, false) }, [contract]);
  journal({ made: { service: "financial-data", resource: "customer", id, within: {} } });
  await writeFile(join(out, "certificate.json"), JSON.stringify({ format: "certificate/1" }));
  return join(out, "certificate.json");
};

test("what a run left is removed later, without a permission, and once", async () => {
  const sandbox = await startSandbox({ contracts: [contract], plain: true });
  try {
    const { environment, baseUrls } = sandbox;
    const call = await financialClient({ baseUrls, credentials: environment });
    const made = await call("POST", "/aggregation/v2/customers/testing", { username: "left-behind" });
    const id = String(made.json.id);
    const certificate = await leave(id, environment);
    const first = await run("clean", [certificate], { ...environment });
    expect([first.code, first.stdout]).toEqual([0, "Removed 1 created resource from the target.\n"]);
    expect((await call("GET", `/aggregation/v1/customers/${id}`)).status).toBe(404);
    expect(existsSync(leftoversPath(join(certificate, "..")))).toBe(false);
    const second = await run("clean", [certificate], { ...environment });
    expect([second.code, second.stdout]).toEqual([0, expect.stringContaining("Nothing to remove")]);
  } finally {
    await sandbox.close();
  }
});

test("what can't be removed stays in the file, with the call that would remove it", async () => {
  const environment = {
    FINANCIAL_DATA_BASE_URL: "http://127.0.0.1:9",
    FINANCIAL_DATA_APP_KEY: "key-of-nobody",
    FINANCIAL_DATA_PARTNER_ID: "17",
    FINANCIAL_DATA_PARTNER_SECRET: "secret-of-nobody",
  };
  const certificate = await leave("18", environment);
  const { code, stdout } = await run("clean", [certificate], environment);
  expect([code, stdout]).toEqual([
    3,
    expect.stringContaining("Left on the target:\n  financial-data: customer 18"),
  ]);
  const out = join(certificate, "..");
  expect(readLeftovers(out)).toMatchObject([{ target: "external", left: [{ id: "18" }] }]);
  expect(JSON.parse(await readFile(leftoversPath(out), "utf8"))).toMatchObject({
    removal: "DELETE /aggregation/v1/customers/18",
  });
});

test("what went with another resource, or was gone before, is removed for the file too", async () => {
  const sandbox = await startSandbox({ contracts: [contract], plain: true });
  const changes: Change[] = [];
  const session = openSession({
    target: targetOf("external", sandbox.environment, false),
    ...{ contracts: [contract], capabilities: NOTHING, depth: "quick", seed: 1, prefix: "t0" },
    onChange: (change) => void changes.push(change),
  });
  const customer = { service: "financial-data", resource: "customer", id: "18", within: {} };
  const within = { customer: "18", account: "19" };
  const made = [customer, { ...customer, resource: "txpush-subscription", id: "20", within }];
  expect(await session.cleanUp(made)).toEqual([]);
  expect(changes).toEqual(made.map((removed) => ({ removed })));
  await session.close();
  await sandbox.close();
});

test("a path without a run is one sentence", async () => {
  const { code, stderr } = await run("clean", ["/nowhere/certificate.json"]);
  expect([code, stderr]).toEqual([
    2,
    "/nowhere/certificate.json can't be read: there is no such file or folder.\n",
  ]);
});
