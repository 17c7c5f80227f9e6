import { certify, plannedContract } from "../../fixtures/engine/certify.ts";
import { trials } from "./trials.ts";

const contract = await plannedContract("card-enrollment");

certify(contract, trials(contract));
