/** `npm run mutation -- --changed`: the faults and differences that changed files can touch. */
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { services } from "../../../helpers/contract/services.ts";
import { differencesIn, faultsIn } from "../../../mocks/engine/deviations/catalogue.ts";
import { listDeviations } from "../../../mocks/engine/services.ts";
import { type ChangedFile, touchedDifferences, touchedFaults } from "../../../mutation/changed.ts";
import { run, temporary } from "../support/command.ts";

const contracts = await Promise.all(services().map((service) => loadContract(service)));
const faults = faultsIn(await listDeviations(contracts));
const differences = differencesIn(await listDeviations(contracts));

const touched = (...files: readonly ChangedFile[]) => touchedFaults(files, faults, contracts);

for (const path of ["README.md", "runner/carry-out.ts", "tests/self/checks/x.spec.ts", "bin/mutation.ts"]) {
  test(`${path} touches no fault`, () => {
    expect(touched({ path, text: "DeleteCustomer" })).toEqual({ named: [], sample: [] });
  });
}

test("a file of a service touches the faults of the operations that it names, and a sample of its others", () => {
  const path = "mocks/installments/handlers.ts";
  const { named, sample } = touched({ path, text: "const handlers = { createMerchant };" });
  expect(named.length + sample.length).toBe(
    faults.filter(({ service }) => service === "installments").length,
  );
  for (const { service } of [...named, ...sample]) expect(service).toBe("installments");
  const [operation] = contracts.find(({ service }) => service === "installments")?.operations ?? [];
  const own = touched({ path, text: `handlers.${operation?.operationId}()` });
  expect(own.named.length).toBeGreaterThan(5);
  expect(own.named.length).toBeLessThan(faults.filter(({ service }) => service === "installments").length);
});

test("a name counts as a whole word, wherever it stands", () => {
  const namedBy = (text: string) =>
    touched({ path: "mocks/financial-data/handlers.ts", text }).named.map(({ id }) => id);
  const own = namedBy("GetCustomer");
  expect(own.length).toBeGreaterThan(0);
  expect(namedBy("NotGetCustomer")).toEqual([]);
  expect(namedBy("NotGetCustomer, GetCustomer()")).toEqual(own);
});

test("a file that all services use touches a sample of the faults of each service and kind", () => {
  const { named, sample } = touched({ path: "helpers/checks/refusal.ts", text: "" });
  expect([named, sample.length]).toEqual([[], 600]);
  expect(new Set(sample.map(({ service }) => service))).toEqual(new Set(services()));
  expect(new Set(sample.map(({ id }) => id)).size).toBe(600);
  const others = touchedDifferences(
    [{ path: "helpers/checks/refusal.ts", text: "" }],
    differences,
    contracts,
  );
  expect(others.sample).toHaveLength(24);
  expect(new Set(others.sample.map(({ service }) => service))).toEqual(new Set(services()));
});

test("a removed file still touches the faults of its service", () => {
  const { named, sample } = touched({ path: "tests/installments/trials.ts", text: "" });
  expect(named).toEqual([]);
  expect(sample.length).toBeGreaterThan(200);
});

for (const flags of [["--changed"], ["--clean", "1"], ["--half", "caller"]]) {
  test(`--shard can't be used together with ${flags[0]}`, async () => {
    const { code, stderr } = await run("mutation", ["--shard", "1/2", ...flags]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("cannot be used with option")]);
  });
}

test("a revision that git does not know is a bad argument", async () => {
  const { code, stderr } = await run("mutation", [
    "--changed",
    "no-such-revision",
    "--out",
    await temporary(),
  ]);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^--changed: fatal: .*no-such-revision.*\n$/)]);
});
