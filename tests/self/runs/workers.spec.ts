/** How many workers a run has. */
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { services } from "../../../helpers/contract/services.ts";
import { targetOf } from "../../../helpers/target/load-target.ts";
import { baseUrlName } from "../../../helpers/target/names.ts";
import { type PlanFlags, planOf } from "../../../runner/planned-run.ts";
import { selectionOf } from "../../../runner/selection.ts";

const addresses = Object.fromEntries(services().map((service) => [baseUrlName(service), "http://127.0.0.1"]));

interface Case extends Partial<PlanFlags> {
  readonly name: string;
  readonly isExternal?: true;
  readonly workers: number;
}

const CASES: readonly Case[] = [
  { name: "all services", workers: 2 },
  { name: "a service with few operations", service: ["installments"], workers: 1 },
  { name: "one operation", operation: ["GetCustomer"], workers: 1 },
  { name: "a requirement of one operation", requirement: ["financial-data.GetCustomer.success"], workers: 1 },
  { name: "a requirement of all operations", requirement: ["financial-data.bodies.json"], workers: 2 },
  { name: "sequences that take minutes", service: ["installments"], depth: "exhaustive", workers: 2 },
  { name: "an external target", service: ["installments"], isExternal: true, workers: 2 },
];

for (const { name, isExternal, workers, ...given } of CASES) {
  test(`${name}: ${workers === 1 ? "one worker" : `${workers} workers`}`, async () => {
    const flags = { service: services(), seed: 1, out: "reports/out", allure: false, ...given };
    const contracts = await Promise.all(flags.service.map((service) => loadContract(service)));
    const target = targetOf("target", addresses, isExternal === undefined);
    expect(planOf(flags, target, contracts, selectionOf(flags, contracts), {}).workers).toBe(workers);
  });
}
