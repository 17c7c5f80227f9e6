/** The data of a user: chosen ids are served, a dump starts the same sandbox again, and errors name their line. */
import { writeFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { parse } from "yaml";
import type { SandboxData } from "../../../../mocks/engine/data/data.ts";
import { readSettings } from "../../../../mocks/engine/data/read-data.ts";
import { startSandbox } from "../../../../mocks/sandbox.ts";
import { run } from "../../support/command.ts";
import { CHOSEN } from "./chosen-data.ts";
import { financialClient } from "./clients.ts";

test("chosen ids are served in every service", async () => {
  await using sandbox = await startSandbox({ data: CHOSEN });
  expect(sandbox.credentials).toMatchObject({
    CARD_ENROLLMENT_API_KEY: "my-card-key",
    CARD_ENROLLMENT_SERVICE_ID: "MY_PROGRAM",
    INSTALLMENTS_AUTHORIZATION: "Bearer my-merchants",
    FINANCIAL_DATA_APP_KEY: "my-app-key",
    FINANCIAL_DATA_PARTNER_ID: "9000",
    FINANCIAL_DATA_CUSTOMER_ID: "7001",
  });
  const client = await financialClient(sandbox);
  const { json: customer } = await client("GET", "/aggregation/v1/customers/7001");
  expect(customer).toMatchObject({ id: "7001", username: "ada", firstName: "Ada" });
  const { json: accounts } = await client("GET", "/aggregation/v1/customers/7001/accounts");
  expect(accounts).toMatchObject({
    accounts: [{ id: "5001", balance: 321.09 }, { id: "5002" }],
  });
  const { json: transaction } = await client("GET", "/aggregation/v2/customers/7001/transactions/88");
  expect(transaction).toMatchObject({ id: 88, amount: -12.5, description: "MILL BAKERY", accountId: 5001 });
  const { json: found } = await client("GET", "/institution/v2/institutions/42");
  expect(found).toMatchObject({ institution: { id: 42, name: "First Fictional Bank" } });
  const plan = await fetch(`${sandbox.baseUrls.installments}/plans/99999999-9999-4999-8999-999999999999`);
  expect(await plan.json()).toMatchObject({
    planId: "99999999-9999-4999-8999-999999999999",
    offerId: "offer-01",
    status: "APPROVED",
  });
});

test("a dump starts a sandbox in the same state", async () => {
  await using first = await startSandbox({ data: CHOSEN });
  const client = await financialClient(first);
  await client("GET", "/aggregation/v1/customers/7001/accounts");
  await using second = await startSandbox({ data: first.data() });
  expect(second.data()).toEqual(first.data());
  expect(second.credentials).toMatchObject({ FINANCIAL_DATA_PARTNER_SECRET: "my-Secret-1" });
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
