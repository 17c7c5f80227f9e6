/** `npm run clean` removes what an earlier run left on its target, and says what remains. */
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { createJournal, leftoversPath, readLeftovers } from "../../../helpers/run/leftovers.ts";
import { NOTHING } from "../../../helpers/situations/sandbox-capabilities.ts";
import { targetOf } from "../../../helpers/target/load-target.ts";
import type { Change } from "../../../helpers/trials/created-resources.ts";
import { openSession } from "../../../helpers/trials/session.ts";
import { startSandbox } from "../../../mocks/engine/server.ts";
import { runInfo } from "../reports/reports-data.ts";
import { financialClient } from "../sandbox/daily/clients.ts";
import { run, temporary } from "../support/command.ts";

const contract = await loadContract("financial-data");

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
