/** Faults of promises that hold for every operation: credentials, unknown ids, JSON, versions. */
import type { Contract, Operation } from "../../helpers/contract/contract.ts";
import { accepts } from "../engine/deviations/from-operations.ts";
import { empty, header, html, rowsOf, served, status } from "../engine/deviations/rows.ts";

export const derivedFaults = (contract: Contract) => {
  const { operations } = contract;
  const guarded = operations.filter(({ security }) => security.length > 1);
  const judged = guarded.filter(({ singleHeader }) => singleHeader !== "unjudged");
  const looking = operations.filter(
    ({ parameters, responses }) =>
      responses[404] !== undefined &&
      parameters.some(({ in: place, resource }) => place === "path" && resource !== undefined),
  );
  const divided = operations.filter(
    ({ method, list, parameters }) =>
      method === "GET" &&
      list?.items === "/accounts" &&
      parameters.some(({ resource = "" }) => DIVIDING.includes(resource)),
  );
  return rowsOf({
    ...GENERAL,
    ...Object.fromEntries(
      divided.map(({ operationId }) => [
        `${operationId}.own-resource`,
        { "siblings-too": `siblings-too-${operationId}` as const },
      ]),
    ),
    "auth.both-headers-by-default": {
      ...eachOf(judged, "without-key", (id) => `absent-key-accepted-${id}` as const),
      ...eachOf(judged, "without-token", (id) => `absent-token-accepted-${id}` as const),
    },
    "auth.token-needed-on-all-other-calls": eachOf(guarded, "open", (id) => `open-${id}` as const),
    "errors.404-not-found": {
      ...Object.fromEntries(
        looking.map((operation) => [`${operation.operationId}-accepted`, accepts(operation)]),
      ),
      ...eachOf(looking, "failing", (operationId) => status(500, { operationId, status: 404 })),
    },
  });
};

const eachOf = <Effect>(
  operations: readonly Operation[],
  name: string,
  effect: (operationId: string) => Effect,
): Record<string, Effect> =>
  Object.fromEntries(operations.map(({ operationId }) => [`${operationId}-${name}`, effect(operationId)]));

/** The resources that divide the accounts of a customer. */
const DIVIDING = ["institution-login", "institution"];

const BASE = "/financial-data";

const GENERAL = {
  // A service with other header names refuses correct credentials as if they were wrong, so no test can detect this
  // fault.
  "auth.header.Partner-App-Key": {
    "any-key-accepted": "unknown-key-accepted",
    "any-letter-case": "key-in-any-case-accepted",
    "start-suffices": "start-of-key-accepted",
    "longer-accepted": "longer-key-accepted",
    "end-suffices": "end-of-key-accepted",
    "prefixed-accepted": "prefixed-key-accepted",
    "compared-by-ends": "key-with-other-middle-accepted",
  },
  "auth.header.Partner-App-Token": {
    "any-token-accepted": "unknown-token-accepted",
    "any-letter-case": "token-in-any-case-accepted",
    "start-suffices": "start-of-token-accepted",
    "longer-accepted": "longer-token-accepted",
    "end-suffices": "end-of-token-accepted",
    "prefixed-accepted": "prefixed-token-accepted",
    "compared-by-ends": "token-with-other-middle-accepted",
  },
  "auth.token-valid-two-hours": { "one-hour": "token-valid-one-hour" },
  "auth.token-expires-after-two-hours": { never: "expired-token-accepted" },
  "errors.401-unauthorized": {
    forbidden: status(403, { status: 401 }),
    failing: status(500, { status: 401 }),
  },
  "errors.400-bad-request": {
    failing: status(500, { status: 400 }),
    "malformed-json-accepted": "malformed-json-accepted",
  },
  "bodies.json": {
    "success-as-html": html({ status: 200 }),
    "success-as-text": header({ status: 200 }, "content-type", "text/plain"),
    "read-without-body": empty({ operationId: "GetCustomer", status: 200 }),
    "json-refused": "content-type-refused",
  },
  "version.segment-per-operation": {
    "v4-at-v3": served(`${BASE}/aggregation/v4`, `${BASE}/aggregation/v5`),
    "v2-at-v1": served(`${BASE}/institution/v2`, `${BASE}/institution/v3`),
  },
} as const;
