import { certify } from "../../fixtures/certify.ts";
import { loadContract } from "../../helpers/contract/load.ts";
import { cardEnrollmentTrials } from "./trials.ts";

const contract = await loadContract("card-enrollment");

certify(contract, cardEnrollmentTrials(contract));
