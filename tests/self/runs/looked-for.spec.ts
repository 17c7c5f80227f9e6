/**
 * What a trial needs of an external target is looked for before the trial is left out, and the reason says what was seen
 * and which setting names it.
 */
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { sentenceOf } from "../../../helpers/reasons/reason.ts";
import { offered } from "../../../helpers/situations/offered.ts";
import { NOTHING } from "../../../helpers/situations/sandbox-capabilities.ts";
import { targetOf } from "../../../helpers/target/load-target.ts";
import type { TrialResult } from "../../../helpers/trials/ledger.ts";
import { openSession } from "../../../helpers/trials/session.ts";
import { type Sandbox, startSandbox } from "../../../mocks/engine/server.ts";
import { trials } from "../../financial-data/trials.ts";
import { hostileService } from "../hostile/hostile-server.ts";
import { reasonsOf, runAlone, verdictsOf } from "../support/in-process.ts";
import { closeAll } from "../support/loopback.ts";

const contract = await loadContract("financial-data");
const LINKING = ["financial-data.difference.accounts-from-the-start"];
const ALLOWED = { ALLOW_DESTRUCTIVE: "true", MAX_BILLABLE_CALLS: "1000" };

/** Runs a trial on a sandbox that offers nothing but its documented operations. */
const runOn = async (
  trial: string,
  differences: readonly string[],
  settings: (sandbox: Sandbox) => Readonly<Record<string, string>> = () => ({}),
): Promise<TrialResult[]> => {
  const sandbox = await startSandbox({ contracts: [contract], differences, plain: true });
  const { FINANCIAL_DATA_CUSTOMER_ID: _, FINANCIAL_DATA_LOCATION_ID: __, ...own } = sandbox.environment;
  const chosen = trials(contract).filter(({ id }) => id === trial);
  try {
    return await runAlone(contract, chosen, {
      target: targetOf("external", { ...own, ...ALLOWED, ...settings(sandbox) }, false),
      capabilities: offered({ situations: {} }),
    });
  } finally {
    await sandbox.close();
  }
};

interface Row {
  readonly trial: string;
  readonly requirement: string;
  /** On a server that links accounts to new customers, and on one that does not: a reason, or nothing for a pass. */
  readonly linking?: RegExp;
  readonly bare?: RegExp;
}

const ROWS: readonly Row[] = [
  {
    trial: "accounts/delete-account",
    requirement: "DeleteCustomerAccount.removes-access",
    bare: /^needs a new customer with linked accounts \(GetCustomerAccounts lists none\): name one as linked-customer in SITUATIONS$/,
  },
  {
    trial: "accounts/delete-login",
    requirement: "DeleteCustomerAccountsByInstitutionLogin.removes-access",
    linking:
      /^needs a customer with two institution logins \(GetCustomerAccounts shows accounts of 1\): name one as two-logins in SITUATIONS$/,
    bare: /^needs a new customer with linked accounts \(/,
  },
  {
    trial: "reports/no-eligible-account",
    requirement: "reports.no-eligible-account-400",
    bare: /^the valid call beside it was refused with 400 too/,
  },
  {
    trial: "reports/account-types",
    requirement: "GenerateVOAReport.account-types",
    bare: /^needs a customer with only a \w+ account \(GetCustomerAccounts lists none\): name one as bare-customer in SITUATIONS$/,
  },
  {
    trial: "authorization-details/legacy",
    requirement: "getCustomerAuthorizationDetails.error-3003",
    bare: /^needs a customer with linked accounts: set FINANCIAL_DATA_CUSTOMER_ID$/,
  },
  { trial: "reports/merchant-metrics", requirement: "GenerateSBCAMetricsReport.answers-200" },
];

for (const { trial, requirement, ...reasons } of ROWS) {
  for (const [kind, differences] of [
    ["linking", LINKING],
    ["bare", []],
  ] as const) {
    const reason = reasons[kind];
    test(`${trial} is ${reason === undefined ? "" : "not "}tried, new customers are ${kind}`, async () => {
      const results = await runOn(trial, differences);
      const id = `financial-data.${requirement}`;
      const expected = reason === undefined ? ["passed", ""] : ["not-tried", expect.stringMatching(reason)];
      expect([verdictsOf(results).get(id), reasonsOf(results, id)]).toEqual(expected);
    });
  }
}

test("without a login on a legacy connection, the reason says how many were asked about", async () => {
  const results = await runOn("authorization-details/legacy", [], ({ testData }) => ({
    FINANCIAL_DATA_CUSTOMER_ID: testData["old-authorization"]?.[0]?.ids.customer ?? "",
  }));
  expect(reasonsOf(results, "financial-data.getCustomerAuthorizationDetails.error-3003")).toMatch(
    /^needs a login on a legacy connection \(none of \d logins of the customer is answered with code 3003\): name one as legacy-connection in SITUATIONS$/,
  );
});

test("two workers that need the one consumer of a given customer at the same time both get it", async () => {
  const sandbox = await startSandbox({ contracts: [contract], plain: true });
  const { FINANCIAL_DATA_BASE_URL: base = "", FINANCIAL_DATA_CUSTOMER_ID: _, ...own } = sandbox.environment;
  const [customer = ""] = await arrangedBy(["t0"], "customer", { ...own, FINANCIAL_DATA_BASE_URL: base });
  let looked = 0;
  let release = (): void => {};
  const bothLooked = new Promise<void>((resolve) => {
    release = resolve;
  });
  // Both look for the consumer before one of them creates it.
  const between = await hostileService(base, async ({ method, path }, correct) => {
    const answer = await correct();
    if (method !== "GET" || !path.endsWith("/consumer")) return answer;
    looked += 1;
    if (looked === 2) release();
    await bothLooked;
    return answer;
  });
  const consumers = await arrangedBy(["t1", "t2"], "consumer", {
    ...{ ...own, FINANCIAL_DATA_CUSTOMER_ID: customer, FINANCIAL_DATA_BASE_URL: between },
  });
  await closeAll();
  await sandbox.close();
  expect(consumers).toEqual([expect.stringMatching(/^\d+$/), consumers[0]]);
});

/** Returns the identifier or the reason that each worker gets. All ask at the same time. */
const arrangedBy = (
  workers: readonly string[],
  resource: string,
  values: Readonly<Record<string, string>>,
): Promise<string[]> =>
  Promise.all(
    workers.map(async (prefix) => {
      const session = openSession({
        ...{ target: targetOf("external", { ...values, ...ALLOWED }, false), capabilities: NOTHING },
        ...{ contracts: [contract], depth: "quick", seed: 1, prefix },
      });
      let got = "";
      const { unarranged } = await session.run({
        ...{ id: resource, service: contract.service, title: resource, section: "", operations: [] },
        ...{ requirements: [], hazards: [], observe: () => undefined },
        async run({ arrange }) {
          got = await arrange.need(resource);
        },
      });
      await session.close();
      return unarranged === undefined ? got : sentenceOf(unarranged.reason);
    }),
  );
