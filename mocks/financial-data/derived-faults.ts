/** Violations of what holds for every operation: credentials, unknown ids, JSON, versions. */
import type { Contract, Operation } from "../../helpers/contract/contract.ts";
import type { Bend, FaultRow } from "../engine/faults/fault.ts";
import { behaviour, header, html, rowsOf, served, status } from "../engine/faults/fault-rows.ts";
import { accepts } from "../engine/faults/operation-faults.ts";

export const derivedFaults = (contract: Contract): FaultRow[] => {
  const { operations } = contract;
  const guarded = operations.filter(({ security }) => security.length > 1);
  const judged = guarded.filter(({ singleHeader }) => singleHeader !== "unjudged");
  const looking = operations.filter(
    ({ parameters, responses }) =>
      responses[404] !== undefined &&
      parameters.some(({ in: place, resource }) => place === "path" && resource !== undefined),
  );
  return rowsOf({
    ...GENERAL,
    "auth.both-headers-by-default": {
      ...eachOf(judged, "without-key", (id) => behaviour(`absent-key-accepted-${id}`)),
      ...eachOf(judged, "without-token", (id) => behaviour(`absent-token-accepted-${id}`)),
    },
    "auth.token-needed-on-all-other-calls": eachOf(guarded, "open", (id) => behaviour(`open-${id}`)),
    "errors.404-not-found": {
      ...Object.fromEntries(
        looking.map((operation) => [`${operation.operationId}-accepted`, accepts(operation)]),
      ),
      ...eachOf(looking, "failing", (operationId) => status(500, { operationId, status: 404 })),
    },
  });
};

const eachOf = (
  operations: readonly Operation[],
  name: string,
  bends: (operationId: string) => Bend[],
): Record<string, Bend[]> =>
  Object.fromEntries(operations.map(({ operationId }) => [`${operationId}-${name}`, bends(operationId)]));

const BASE = "/financial-data";

const GENERAL: Readonly<Record<string, Readonly<Record<string, readonly Bend[]>>>> = {
  // A service that reads them from other headers refuses as one does that was given wrong ones: nobody can tell.
  "auth.header.Partner-App-Key": { "any-key-accepted": behaviour("unknown-key-accepted") },
  "auth.header.Partner-App-Token": { "any-token-accepted": behaviour("unknown-token-accepted") },
  "auth.token-valid-two-hours": { "one-hour": behaviour("token-valid-one-hour") },
  "auth.token-expires-after-two-hours": { never: behaviour("expired-token-accepted") },
  "errors.401-unauthorized": {
    forbidden: status(403, { status: 401 }),
    failing: status(500, { status: 401 }),
  },
  "errors.400-bad-request": {
    failing: status(500, { status: 400 }),
    "malformed-json-accepted": behaviour("malformed-json-accepted"),
  },
  "bodies.json": {
    "success-as-html": html({ status: 200 }),
    "success-as-text": header({ status: 200 }, "content-type", "text/plain"),
    "json-refused": behaviour("content-type-refused"),
  },
  "version.segment-per-operation": {
    "v4-at-v3": served(`${BASE}/aggregation/v4`, `${BASE}/aggregation/v5`),
    "v2-at-v1": served(`${BASE}/institution/v2`, `${BASE}/institution/v3`),
  },
};
