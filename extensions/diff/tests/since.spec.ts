/** Certifying an upgrade: the operations and requirements that a new provider document affects, and the report. */
import { expect, test } from "@playwright/test";
import type { Contract } from "../../../helpers/contract/contract.ts";
import type { Upgrade } from "../../../helpers/contract/documents/upgrade.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { services } from "../../../helpers/contract/services.ts";
import { dependentOperations } from "../../../helpers/trials/dependents.ts";
import { renderMarkdown } from "../../../reports/render/markdown.ts";
import { withChangesSinceBaseline } from "../../../runner/command/changes.ts";
import { upgradedService } from "../../../runner/command/since.ts";
import { upgradedDocuments } from "../../../tests/self/support/bumped-documents.ts";
import { certify, startMock } from "../../../tests/self/support/command.ts";
import { PROVIDER } from "../../../tests/self/support/lanes.ts";
import { shared } from "../../../tests/self/support/shared.ts";
import { requirementChanges } from "../requirement-changes.ts";
import { narrowed, nothingTouched } from "../since.ts";
import { upgradeOf } from "../upgrade.ts";

const upgrade = async (oldFile: string, newFile: string): Promise<Upgrade> => {
  const [base, revision] = await Promise.all(
    [oldFile, newFile].map((providerFile) => loadContract("financial-data", { providerFile })),
  );
  return upgradeOf(base as Contract, revision as Contract);
};

test("an upgrade names the operations and requirements that it affects, and its breaking changes", async () => {
  const { base, revision } = await upgradedDocuments();
  const touched = await upgrade(base, revision);
  expect(touched.touched).toEqual(["GetCustomer", "GetInstitutions", "post-configurations"]);
  expect(touched.requirements.changed).toEqual([
    "financial-data.GetCustomer.response.shape",
    "financial-data.GetInstitutions.response.shape",
    "financial-data.post-configurations.request.shape",
  ]);
  expect(touched.worst).toEqual({
    GetCustomer: "breaking",
    GetInstitutions: "breaking",
    "post-configurations": "breaking",
  });
  expect(touched.breaking.map(({ rule, operations }) => [rule, operations])).toEqual([
    ["operation", ["GetCustomer"]],
    ["required", ["post-configurations"]],
    ["type", ["GetInstitutions"]],
  ]);
  // Unchanged operations share this requirement with the changed ones.
  expect(touched.share.touched).toContain("financial-data.auth.header.Partner-App-Key");
  expect(touched.share.touched).not.toContain("financial-data.GetCustomers.success");
  expect(await upgrade(base, base)).toMatchObject({ touched: [], hanging: [], breaking: [], worst: {} });
});

test("requirements are added, removed, or changed through one of their rules", async () => {
  const own = await loadContract("card-enrollment");
  const [first, second] = own.requirements;
  const rule = own.rules.find(({ keyword }) => keyword === "maxLength");
  const wider = own.rules.map((one) => (one === rule ? { ...one, value: 999 } : one));
  expect(requirementChanges(own, { ...own, rules: wider })).toEqual({
    added: [],
    gone: [],
    changed: [rule?.requirement],
  });
  const less = { ...own, requirements: own.requirements.filter((one) => one !== first) };
  expect(requirementChanges(less, own)).toEqual({ added: [first?.id], gone: [], changed: [] });
  expect(requirementChanges(own, less)).toEqual({ added: [], gone: [first?.id], changed: [] });
  const firmer = own.requirements.map((one) =>
    one === second ? { ...one, level: "provider" as const } : one,
  );
  expect(requirementChanges(own, { ...own, requirements: firmer }).changed).toEqual([second?.id]);
});

test("operations that need a resource only from affected operations depend on them", async () => {
  const contract = await loadContract("financial-data");
  const dependents = (...ids: string[]) => dependentOperations(ids, contract);
  expect(dependents("GetCustomer")).toEqual([]);
  expect(dependents("get-configurations")).toEqual([]);
  expect(dependents("get-configurations", "post-configurations").sort()).toEqual([
    "delete-configurations-configurationId",
    "get-configurations-configurationId",
  ]);
  expect(dependents("AddTestingCustomer")).toEqual(
    expect.arrayContaining(["GetCustomer", "GetCustomerAccounts"]),
  );
  const signedIn = contract.operations.filter(({ security }) => security.length > 1);
  expect(dependents("CreateToken")).toEqual(
    expect.arrayContaining(signedIn.map(({ operationId }) => operationId)),
  );
  for (const service of services()) {
    const all = await loadContract(service);
    const ids = all.operations.map(({ operationId }) => operationId);
    expect(dependentOperations(ids, all)).toEqual([]);
  }
});

test("a run tries only the affected operations, and its certificate lists them", async () => {
  const { base, revision } = await upgradedDocuments();
  const asked = "financial-data.GetInstitutions.response.shape";
  const { code, stdout, stderr, certificate } = await certify([
    ...["--contract", `financial-data=${revision}`, "--since", base, "--depth", "quick"],
    ...["--requirement", `${asked},financial-data.GetCustomers.success`],
  ]);
  const judged = certificate.requirements.filter(({ verdict }) => verdict !== "not-tried");
  expect(judged.map(({ id, verdict }) => [id, verdict])).toEqual([[asked, "passed"]]);
  expect([code, certificate.selection?.operations]).toEqual([
    0,
    ["GetCustomer", "GetInstitutions", "post-configurations"],
  ]);
  expect(certificate.since).toMatchObject({ old: { version: "1" }, new: { version: "2" } });
  expect(stdout).toContain("Upgrade from 1 to 2");
  expect(stderr).toContain("financial-data: GetInstitutions ends on 2021-01-30, which is over.");
  const { touched, all } = certificate.since?.share ?? { touched: [], all: 0 };
  expect(touched.length).toBeLessThan(all / 10);
  expect(stdout).toContain(`${touched.length} of ${all} requirements touched`);
  expect(stdout).toContain(`3 requirements changed: financial-data.GetCustomer.response.shape, ${asked}`);
  expect(renderMarkdown(certificate)).toContain("3 requirements changed");
});

