import { declareTests, plannedContract } from "../../fixtures/engine/tests.ts";
import { runPlan } from "../../helpers/run/this-run.ts";
import { isIssuer } from "../../helpers/target/issuer.ts";
import { issuerTrials } from "./issuer.scenarios.ts";
import { trials } from "./trials.ts";

const contract = await plannedContract("installments");
const { target } = await runPlan();

declareTests(contract, isIssuer(target) ? issuerTrials(contract) : trials(contract));
