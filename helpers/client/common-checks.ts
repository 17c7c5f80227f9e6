/** The checks that hold for the callers of every service: what HTTP itself asks, and what any contract implies. */
import type { Service } from "../contract/contract.ts";
import { acceptsAnswers } from "./answers.ts";
import type { CallerCheck } from "./check.ts";
import { callsKnownOperations, sendsNoSecretInUrl } from "./requests.ts";
import { keepsRetryAfter } from "./retry-after.ts";

export const commonChecks = (service: Service): readonly CallerCheck[] => [
  callsKnownOperations("caller.documented-operations"),
  keepsRetryAfter("caller.retry-after-kept"),
  sendsNoSecretInUrl("caller.no-secret-in-url"),
  acceptsAnswers("caller.additions-accepted", "a response with unknown fields", ({ exercises }) =>
    exercises.includes(`${service}.additions`),
  ),
];
