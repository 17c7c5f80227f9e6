/** Certifying an upgrade: the operations and requirements that a new provider document affects, and the report. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import type { Contract } from "../../../helpers/contract/contract.ts";
import type { Upgrade } from "../../../helpers/contract/documents/upgrade.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { services } from "../../../helpers/contract/services.ts";
import { dependentOperations } from "../../../helpers/trials/dependents.ts";
import { isSelected } from "../../../helpers/trials/run-info.ts";
import type { Certificate } from "../../../reports/certificate/certificate.ts";
import { renderMarkdown } from "../../../reports/render/markdown.ts";
import { upgradedService } from "../../../runner/command/since.ts";
import { upgradedDocuments } from "../../../tests/self/support/bumped-documents.ts";
import { certify, run, temporary } from "../../../tests/self/support/command.ts";
import { LONG, PROVIDER } from "../../../tests/self/support/lanes.ts";
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
  const changes = await upgradedChanges(base, revision);
  const { code, certificate } = await certify([
    ...["--contract", `financial-data=${revision}`, "--since", base, "--fail-on", "advisory"],
    ...["--depth", "quick", "--requirement", Object.values(changes).join(",")],
  ]);
  expect([code, certificate.outcome]).toEqual([1, "certified"]);
  expect(verdictsOf(certificate, changes)).toEqual(LOST);
});

/** The verdicts of the breaking changes by their rules. */
const verdictsOf = ({ requirements }: Certificate, changes: Readonly<Record<string, string>>) =>
  Object.entries(changes).map(([rule, id]) => [rule, requirements.find((one) => one.id === id)?.verdict]);

const LOST = [
  ["operation", "not-tried"],
  ["required", "advisory"],
  ["type", "advisory"],
];

test(
  "what the document of the baseline allows or describes is a regression by its change",
  LONG,
  async () => {
    const { base, revision } = await upgradedDocuments();
    const changes = await upgradedChanges(base, revision);
    const baseline = join(await temporary(), "baseline.json");
    const { provider } = await loadContract("financial-data", { providerFile: base });
    const before = { format: "certificate/1", ...NOTHING_TRIED, contracts: [{ ...OF_BASELINE, provider }] };
    await writeFile(baseline, JSON.stringify(before));
    const { code, certificate } = await certify([
      ...["--contract", `financial-data=${revision}`, "--baseline", baseline, "--fail-on", "regression"],
      ...["--depth", "quick", "--requirement", Object.values(changes).join(",")],
    ]);
    expect(verdictsOf(certificate, changes)).toEqual(LOST);
    expect([code, certificate.outcome, certificate.comparison?.regressions]).toEqual([1, "certified", 2]);
    const [finding] = certificate.findings;
    expect(finding?.replay).toContain(`--since ${base} --requirement ${finding?.requirement}`);
    await writeFile(base, `${await readFile(base, "utf8")} `);
    const other = await run("certify", [
      ...["--contract", `financial-data=${revision}`, "--baseline", baseline, "--plan"],
      ...["--requirement", "financial-data.GetInstitutions.success", "--out", await temporary()],
    ]);
    expect(other.stderr).toContain(`the document 1 of the baseline is not in ${base} any more`);
  },
);

/** The requirements of breaking changes, by the rule of the change. */
const upgradedChanges = async (base: string, revision: string): Promise<Record<string, string>> => {
  const { breaking } = await upgrade(base, revision);
  return Object.fromEntries(
    breaking.map(({ rule, fingerprint }) => [rule, `financial-data.change.${fingerprint}`]),
  );
};

const OF_BASELINE = { service: "financial-data", version: "1.35.0", digest: "sha256-00" };
const NOTHING_TRIED = {
  target: { name: "sandbox", embedded: true, baseUrls: {} },
  ...{ seed: 1, depth: "quick", startedAt: "2026-01-01T00:00:00.000Z", durationMs: 0, outcome: "certified" },
  ...{ selection: null, shard: null, requirements: [], findings: [], operations: [], problems: [] },
  ...{ observations: [], half: "service" },
  summary: { requirements: 0, passed: 0, failed: 0, advisory: 0, notTried: 0, blocked: 0, exchanges: 0 },
};

test("a change of an operation that the contract lacks is selected by its name only", () => {
  const change = { id: "financial-data.change.d-0123456789ab", operations: [] };
  const operations = ["GetCustomer"];
  expect(isSelected({ operations, requirements: [change.id] }, change)).toBe(true);
  expect(isSelected({ operations, requirements: ["financial-data.GetCustomer.success"] }, change)).toBe(
    false,
  );
  expect(isSelected({ operations }, change)).toBe(false);
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
