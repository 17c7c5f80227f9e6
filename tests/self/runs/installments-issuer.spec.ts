/** Runs against an issuer: the reference issuer passes, and the run finds each of its faults. */
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { equip } from "../../../helpers/situations/sandbox-capabilities.ts";
import { targetOf } from "../../../helpers/target/load-target.ts";
import type { TrialResult } from "../../../helpers/trials/ledger.ts";
import { ISSUER_FAULTS, type IssuerFault, startIssuer } from "../../../mocks/installments/issuer.ts";
import { issuerTrials } from "../../installments/issuer.scenarios.ts";
import { runAlone, verdictsOf } from "../support/in-process.ts";
import { closeAll, web } from "../support/loopback.ts";

const contract = await loadContract("installments");
const trials = issuerTrials(contract);
const asked = contract.requirements.filter(({ subject }) => subject === "listener");

test.afterEach(closeAll);

test("the reference issuer meets every requirement on issuers", async () => {
  const verdicts = await underFaults([]);
  expect(asked.map(({ id }) => [id, verdicts.get(id)])).toEqual(asked.map(({ id }) => [id, "passed"]));
  expect(verdicts.get("installments.services.flow")).toBe("not-tried");
});

for (const [fault, requirement] of Object.entries(ISSUER_FAULTS)) {
  test(`a run finds the issuer fault ${fault}`, async () => {
    const verdicts = await underFaults([fault as IssuerFault]);
    const level = contract.requirements.find(({ id }) => id === requirement)?.level;
    expect(verdicts.get(requirement)).toBe(level === "assumed" ? "advisory" : "failed");
  });
}

test("an issuer that refuses the assumed payload does not fail", async () => {
  const url = await web((request, response) => {
    request.resume().on("end", () => response.writeHead(400).end());
  });
  const verdicts = verdictsOf(await certify(url));
  expect(new Set(asked.map(({ id }) => verdicts.get(id)))).toEqual(new Set(["not-tried"]));
});

test("an address without a server blocks every requirement", async () => {
  const issuer = await startIssuer();
  await issuer.close();
  const verdicts = verdictsOf(await certify(issuer.url));
  expect(new Set(asked.map(({ id }) => verdicts.get(id)))).toEqual(new Set(["blocked"]));
});

const underFaults = async (faults: readonly IssuerFault[]) => {
  const issuer = await startIssuer({ faults });
  try {
    return verdictsOf(await certify(issuer.url));
  } finally {
    await issuer.close();
  }
};

const certify = async (url: string): Promise<TrialResult[]> => {
  const { release: _, ...equipment } = await equip(targetOf("issuer", { INSTALLMENTS_BASE_URL: url }, false));
  return runAlone(contract, trials, equipment);
};
