/** The policy of a service about which only its OpenAPI document is known. */
import type { Service } from "../../contract/contract.ts";
import type { Policy } from "./policy.ts";

/** The statuses with which servers refuse invalid requests (RFC 9110, 15.5). */
const REFUSALS = [400, 404, 415, 422];

export const documentPolicy = (service: Service): Policy => ({
  service,
  refusal: { statuses: REFUSALS },
  hasLogInTrials: true,
});
