import { declareTests, plannedContract } from "../../fixtures/engine/tests.ts";
import { runPlan } from "../../helpers/run/this-run.ts";
import { issuerTrials } from "./issuer.scenarios.ts";
import { trials } from "./trials.ts";

const contract = await plannedContract("installments");
const { values } = (await runPlan()).target;

declareTests(
  contract,
  values.INSTALLMENTS_ISSUER_URL === undefined ? trials(contract) : issuerTrials(contract),
);
