import { certify, plannedContract } from "../../fixtures/engine/certify.ts";
import { trials } from "./trials.ts";

const contract = await plannedContract("financial-data");

certify(contract, trials(contract));
