/** The policy of a service about which only its OpenAPI document is known. */
import type { Service } from "../../contract/contract.ts";
import type { Policy } from "./policy.ts";

/** The statuses with which servers refuse invalid requests (RFC 9110, 15.5). */
const REFUSALS = [400, 404, 415, 422];

/** Client errors that are not about the request itself: credentials, time and rate. */
const ABOUT_CLIENT = [401, 403, 407, 408, 429];

/** Statuses that an operation may list for a cause of its own, such as a version, a length or a condition. */
const OTHERS = Array.from({ length: 100 }, (_, index) => 400 + index).filter(
  (status) => ![...REFUSALS, ...ABOUT_CLIENT].includes(status),
);

export const documentPolicy = (service: Service): Policy => ({
  service,
  refusal: { statuses: REFUSALS, ifListed: OTHERS },
  hasLogInTrials: true,
  judgesControls: true,
});
