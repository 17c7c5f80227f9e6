/** A plan sends no requests, and it lists every costly call that the run makes. */
import { expect, test } from "@playwright/test";
import type { Operation } from "../../../helpers/contract/contract.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { startSandbox } from "../../../mocks/engine/server.ts";
import { certify, run } from "../support/command.ts";
import { ALLOWED } from "../support/in-process.ts";
import { LONG } from "../support/lanes.ts";
import { closeAll } from "../support/loopback.ts";
import { holdingProxy, type Passing } from "./holding-proxy.ts";

const contract = await loadContract("financial-data");

test.afterEach(closeAll);

const OPERATIONS =
  "DeleteCustomer,GetAvailableBalance,createWebhookSubscription,CreateToken,ModifyPartnerSecret";
const ARGUMENTS = ["--target", "external", "--service", contract.service, "--operation", OPERATIONS];

/** Starts a server without an admin interface, behind a proxy. @returns the settings for a run, and its requests */
const startExternal = async () => {
  const { port, environment, close } = await startSandbox({ contracts: [contract], plain: true });
  const { origin, passed } = await holdingProxy(`http://127.0.0.1:${port}`);
  const { pathname } = new URL(environment.FINANCIAL_DATA_BASE_URL ?? "");
  const settings = { ...environment, FINANCIAL_DATA_BASE_URL: `${origin}${pathname}` };
  return { settings, pathname, passed, [Symbol.asyncDispose]: close };
};

test(
  "a run makes only the billable and destructive calls of its plan, and the plan sends no requests",
  LONG,
  async () => {
    test.slow();
    await using external = await startExternal();
    const settings = { ...external.settings, ...ALLOWED };
    const plan = await run("certify", [...ARGUMENTS, "--depth", "quick", "--plan"], settings);
    expect([plan.code, external.passed]).toEqual([0, []]);
    const rows = [...plan.stdout.matchAll(/^ {2}(\S+) +\d+ .*/gm)];
    const planned = new Set(rows.map(([, name]) => name));
    await certify([...ARGUMENTS, "--depth", "quick"], settings);
    const made = external.passed.flatMap((one) => operationForRequest(one, external.pathname) ?? []);
    const costly = made.filter(({ hazards }) => hazards.some((hazard) => hazard !== "slow"));
    const surprises = costly.filter(({ operationId }) => !planned.has(operationId));
    expect(new Set(costly.map(({ operationId }) => operationId)).size).toBeGreaterThan(2);
    expect(surprises.map(({ operationId }) => operationId)).toEqual([]);
    expect(plan.stdout).toMatch(/^Failed log-ins +about \d+ on the disposable partner, which locks it;/m);
  },
);

/** Finds the operation of a request. If several templates match, chooses the template with the fewest parameters. */
const operationForRequest = ({ method, path }: Passing, base: string): Operation | undefined => {
  const below = (path.split("?")[0] ?? "").slice(base.replace(/\/$/, "").length);
  return contract.operations
    .filter((one) => one.method === method)
    .filter((one) => new RegExp(`^${one.path.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`).test(below))
    .sort((a, b) => a.path.split("{").length - b.path.split("{").length)[0];
};

test("the plan lists the calls that the permissions do not allow", LONG, async () => {
  const address = { FINANCIAL_DATA_BASE_URL: "http://203.0.113.1", FINANCIAL_DATA_PARTNER_ID: "7" };
  const operations = ["--operation", "DeleteCustomer,GetAvailableBalance", "--depth", "quick", "--plan"];
  const args = ["--target", "far", "--service", contract.service, ...operations];
  const { code, stdout } = await run("certify", args, {
    ...address,
    FINANCIAL_DATA_APP_KEY: "key",
    FINANCIAL_DATA_PARTNER_SECRET: "secret",
    FINANCIAL_DATA_CUSTOMER_ID: "9",
    MAX_REQUESTS_PER_SECOND: "1",
  });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^ {2}DeleteCustomer .* destructive: not sent$/m);
  expect(stdout).toMatch(/^ {2}GetAvailableBalance .* billable: not sent$/m);
  expect(stdout).toMatch(/^Billable calls .*; none are sent: MAX_BILLABLE_CALLS allows none$/m);
  expect(stdout).toMatch(/^Requests .* at MAX_REQUESTS_PER_SECOND=1$/m);
});

test("a plan agrees with the run on a server without an admin interface", LONG, async () => {
  await using external = await startExternal();
  const args = ["--target", "external", "--service", contract.service];
  const { stdout } = await run("certify", [...args, "--plan"], external.settings);
  const [requests, tried] = [/^Requests +about ([\d,]+)/m, /^Coverage +tries about ([\d,]+)/m].map(
    (pattern) => Number(pattern.exec(stdout)?.[1]?.replaceAll(",", "")),
  );
  expect(external.passed).toEqual([]);
  expect(stdout).toMatch(/^Left for good +about .*\d+ app registrations?.*: no operation removes them\./m);
  const { certificate } = await certify(args, external.settings);
  const { passed, failed, advisory } = certificate.summary;
  expect(Math.abs((requests ?? 0) / external.passed.length - 1)).toBeLessThan(0.1);
  expect(Math.abs((tried ?? 0) / (passed + failed + advisory) - 1)).toBeLessThan(0.1);
});
