/** An answer about the named resource proves little until the operation was called for two resources. */
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { trials as financialDataTrials } from "../../financial-data/trials.ts";
import { runAll, verdictsOf, withSandbox } from "../support/in-process.ts";

const ACCOUNT = "financial-data.GetCustomerAccountSimple.own-resource";
const INSTITUTION = "financial-data.GetCustomerAccountsByInstitutionSimple.own-resource";
const REPORT = "financial-data.GenerateVOAReport.own-resource";

test("a list shows a second resource, and without one the requirement is not tried", async () => {
  const contract = await loadContract("financial-data");
  const trials = financialDataTrials(contract).filter(({ id }) =>
    ["GetCustomerAccountSimple", "GetCustomerAccountsByInstitutionSimple", "GenerateVOAReport"].includes(
      id.replace(/\/success$/, ""),
    ),
  );
  await withSandbox({ contract, external: true, plain: true }, async (within) => {
    const usual = verdictsOf(await within([], (session) => runAll(session, trials)));
    expect([ACCOUNT, INSTITUTION, REPORT].map((one) => usual.get(one))).toEqual([
      "passed",
      "not-tried",
      "not-tried",
    ]);
    for (const requirement of [ACCOUNT, INSTITUTION]) {
      const faulty = await within([`${requirement}.cached-by-operation`], (session) =>
        runAll(session, trials),
      );
      expect(verdictsOf(faulty).get(requirement)).toBe("failed");
    }
  });
});
