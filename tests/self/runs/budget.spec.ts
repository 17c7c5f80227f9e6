/** The measured cost of trials: with a budget those that find most come first, and shards share them by it. */
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { services } from "../../../helpers/contract/services.ts";
import { createAllowance, shareOf } from "../../../helpers/exchange/allowance.ts";
import { trialsOfShard } from "../../../helpers/run/shards.ts";
import type { Trial } from "../../../helpers/trials/trial.ts";
import { leftOutBy, sharesOf } from "../../../helpers/trials/trial-order.ts";
import { faultsIn } from "../../../mocks/engine/deviations/catalogue.ts";
import { listDeviations } from "../../../mocks/engine/services.ts";
import { classOf } from "../../../mutation/classes.ts";
import { trialsOf } from "../../../mutation/workbench.ts";
import { classesOf, trialOrder } from "../../../reports/certificate/trial-order.ts";
import { certify, run } from "../support/command.ts";

test("the order has every trial of every service, and no other", async () => {
  for (const service of services()) {
    const ids = (await trialsOf(await loadContract(service))).map(({ id }) => id);
    expect(new Set(trialOrder([service]).map(({ trial }) => trial)), `run npm run mutation`).toEqual(
      new Set(ids),
    );
  }
});

for (const service of services()) {
  test(`shards of ${service} have each trial once, and about the same cost`, async () => {
    const trials = await trialsOf(await loadContract(service));
    const order = trialOrder([service]);
    const requests = new Map(order.map(({ trial, requests: sent }) => [trial, sent]));
    const costOf = (some: readonly Trial[]) => some.reduce((sum, { id }) => sum + (requests.get(id) ?? 0), 0);
    for (const total of [2, 4, 7]) {
      const shards = Array.from({ length: total }, (_, at) =>
        trialsOfShard(trials, { index: at + 1, total }, order),
      );
      expect(shards.flat().length).toBe(trials.length);
      expect(new Set(shards.flat()).size).toBe(trials.length);
      const largest = Math.max(...shards.map(costOf));
      expect(largest).toBeLessThan((1.35 * costOf(trials)) / total);
      const sharing = new Set(trials.flatMap((trial) => trial.sharing ?? []));
      for (const name of sharing) {
        expect(shards.filter((shard) => shard.some((trial) => trial.sharing === name))).toHaveLength(1);
      }
    }
  });
}

test("the shares of the services add up to the budget, and grow with it", () => {
  const sum = (shares: Readonly<Record<string, number>>) => Object.values(shares).reduce((a, b) => a + b, 0);
  const all = trialOrder(services());
  const [small, large] = [sharesOf(400, services(), all), sharesOf(1_500, services(), all)];
  expect([sum(small), sum(large)]).toEqual([400, 1_500]);
  for (const service of services()) expect(large[service]).toBeGreaterThanOrEqual(small[service] ?? 0);
});

test("what is left out is stated as a share of the faults and of their classes", () => {
  const all = trialOrder(services());
  const found = all.reduce((sum, { faults }) => sum + faults, 0);
  const classes = all.reduce((sum, one) => sum + one.classes, 0);
  expect(leftOutBy(all, all)).toEqual({ trials: 0, found, classes });
  expect(leftOutBy(all, [])).toEqual({ trials: all.length, found: 0, classes: 0 });
  expect(leftOutBy(all, all.slice(0, 100)).classes).toBeGreaterThan(classes / 5);
});

test("the kept number of classes is that of the faults", async () => {
  for (const service of services()) {
    const contract = await loadContract(service);
    const faults = faultsIn(await listDeviations([contract]));
    const names = new Set(faults.map((fault) => classOf(contract, fault)));
    expect(classesOf([service]), "run npm run mutation -- --keep").toBe(names.size);
  }
});

test("a budget of requests is shared by services and shards, and the last service gets the rest", async () => {
  const limits = { billableCalls: 0, budget: { requests: 10, shares: { a: 4, b: 6 } } };
  const allowance = createAllowance(limits);
  const spend = (service: string, times: number) =>
    Promise.all(Array.from({ length: times }, () => allowance.spend(service)));
  expect((await spend("a", 5)).filter(Boolean)).toHaveLength(4);
  expect((await spend("b", 9)).filter(Boolean)).toHaveLength(6);
  expect(shareOf(limits, { index: 2, total: 2 }).budget).toEqual({ requests: 5, shares: { a: 2, b: 3 } });
  const over = createAllowance({ billableCalls: 0, budget: { until: Date.now() - 1 } });
  expect(await over.spend("a")).toBe(false);
});

test("certify keeps to its budget, and the certificate says what it left out", async () => {
  const limits = ["--max-requests", "60", "--max-time", "10m"];
  const { code, certificate, stdout } = await certify(["--service", "installments", ...limits]);
  expect(code).toBe(0);
  expect(certificate).toMatchObject({
    partial: true,
    depth: "quick",
    budget: { requests: 60, seconds: 600 },
  });
  expect(certificate.summary.exchanges).toBeLessThanOrEqual(60);
  expect(certificate.budget?.trialsLeftOut).toBeGreaterThan(0);
  expect(certificate.budget?.faultsLeftOut).toBeLessThan(100);
  expect(certificate.requirements.filter(({ code }) => code === "left-out-by-budget").length).toBeGreaterThan(
    10,
  );
  expect(stdout).toContain("partial (--max-requests, --max-time)");
  expect(stdout).toMatch(
    /\nbudget: \d+ trials left out; the run misses about \d+ % of the faults of the sandbox, and \d+ % of their classes\n/,
  );
});

test("a budget leaves out no service, and its order of trials finds no violation on the clean sandbox", async () => {
  const { code, certificate } = await certify(["--max-requests", "400"]);
  expect([code, certificate.outcome, certificate.findings]).toEqual([0, "certified", []]);
  const shares = sharesOf(400, services(), trialOrder(services()));
  for (const service of services()) {
    const own = certificate.operations.filter((operation) => operation.service === service);
    const sent = own.reduce((sum, { exchanges }) => sum + exchanges, 0);
    expect(sent, service).toBeGreaterThan(0.6 * (shares[service] ?? 0));
  }
});

test("a duration without a unit is refused with its forms", async () => {
  const { code, stderr } = await run("certify", ["--max-time", "10"]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("Write it as 90s, 10m or 2h.")]);
});
