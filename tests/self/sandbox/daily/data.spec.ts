/** The data of a user: chosen ids are served, a dump starts the same sandbox again, and errors name their line. */
import { writeFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { parse } from "yaml";
import { loadContract } from "../../../../helpers/contract/load.ts";
import type { SandboxData } from "../../../../mocks/engine/data/data.ts";
import { readSettings } from "../../../../mocks/engine/data/read-data.ts";
import { startSandbox } from "../../../../mocks/sandbox.ts";
import { run } from "../../support/command.ts";
import { PROVIDER } from "../../support/lanes.ts";
import { shared } from "../../support/shared.ts";
import { CHOSEN } from "./chosen-data.ts";
import { financialClient } from "./clients.ts";

test("chosen keys are the credentials, and a chosen plan is served; the stories read what else is chosen", async () => {
  await using sandbox = await startSandbox({ data: CHOSEN });
  expect(sandbox.credentials).toMatchObject({
    CARD_ENROLLMENT_API_KEY: "my-card-key",
    CARD_ENROLLMENT_SERVICE_ID: "MY_PROGRAM",
    INSTALLMENTS_AUTHORIZATION: "Bearer my-merchants",
    FINANCIAL_DATA_APP_KEY: "my-app-key",
    FINANCIAL_DATA_PARTNER_ID: "9000",
    FINANCIAL_DATA_CUSTOMER_ID: "7001",
  });
  const plan = await fetch(`${sandbox.baseUrls.installments}/plans/99999999-9999-4999-8999-999999999999`);
  expect(await plan.json()).toMatchObject({
    planId: "99999999-9999-4999-8999-999999999999",
    offerId: "offer-01",
    status: "APPROVED",
  });
});

const WRONG: readonly [what: string, text: string, line: number, message: string][] = [
  [
    "an unknown name",
    "financial-data:\n  customers:\n  - id: 1\n    user: a\n",
    3,
    `must have required property 'username'`,
  ],
  ["an unknown service", "other: {}\n", 1, `"other" is unknown here`],
  [
    "a repeated id",
    "financial-data:\n  customers:\n  - {id: 1, username: a}\n  - {id: 1, username: b}\n",
    4,
    `the id "1" repeats`,
  ],
  [
    "a name of nothing",
    "installments:\n  plans:\n  - planId: p\n    offerId: o\n",
    4,
    `no offer has the id "o"`,
  ],
  ["a wrong value", "card-enrollment:\n  clients:\n  - id: me\n", 3, "must match pattern"],
  [
    "a repeated name",
    '{"installments": {\n"issuer": "http://127.0.0.1:1/",\n"issuer": "http://127.0.0.1:2/"}}',
    3,
    "Map keys must be unique",
  ],
  [
    "a number of money that JSON does not hold exactly",
    "financial-data: {customers: [{id: 1, username: a, logins: [{id: 2, institutionId: 3, accounts: [\n  {id: 4, type: checking, balance: 9007199254740993}]}]}]}\n",
    2,
    "must be number",
  ],
  ["broken YAML", "financial-data:\n  - [\n", 3, ""],
];

test("each error in a file names file and line", async () => {
  const file = test.info().outputPath("data.yaml");
  for (const [what, text, line, message] of WRONG) {
    await writeFile(file, text);
    const problem = await startWith(file).catch((error: Error) => error.message);
    expect(problem, what).toContain(`${file}:${line}: `);
    expect(problem, what).toContain(message);
  }
});

test("ids of any form are kept, also those that JSON numbers do not hold", async () => {
  const file = test.info().outputPath("data.yaml");
  const customers = ["9007199254740993", "007", "ada-1", "1e3"].map((id, index) => ({
    id,
    username: `u-${index}`,
  }));
  const texts = [
    JSON.stringify({ "financial-data": { customers } }),
    JSON.stringify({ "financial-data": { customers } }).replace('"9007199254740993"', "9007199254740993"),
    `financial-data: {customers: [${customers
      .map(({ id, username }) => `{id: ${/^9/.test(id) ? id : JSON.stringify(id)}, username: ${username}}`)
      .join(", ")}]}`,
  ];
  for (const text of texts) {
    await writeFile(file, text);
    const { value, told } = await readSettings(file);
    await using sandbox = await told(() =>
      startSandbox({ services: ["financial-data"], data: value as SandboxData }),
    );
    const client = await financialClient(sandbox);
    for (const { id } of customers) {
      const { json } = await client("GET", `/aggregation/v1/customers/${id}`);
      expect(json.id, text).toBe(id);
    }
    const { json } = await client("GET", "/aggregation/v1/customers");
    expect((json.customers as { id: string }[]).map(({ id }) => id)).toEqual(customers.map(({ id }) => id));
  }
});

test(
  "an id that the provider's document does not allow is refused with its line, and a long number keeps its digits",
  PROVIDER,
  async () => {
    const providerFile = shared("provider/financial-data-1.35.0.yaml");
    const contracts = [await loadContract("financial-data", { providerFile })];
    const file = test.info().outputPath("data.yaml");
    await writeFile(file, "financial-data:\n  configurations:\n  - {id: mine, fields: {}}\n");
    const { value, told } = await readSettings(file);
    const start = () => startSandbox({ services: ["financial-data"], contracts, data: value as SandboxData });
    await expect(told(async () => void (await start()))).rejects.toThrow(
      `${file}:3: /financial-data/configurations/0/id: the contract has no configuration with an id like "mine", but ids of type string, format uuid, minLength 36, maxLength 36`,
    );
    const [login, account] = ["9007199254740995", "9007199254740997"];
    const logins = [{ id: login, institutionId: 42, accounts: [{ id: account, type: "checking" as const }] }];
    const institutions = [{ id: 42, name: "First Fictional Bank" }];
    const customers = [{ id: 7001, username: "ada-lovelace", logins }];
    const data = { "financial-data": { institutions, customers } };
    await using sandbox = await startSandbox({ services: ["financial-data"], contracts, data });
    const client = await financialClient(sandbox, contracts[0]);
    const path = `/aggregation/v1/customers/7001/institutionLogins/${login}/accounts`;
    const { text, json } = await client("GET", path);
    expect([text, json]).toEqual([
      expect.stringContaining(`"institutionLoginId":${login},`),
      expect.objectContaining({ accounts: [expect.objectContaining({ id: account })] }),
    ]);
  },
);

test("unfinished work in a file continues", async () => {
  const deposit = { accountId: 8001, customerId: 1, status: "initiated", amounts: [4, 18] };
  const receiver = { routingNumber: "071000013", accountNumber: "1234567890" };
  const data = {
    customers: [{ id: 1, username: "ada" }],
    applications: [{ preAppId: 31, status: "P" }],
    microDeposits: [{ ...deposit, receiver }],
    reports: [{ id: "report-1", type: "voa", customerId: 1, status: "inProgress" }],
  };
  await using sandbox = await startSandbox({
    services: ["financial-data"],
    data: { "financial-data": data },
  });
  await sandbox.clock.advance(60);
  expect(sandbox.data()["financial-data"]).toMatchObject({
    applications: [{ preAppId: "31", status: "A" }],
    microDeposits: [{ accountId: "8001", status: "deposited" }],
    reports: [{ id: "report-1", status: "success" }],
  });
});

test("a new resource passes over the ids that a user chose", async () => {
  await using first = await startSandbox();
  const copied = first.data();
  await using second = await startSandbox({ data: copied });
  const client = await financialClient(second);
  const add = { username: "new", firstName: "Al", lastName: "Li" };
  const { json } = await client("POST", "/aggregation/v2/customers/testing", add);
  const { customers } = copied["financial-data"] as { customers: { id: string }[] };
  expect(customers.map(({ id }) => id)).not.toContain(json.id);
});

/** Starts a sandbox as the command does. */
const startWith = async (file: string): Promise<string> => {
  const { value, told } = await readSettings(file);
  await told(async () => (await startSandbox({ data: value as SandboxData })).stop());
  return "no error";
};

test("a wrong file ends the command with one line", async () => {
  const file = test.info().outputPath("data.yaml");
  await writeFile(file, "installments:\n  plan: []\n");
  const { code, stderr } = await run("mock", ["--service", "installments", "--data", file]);
  expect([code, stderr]).toEqual([2, `${file}:2: /installments/plan: "plan" is unknown here\n`]);
});

test("the command prints its data, with the ids of the file", async () => {
  const file = test.info().outputPath("data.json");
  await writeFile(file, JSON.stringify({ "financial-data": CHOSEN["financial-data"] }));
  const { code, stdout } = await run("mock", ["--service", "financial-data", "--data", file, "--dump-data"]);
  expect(code).toBe(0);
  expect(parse(stdout)["financial-data"].customers[0]).toMatchObject({ id: "7001", username: "ada" });
});
