/** Under the provider's document, a fault is unshown only if no run can show it. */
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import type { Fault } from "../../../mocks/engine/deviations/deviation.ts";
import { runFault } from "../../../mutation/run-fault.ts";
import { isUnshown } from "../../../mutation/unshown.ts";
import { openWorkbench, type Workbench } from "../../../mutation/workbench.ts";

const fault = (violates: string, kind: "json" | "behaviour"): Fault => ({
  id: `made-up.putCard-${kind}`,
  service: "card-enrollment",
  violates: `card-enrollment.${violates}`,
  effects: [
    kind === "json"
      ? { kind, when: { operationId: "putCard" }, pointer: "/made-up", edit: { remove: true } }
      : { kind, name: "made-up" },
  ],
});

const PASSED = "putCard.documented-statuses";
const CALLED = { changed: 0, called: new Set(["putCard"]) };

let workbench: Workbench;

test.beforeAll(async () => {
  workbench = await openWorkbench(await loadContract("card-enrollment"));
});

test.afterAll(() => workbench.close());

const underDocument = (): Workbench => {
  const provider = { file: "made-up.yaml", version: "1", digest: "" };
  return { ...workbench, contract: { ...workbench.contract, provider } };
};

test("a fault of a requirement that passes without it is not unshown", async () => {
  expect(await isUnshown(underDocument(), fault(PASSED, "behaviour"), CALLED)).toBe(false);
});

test("a fault is unshown if its requirement is not tried, its operation not called, or its part in no answer", async () => {
  const requirements = [`card-enrollment.${PASSED}`];
  const idle = { ...(workbench.trials[0] as Workbench["trials"][number]), requirements, run: async () => {} };
  const trials = [{ ...idle, operations: [] }];
  expect(await isUnshown({ ...underDocument(), trials }, fault(PASSED, "behaviour"), CALLED)).toBe(true);
  const uncalled = { changed: 0, called: new Set<string>() };
  expect(await isUnshown(underDocument(), fault(PASSED, "behaviour"), uncalled)).toBe(true);
  expect(await isUnshown(underDocument(), fault(PASSED, "json"), CALLED)).toBe(true);
  expect(await isUnshown(underDocument(), fault(PASSED, "json"), { ...CALLED, changed: 1 })).toBe(false);
});

test("without the provider's document, no fault is unshown", async () => {
  expect(await isUnshown(workbench, fault(PASSED, "json"), CALLED)).toBe(false);
});

test("a fault that no trial finds survives", async () => {
  const real = { ...fault(PASSED, "json"), id: "card-enrollment.request.json-body.not-read" };
  const { status, evidence } = await runFault({ ...workbench, trials: [] }, real);
  expect([status, evidence]).toEqual(["survived", []]);
});
