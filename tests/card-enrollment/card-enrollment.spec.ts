import { certify, plannedContract } from "../../fixtures/engine/certify.ts";
import { cardEnrollmentTrials } from "./trials.ts";

const contract = await plannedContract("card-enrollment");

certify(contract, cardEnrollmentTrials(contract));
