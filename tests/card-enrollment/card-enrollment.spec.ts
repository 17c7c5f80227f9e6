import { certify, plannedContract } from "../../fixtures/certify.ts";
import { cardEnrollmentTrials } from "./trials.ts";

const contract = await plannedContract("card-enrollment");

certify(contract, cardEnrollmentTrials(contract));
