import { certify, plannedContract } from "../../fixtures/engine/certify.ts";
import { financialDataTrials } from "./trials.ts";

const contract = await plannedContract("financial-data");

certify(contract, financialDataTrials(contract));
