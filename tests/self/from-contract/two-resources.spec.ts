/** An answer about the named resource proves little until the operation was called for two resources. */
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { trials as financialDataTrials } from "../../financial-data/trials.ts";
import { onSandbox, runAll, verdictsOf } from "../support/in-process.ts";

const OWN = ["GetCustomerAccountSimple", "GetCustomerAccountsByInstitutionSimple", "GenerateVOAReport"];

test("a list shows a second resource, and without one the requirement is not tried", async () => {
  const contract = await loadContract("financial-data");
  const trials = financialDataTrials(contract).filter(({ id }) => OWN.includes(id.replace(/\/success$/, "")));
  const setting = { contract, external: true, plain: true } as const;
  const verdicts = verdictsOf(await onSandbox(setting, (session) => runAll(session, trials)));
  expect(OWN.map((id) => verdicts.get(`financial-data.${id}.own-resource`))).toEqual([
    "passed",
    "not-tried",
    "not-tried",
  ]);
});
