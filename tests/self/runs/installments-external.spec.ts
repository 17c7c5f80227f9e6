/** External servers never fail for a point that the document leaves open. */
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { equip } from "../../../helpers/situations/sandbox-capabilities.ts";
import { targetOf } from "../../../helpers/target/load-target.ts";
import type { TrialResult } from "../../../helpers/trials/ledger.ts";
import { type Sandbox, startSandbox } from "../../../mocks/engine/server.ts";
import { trials as installmentsTrials } from "../../installments/trials.ts";
import { hostileService } from "../hostile/hostile-server.ts";
import { changing } from "../hostile/mode.ts";
import { reasonsOf, runAlone, verdictsOf } from "../support/in-process.ts";
import { LONG } from "../support/lanes.ts";
import { api, closeAll } from "../support/loopback.ts";

const contract = await loadContract("installments");
const trials = installmentsTrials(contract);
const levels = new Map(contract.requirements.map(({ id, level }) => [id, level]));

let sandbox: Sandbox | undefined;

test.afterEach(async () => {
  await closeAll();
  await sandbox?.close();
  sandbox = undefined;
});

test("a server that answers 200 {} to every request fails, but not for field names", async () => {
  const url = await api(() => ({ status: 200, json: {} }));
  const verdicts = verdictsOf(await certify({ INSTALLMENTS_BASE_URL: url }));
  expect(failedOf(verdicts)).toEqual(["installments.path-parameter.plan_id"]);
  expect(passedOf(verdicts)).toEqual([]);
  for (const operationId of ["getPlan", "getMerchantParticipations", "postConsumerPanRegistrations"]) {
    expect(verdicts.get(`installments.${operationId}.response.shape`)).toBe("advisory");
  }
});

test("a server with other field names in its responses fails no documented requirement", async () => {
  const renamed = await startRenamed((text) => text.replaceAll(/"([A-Za-z]+)":/g, '"other_$1":'));
  const pages = await certify(renamed);
  const verdicts = verdictsOf(pages);
  expect(failedOf(verdicts)).toEqual([]);
  expect(verdicts.get("installments.approvals.approve")).toBe("not-tried");
  expect(reasonsOf(pages, "installments.approvals.approve")).toContain("in BINDINGS");
  expect(reasonsOf(pages, "installments.merchants.participations.submit")).toContain("no occasion");
});

test("bindings supply the names that the document leaves open", async () => {
  const renamed = await startRenamed((text) =>
    text.replaceAll('"planId"', '"plan"').replaceAll('"panListId"', '"list"'),
  );
  const bindings = { postPlans: "/plan", postConsumerPanRegistrations: "/list" };
  const pages = await certify(renamed, bindings);
  expect(failedOf(verdictsOf(pages))).toEqual([]);
  // The plan is approved, but any answer of this target could mean that it uses other names.
  expect(reasonsOf(pages, "installments.approvals.approve")).toContain("no occasion");
  // Both answers about a plan show its id in the same field, where another id would be a violation.
  expect(verdictsOf(pages).get("installments.resources.plan-identified-by-plan_id")).toBe("passed");
});

for (const [name, status, lane] of [
  // This run waits, because what is not found may show late.
  ["not found", 404, LONG],
  ["not allowed", 401, {}],
  ["failing", 500, {}],
] as const) {
  test(
    `a server that answers ${status} to every request passes and fails nothing (${name})`,
    lane,
    async () => {
      const url = await api(() => status);
      const verdicts = verdictsOf(await certify({ INSTALLMENTS_BASE_URL: url }));
      expect(passedOf(verdicts)).toEqual([]);
      expect(failedOf(verdicts)).toEqual([]);
      expect([...verdicts.values()]).toContain("blocked");
    },
  );
}

test("a missing notification fails only if the user says where the target sends it", LONG, async () => {
  sandbox = await startSandbox({ contracts: [contract], plain: true });
  const receiving = { ...sandbox.environment, RECEIVER_PORT: "0" };
  const address = "http://127.0.0.1:9/issuer";
  const chosen = trials.filter(({ id }) => id === "flow/during-purchase");
  const [declared, undeclared] = await Promise.all([
    certify({ ...receiving, INSTALLMENTS_ISSUER_URL: address }, {}, chosen),
    certify({ ...receiving, RECEIVER_PUBLIC_URL: address }, {}, chosen),
  ]);
  const sent = "installments.notifications.sent-on-plan-selection";
  expect([declared, undeclared].map((pages) => verdictsOf(pages).get(sent))).toEqual(["failed", "blocked"]);
});

/** Starts an external server: a sandbox without an admin interface whose responses are rewritten. */
const startRenamed = async (rewrite: (text: string) => string): Promise<Record<string, string>> => {
  sandbox = await startSandbox({ contracts: [contract], plain: true });
  const { baseUrls, environment } = sandbox;
  const rewritten = changing(({ body }) => ({ body: rewrite(String(body)) }));
  return { ...environment, INSTALLMENTS_BASE_URL: await hostileService(baseUrls.installments, rewritten) };
};

const passedOf = (verdicts: ReadonlyMap<string, string>): string[] =>
  [...verdicts].flatMap(([id, verdict]) =>
    verdict === "passed" && levels.get(id) === "documented" ? [id] : [],
  );

const failedOf = (verdicts: ReadonlyMap<string, string>): string[] =>
  [...verdicts].flatMap(([id, verdict]) => (verdict === "failed" ? [id] : []));

const certify = async (
  values: Readonly<Record<string, string>>,
  bindings: Readonly<Record<string, string>> = {},
  chosen: typeof trials = trials,
): Promise<TrialResult[]> => {
  const { release: _, ...equipment } = await equip(targetOf("external", values, false));
  return runAlone(contract, chosen, { ...equipment, bindings });
};
