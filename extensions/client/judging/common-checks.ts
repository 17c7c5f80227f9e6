/** The checks that hold for the callers of every service: what HTTP itself asks, and what any contract implies. */
import type { Service } from "../../../helpers/contract/contract.ts";
import { acceptsAnswers } from "./answers.ts";
import type { CallerCheck } from "./check.ts";
import { keepsSecretsInPlace } from "./plain-secrets.ts";
import { getsAccepted } from "./refusals.ts";
import { callsKnownOperations, sendsNoSecretInUrl } from "./requests.ts";
import { keepsRetryAfter } from "./retry-after.ts";

/** @param mayRefuse operations whose right requests a service may refuse once, for what a person entered */
export const commonChecks = (
  service: Service,
  mayRefuse?: Parameters<typeof getsAccepted>[1],
): readonly CallerCheck[] => [
  getsAccepted("caller.requests-accepted", mayRefuse),
  keepsSecretsInPlace("caller.secrets-in-their-places"),
  callsKnownOperations("caller.documented-operations"),
  keepsRetryAfter("caller.retry-after-kept"),
  sendsNoSecretInUrl("caller.no-secret-in-url"),
  acceptsAnswers("caller.additions-accepted", "a response with unknown fields", ({ exercises }) =>
    exercises.includes(`${service}.additions`),
  ),
];
