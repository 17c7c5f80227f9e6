import { certify, plannedContract } from "../../fixtures/engine/certify.ts";
import { planFromEnvironment } from "../../helpers/trials/run-plan.ts";
import { issuerTrials } from "./issuer.scenarios.ts";
import { trials } from "./trials.ts";

const contract = await plannedContract("installments");
const { values } = planFromEnvironment().target;

certify(contract, values.INSTALLMENTS_ISSUER_URL === undefined ? trials(contract) : issuerTrials(contract));
