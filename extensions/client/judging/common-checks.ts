/** The checks that hold for the callers of every service: what HTTP itself asks, and what any contract implies. */
import type { Service } from "../../../helpers/contract/contract.ts";
import { acceptsAnswers } from "./answers.ts";
import type { CallerChecks } from "./check.ts";
import { keepsSecretsInPlace } from "./plain-secrets.ts";
import { getsAccepted } from "./refusals.ts";
import { callsKnownOperations, sendsNoSecretInUrl } from "./requests.ts";
import { keepsRetryAfter } from "./retry-after.ts";

/** @param mayRefuse operations whose right requests a service may refuse once, for what a person entered */
export const commonChecks = (
  service: Service,
  mayRefuse?: Parameters<typeof getsAccepted>[0],
): CallerChecks => ({
  "caller.requests-accepted": getsAccepted(mayRefuse),
  "caller.secrets-in-their-places": keepsSecretsInPlace,
  "caller.documented-operations": callsKnownOperations,
  "caller.retry-after-kept": keepsRetryAfter,
  "caller.no-secret-in-url": sendsNoSecretInUrl,
  "caller.additions-accepted": acceptsAnswers("a response with unknown fields", ({ exercises }) =>
    exercises.includes(`${service}.additions`),
  ),
});
