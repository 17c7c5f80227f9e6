/** Contracts, plans and trial results for the tests of the reports. */
import type { Acceptance } from "../../../helpers/accept/acceptance.ts";
import type { Contract, Operation, Requirement } from "../../../helpers/contract/contract.ts";
import { because, type Reason } from "../../../helpers/reasons/reason.ts";
import type { Failure } from "../../../helpers/trials/failure.ts";
import type { LedgerEntry, TrialResult } from "../../../helpers/trials/ledger.ts";
import type { RunInfo } from "../../../helpers/trials/run-info.ts";
import { buildCertificate } from "../../../reports/certificate/build.ts";
import type { Certificate, RunFacts } from "../../../reports/certificate/certificate.ts";

export const requirement = (id: string, changes: Partial<Requirement> = {}): Requirement => ({
  id: `card-enrollment.${id}`,
  service: "card-enrollment",
  level: "documented",
  statement: `The statement of ${id}.`,
  source: "card-enrollment.md, Limits",
  operations: ["putCard"],
  kind: "request",
  subject: "service",
  observable: "from-outside",
  hazards: [],
  ...changes,
});

const putCard: Operation = {
  operationId: "putCard",
  service: "card-enrollment",
  method: "POST",
  path: "/cards",
  section: "Cards",
  aliases: [],
  level: "documented",
  deprecated: false,
  parameters: [],
  responses: {
    "400": { status: 400, content: {}, level: "documented" },
    "200": { status: 200, content: {}, level: "documented" },
  },
  security: [],
  hazards: [],
  refusalHazards: [],
  produces: [],
  removes: {},
  finds: [],
  shows: [],
  needs: [],
  kinds: {},
  requiredFrom: {},
  own: {},
  repeatable: true,
  parameterSets: [],
  legacy: false,
  beta: false,
  internal: false,
  outbound: false,
};

export const contract = (requirements: readonly Requirement[]): Contract => ({
  service: "card-enrollment",
  version: "1.0.0",
  digest: "sha256-00",
  provider: null,
  differences: { lacking: [], added: [], invented: [], contradictions: [], statuses: {} },
  contradicted: [],
  bindings: {},
  generalStatuses: [],
  basePath: "",
  operations: [putCard],
  securitySchemes: [],
  secretPlaces: [],
  schemas: {},
  rules: [],
  requirements,
  requirementSet: null,
  relations: [],
  gaps: [{ subject: "unknown fields", gap: "Refused or ignored." }],
});

export const runInfo = (changes: Partial<RunInfo> = {}): RunInfo => ({
  target: { name: "sandbox", embedded: true, baseUrls: { "card-enrollment": "http://127.0.0.1:1/x" } },
  contracts: [{ service: "card-enrollment", version: "1.0.0", digest: "sha256-00", provider: null }],
  services: ["card-enrollment"],
  seed: 7,
  depth: "standard",
  startedAt: "2026-01-02T03:04:05.000Z",
  out: "out",
  selection: null,
  shard: null,
  untested: {},
  ...changes,
});

export const entry = (
  id: string,
  verdict: LedgerEntry["verdict"],
  { reason, ...more }: Omit<Partial<LedgerEntry>, "reason"> & { readonly reason?: string | Reason } = {},
): LedgerEntry => ({
  ...{ requirement: `card-enrollment.${id}`, verdict, exchanges: 1, ...more },
  ...(reason !== undefined && {
    reason: typeof reason === "string" ? because("not-shown", reason) : reason,
  }),
});

/** A valid call that the service accepted. */
const ACCEPTED = { operationId: "putCard", status: 200, documented: true, observed: 1, valid: 1 };

export const trialResult = (
  entries: readonly LedgerEntry[],
  changes: Partial<TrialResult> = {},
): TrialResult => ({
  trial: "trial",
  service: "card-enrollment",
  entries,
  operations: [ACCEPTED],
  observations: [],
  exchanges: entries.length,
  billableCalls: 0,
  ...changes,
});

/** Creates a failure that a request with this body shows. */
export const failure = (body: string, changes: Partial<Failure> = {}): Failure => ({
  operationId: "putCard",
  pointer: "/consumer/firstName",
  message: "31 characters are accepted",
  expected: "400",
  actual: "200",
  exchanges: [
    {
      id: "w0-1",
      operationId: "putCard",
      request: { method: "POST", url: "http://127.0.0.1:1/x/cards", headers: {}, body },
      response: { status: 200, headers: {}, body: "{}" },
      startedAt: "2026-01-02T03:04:05.000Z",
      durationMs: 1,
    },
  ],
  curl: `curl -d '${body}' http://127.0.0.1:1/x/cards`,
  ...changes,
});

export const facts = (changes: Partial<RunFacts> = {}): RunFacts => ({
  trials: [],
  problems: [],
  durationMs: 1234.5,
  ...changes,
});

export const accepts = (fingerprint: string, expires = "2026-12-31"): Acceptance => ({
  ...{ fingerprint, owner: "Anna Moreau", reason: "fixed in the next release", expires },
});

/** Builds the certificate of a run with one trial for each entry. */
export const certificateOf = (
  requirements: readonly Requirement[],
  entries: readonly LedgerEntry[],
  run: Partial<RunInfo> = {},
): Certificate => {
  const results = entries.map((one) => trialResult([one]));
  return buildCertificate(runInfo(run), [contract(requirements)], results, facts());
};
