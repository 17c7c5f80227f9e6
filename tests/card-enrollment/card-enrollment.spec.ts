import { declareTests, plannedContract } from "../../fixtures/engine/tests.ts";
import { trials } from "./trials.ts";

const contract = await plannedContract("card-enrollment");

declareTests(contract, trials(contract));
