import { declareTests, plannedContract } from "../../fixtures/engine/tests.ts";
import { hasOnlyContract } from "../../helpers/contract/services.ts";
import { runPlan } from "../../helpers/run/this-run.ts";
import { trials } from "./trials.ts";

const { info } = await runPlan();

for (const service of info.services.filter(hasOnlyContract)) {
  const contract = await plannedContract(service);
  declareTests(contract, trials(contract));
}