test("without a target, a run predicts what clients of the old document lose", async () => {
  const { base, revision } = await upgradedDocuments();
  const { breaking } = await upgrade(base, revision);
  const changes = breaking.map(({ fingerprint }) => `financial-data.change.${fingerprint}`);
  const document = ["--contract", `financial-data=${revision}`];
  const { code, certificate } = await certify([
    ...[...document, "--since", base, "--fail-on", "advisory", "--depth", "quick"],
    ...["--requirement", [...changes, "financial-data.GetCustomer.success"].join()],
  ]);
  expect([code, certificate.outcome, certificate.summary.advisory]).toEqual([1, "certified", 4]);
  expect(certificate.findings.map(({ requirement }) => requirement)).toEqual(expect.arrayContaining(changes));
  // The sandbox alone serves what the document lacks only if it is asked to.
  for (const [asked, status] of [
    [[], 404],
    [["--all-operations"], 401],
  ] as const) {
    const { baseUrls, stop } = await startMock([...document, ...asked, "--service", "financial-data"]);
    const answer = await fetch(`${baseUrls["financial-data"]}/aggregation/v1/customers/1`);
    expect(answer.status).toBe(status);
    await stop();
  }
});

test("what a baseline's document allows is tried, what it only serves if the baseline shows an accepted call", async () => {
  const files = Object.values(await upgradedDocuments());
  const [base, contract] = (await Promise.all(
    files.map((providerFile) => loadContract("financial-data", { providerFile })),
  )) as [Contract, Contract];
  const untriedWith = async (observed: number, operationId = "GetCustomer") => {
    const operations = [{ operationId, statuses: [{ status: 200, observed }] }];
    const baseline = JSON.stringify({ contracts: [base], operations });
    const [changed] = await withChangesSinceBaseline([contract], baseline, () => undefined);
    return changed?.changes?.entries.map(({ untried }) => untried);
  };
  expect(await untriedWith(1)).toEqual([undefined, undefined, undefined]);
  const why = "the baseline has no accepted call of GetCustomer";
  expect(await untriedWith(0)).toEqual([why, undefined, undefined]);
  expect(await untriedWith(1, "GetCustomers")).toEqual([why, undefined, undefined]);
});

test("a run of an upgrade that affects nothing tries nothing and is incomplete", async () => {
  const { base, revision } = await upgradedDocuments();
  const { code, certificate } = await certify(["--contract", `financial-data=${base}`, "--since", base]);
  expect([code, certificate.outcome, certificate.summary.exchanges]).toEqual([3, "incomplete", 0]);
  expect(certificate.problems).toEqual([
    "The upgrade from 1 to 1 changes no operation of the contract: there was nothing to try.",
  ]);
  const touched = await upgrade(base, revision);
  expect(nothingTouched(touched, narrowed({ operations: ["GetCustomers"] }, touched))).toMatch(
    /changes none of the selected operations/,
  );
  const known = "financial-data.GetCustomer.success";
  const selection = narrowed(
    { operations: ["GetCustomer", "GetCustomers"], requirements: [known, "a"] },
    touched,
  );
  expect(selection).toEqual({ operations: ["GetCustomer"], requirements: [known] });
  expect(nothingTouched(touched, narrowed({ requirements: ["a"] }, touched))).toBeDefined();
  expect(nothingTouched(touched, selection)).toBeUndefined();
  expect(nothingTouched(undefined, { operations: [] })).toBeUndefined();
});

test("the service of an upgrade is the one whose document is replaced", () => {
  const base = "old.yaml";
  expect(() => upgradedService({ since: base }, {})).toThrow("--since needs the new document as well");
  expect(() => upgradedService({ since: base }, { installments: "a", "financial-data": "b" })).toThrow(
    "choose the service with --service (installments or financial-data)",
  );
  expect(upgradedService({}, { installments: "a" })).toBeUndefined();
  expect(upgradedService({ since: base }, { installments: "a" })).toBe("installments");
});

test(
  "the upgrade of the real documents affects every operation that their diff reaches",
  PROVIDER,
  async () => {
    const touched = await upgrade(
      shared("provider/financial-data-1.29.0.yaml"),
      shared("provider/financial-data-1.30.0.yaml"),
    );
    expect(touched.touched).toEqual([
      "GetAccountDetailsByInstitutionLoginId",
      "GetAccountDetailsByAccountId",
      "getResellerBillingReport",
      "get-configurations",
      "post-configurations",
      "get-configurations-configurationId",
      "enrichTransactions",
    ]);
    expect(touched.hanging).toEqual(["delete-configurations-configurationId"]);
    // The newer document gives this answer a media type.
    const added = ["financial-data.getResellerBillingReport.response.media-type"];
    expect(touched.requirements).toMatchObject({ added, gone: [] });
    expect(touched.requirements.changed).toContain("financial-data.post-configurations.request.shape");
  },
);
