/**
 * A server that checks no bodies gets few requests, although a provider's document states thousands of rules for them, and
 * keeps little of what they make.
 */
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import type { Operation, Rule } from "../../../helpers/contract/contract.ts";
import { isSame } from "../../../helpers/contract/json.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { type Exchange, isAccepted } from "../../../helpers/exchange/exchange.ts";
import { applyEdit } from "../../../helpers/generate/edit.ts";
import { lasts } from "../../../helpers/trials/created-resources.ts";
import { contractRequests } from "../../../helpers/trials/from-contract/rule-requests.ts";
import { isRepeatable, shareControl } from "../../../helpers/trials/from-contract/shared-controls.ts";
import { bound, type T } from "../../../helpers/trials/kit/language.ts";
import type { Trial } from "../../../helpers/trials/trial.ts";
import { trials as cardEnrollmentTrials } from "../../card-enrollment/trials.ts";
import { trials as financialDataTrials } from "../../financial-data/trials.ts";
import { withoutBodyRules } from "../sandbox/without-body-rules.ts";
import { onSandbox, runAll, type Setting, verdictsOf, withSandbox } from "../support/in-process.ts";
import { LONG, PROVIDER } from "../support/lanes.ts";
import { shared } from "../support/shared.ts";

const ALLOWED = { ALLOW_DESTRUCTIVE: "true", ALLOW_LOCKING: "true", MAX_BILLABLE_CALLS: "100000" };
const FAST = { ...ALLOWED, MAX_REQUESTS_PER_SECOND: "100000" };

const REPORT = "GenerateTransactionsReport";

/** Faults that a shared control might hide, by the trial that finds them. */
const FAULTS = {
  authentication: ["unauthenticated.open", "unauthenticated.forbidden"],
  "unknown-customerId": ["unknown-customerId.accepted", "unknown-customerId.failing"],
  "rule/from-date-required": ["from-date-required.not-enforced"],
  "rule/parameter.fromDate.type": ["parameter.fromDate.type.not-enforced"],
};

test("trials share the control of an operation whose results stay, and find the same faults", async () => {
  const contract = await loadContract("financial-data");
  const chosen = ["success", ...Object.keys(FAULTS)].map((name) => `${REPORT}/${name}`);
  const trials = financialDataTrials(contract).filter(({ id }) => chosen.includes(id));
  let accepted = 0;
  const onExchange = (exchange: Exchange) => {
    if (exchange.operationId === REPORT && isAccepted(exchange)) accepted += 1;
  };
  const setting = { contract, values: FAST, occasions: false, depth: "quick", external: true } as const;
  await withSandbox({ ...setting, onExchange }, async (within) => {
    const usual = verdictsOf(await within([], (session) => runAll(session, trials)));
    // The calls of the trial of success.
    expect(accepted).toBe(2);
    for (const name of Object.values(FAULTS).flat()) {
      const fault = `financial-data.${REPORT}.${name}`;
      const requirement = fault.slice(0, fault.lastIndexOf("."));
      expect.soft(usual.get(requirement), requirement).toBe("passed");
      const verdicts = verdictsOf(await within([fault], (session) => runAll(session, trials)));
      // A requirement whose name is assumed is never failed.
      expect.soft(verdicts.get(requirement), fault).toMatch(/^(failed|advisory)$/);
    }
  });
});

test("limits that one call contained pass, because a refusal of the call would have shown a violation", async () => {
  const contract = await loadContract("card-enrollment");
  const trials = cardEnrollmentTrials(contract).filter(({ id }) => /cardSource\.|\.optional$/.test(id));
  const found = await onSandbox({ contract, external: true, depth: "quick" }, (session) =>
    runAll(session, trials),
  );
  expect(trials.length).toBeGreaterThan(5);
  const verdicts = [...verdictsOf(found)].filter(([id]) => id.includes(".request."));
  expect(verdicts.filter(([, verdict]) => verdict !== "passed")).toEqual([]);
});

/** Runs a trial of an operation that gives an address. */
const withOperation = async (run: (t: T, operation: Operation) => Promise<void>): Promise<void> => {
  const contract = await loadContract("financial-data");
  const trial = financialDataTrials(contract).find(({ id }) => id === "GenerateConnectUrl/success");
  await onSandbox({ contract, depth: "quick", occasions: false }, (session) =>
    session.run({ ...(trial as Trial), run: bound((t) => run(t, t.operationOf("GenerateConnectUrl"))) }),
  );
};

test("at quick depth, a call is the control of a probe once a second call of the same resources was accepted", async () => {
  const told: boolean[] = [];
  await withOperation(async (t, operation) => {
    const call = await t.validCall(operation.operationId);
    for (let sent = 0; sent < 2; sent++) {
      shareControl(t, operation, { call, exchange: await t.send(call) });
      told.push(isRepeatable(t, operation, call));
    }
    told.push(isRepeatable(t, operation, { ...call, path: { customerId: "another" } }));
  });
  expect(told).toEqual([false, true, false]);
});

test("a probe that names a resource is not sent beside a control about another parent", async () => {
  const paths: unknown[] = [];
  await withOperation(async (t, operation) => {
    const rule = t.contract.rules.find(
      ({ operationId, pointer }) => operationId === operation.operationId && pointer === "/partnerId",
    );
    const call = await t.validCall(operation.operationId);
    const exchange = await t.send(call);
    const edit = { pointer: "/partnerId", value: "1" };
    const pair = { base: call.json, edit, edited: applyEdit(call.json, edit) };
    for (const path of [{ customerId: "another" }, call.path ?? {}]) {
      shareControl(t, operation, { call: { ...call, path }, exchange });
      const { samples } = await contractRequests(t, operation);
      const [sample] = fc.sample(samples(rule as Rule, fc.constant(pair)), 1);
      paths.push([sample?.control.path, sample?.probe.path].map((one) => isSame(one, call.path)));
    }
  });
  expect(paths).toEqual([
    [true, true],
    [true, true],
  ]);
});

/** Returns the requests of all trials, or of the trials of one operation. */
const sentTo = async (setting: Partial<Setting>, only?: string) => {
  const contract = await loadContract("financial-data", {
    providerFile: shared("provider/financial-data-1.35.0.yaml"),
  });
  const exchanges: Exchange[] = [];
  const sandbox = { contract, served: withoutBodyRules(contract), values: FAST, occasions: false };
  const trials = financialDataTrials(contract).filter(
    ({ operations }) => only === undefined || operations.join() === only,
  );
  const onExchange = (exchange: Exchange) => void exchanges.push(exchange);
  await onSandbox({ ...sandbox, ...setting, onExchange }, (session) => runAll(session, trials));
  const lasting = contract.operations.filter((operation) => lasts(contract, operation, { embedded: false }));
  const accepted = lasting.map(({ operationId }) => ({
    operationId,
    calls: exchanges.filter((one) => one.operationId === operationId && isAccepted(one)).length,
  }));
  return { requests: exchanges.length, accepted };
};

test(
  "a server without rules for bodies gets few near-misses of an operation whose results stay",
  PROVIDER,
  async () => {
    const { accepted } = await sentTo({ depth: "quick", external: true }, "GenerateVOAReport");
    const [calls] = accepted.filter(({ operationId }) => operationId === "GenerateVOAReport");
    expect(calls?.calls).toBeLessThanOrEqual(12);
  },
);

test("a server without rules for bodies gets at most 15,000 requests at standard depth", {
  tag: [LONG.tag, PROVIDER.tag],
}, async () => {
  test.slow();
  expect((await sentTo({ depth: "standard" })).requests).toBeLessThanOrEqual(15_000);
});

test("such a target makes at most 20 results of each kind that stay at quick depth", {
  tag: [LONG.tag, PROVIDER.tag],
}, async () => {
  test.slow();
  const { accepted } = await sentTo({ depth: "quick", external: true, plain: true });
  expect(accepted.filter(({ calls }) => calls > 20)).toEqual([]);
});
