/**
 * Generated certificates of any size. A page must remain readable and fast even with more findings than a run gives
 * today.
 */
import type { Level, Service } from "../../../helpers/contract/contract.ts";
import type { RecordedExchange } from "../../../helpers/exchange/exchange.ts";
import type { Verdict } from "../../../helpers/trials/ledger.ts";
import type {
  Certificate,
  CertifiedOperation,
  CertifiedRequirement,
  Finding,
} from "../../../reports/certificate/certificate.ts";

export interface Size {
  readonly requirements: number;
  readonly findings: number;
}

/** An answer of a hostile target that tries to inject markup into the page. */
const HOSTILE = `</script></style></pre><img src=x onerror="window.harmed = true"><script>window.harmed = true</script>`;

/**
 * Creates a certificate. The first `findings` tried requirements failed, and the others have the remaining verdicts in
 * turn.
 */
export const largeCertificate = ({ requirements: amount, findings: failures }: Size): Certificate => {
  const requirements = Array.from({ length: amount }, (_, index) => requirementOf(index, failures));
  const failed = requirements.filter(({ verdict }) => verdict === "failed");
  const times = (verdict: Verdict): number => requirements.filter((one) => one.verdict === verdict).length;
  return {
    format: "certificate/1",
    half: "service",
    target: { name: "acceptance", embedded: false, baseUrls },
    contracts: SERVICES.map((service, index) => ({
      service,
      version: `1.${index}.0`,
      digest: `sha256-${String(index).repeat(64)}`,
      provider: null,
    })),
    seed: 7,
    depth: "standard",
    startedAt: "2026-01-02T03:04:05.000Z",
    durationMs: 31_400,
    outcome: "violations",
    summary: {
      requirements: amount,
      passed: times("passed"),
      failed: times("failed"),
      advisory: times("advisory"),
      notTried: times("not-tried"),
      blocked: times("blocked"),
      exchanges: 11_179,
    },
    operations: Array.from({ length: Math.min(160, amount) }, (_, index) => certifiedOperation(index)),
    requirements,
    findings: failed.map(findingOf),
    observations: SERVICES.map((service) => ({
      service,
      subject: "unknown fields",
      gap: "Whether they are refused or ignored is not shown.",
      observed: ["ignored", HOSTILE],
    })),
    selection: null,
    shard: null,
    problems: [],
  };
};

const SERVICES: readonly Service[] = ["card-enrollment", "installments", "financial-data"];

const baseUrls = Object.fromEntries(
  SERVICES.map((service) => [service, `https://sandbox.example.com/${service}/v1`]),
);

const SECTIONS = ["Consumer", "Accounts; Limits", "Errors", "Events", "Statements, assets", "Versioning"];

const serviceOf = (index: number): Service => SERVICES[index % SERVICES.length] ?? "financial-data";
const sectionOf = (index: number): string => SECTIONS[Math.floor(index / 7) % SECTIONS.length] ?? "Errors";

const REASONS = [
  "needs partner-id: set FINANCIAL_DATA_PARTNER_ID",
  "not observable",
  "needs unvalidated-api-key: set CARD_ENROLLMENT_UNVALIDATED_API_KEY",
  "postOffers was not sent: it is destructive; ALLOW_DESTRUCTIVE allows it",
  "needs report: the run's 0 billable calls are used up; MAX_BILLABLE_CALLS allows more",
  "needs clock: the run does not wait for two hours",
];

const REST: readonly Verdict[] = ["passed", "passed", "passed", "not-tried", "passed", "passed", "advisory"];

const verdictOf = (index: number, failures: number): Verdict => {
  if (index % 5 === 1 && (index - 1) / 5 < failures) return "failed";
  if (index % 211 === 0) return "blocked";
  return REST[index % REST.length] ?? "passed";
};

const requirementOf = (index: number, failures: number): CertifiedRequirement => {
  const verdict = verdictOf(index, failures);
  const level: Level = verdict === "advisory" ? "assumed" : "documented";
  const untried = verdict === "not-tried" ? (REASONS[index % REASONS.length] ?? "not observable") : null;
  return {
    id: `${serviceOf(index)}.request.field${index}.max-length`,
    service: serviceOf(index),
    level,
    statement: `A request is refused with 400 unless its field${index} has at most ${index + 1} characters.`,
    source: `${serviceOf(index)}.md, ${sectionOf(index)}`,
    verdict,
    reason: verdict === "blocked" ? "the target went away" : untried,
    exchanges: verdict === "not-tried" || verdict === "blocked" ? 0 : 1 + (index % 40),
    findings: verdict === "failed" ? [`f-${(index - 1) / 5 + 1}`] : [],
  };
};

const certifiedOperation = (index: number): CertifiedOperation => ({
  service: serviceOf(index),
  operationId: `postThing${index}`,
  method: "POST",
  path: `/things/${index}/{thingId}/parts/{partId}/pieces`,
  section: sectionOf(index),
  deprecated: index % 40 === 3,
  exchanges: 12,
  statuses: [200, 400, 401, 404, 409].map((status) => ({
    status,
    documented: status !== 409,
    observed: status === 404 ? 0 : index % 3,
  })),
});

const findingOf = ({ id }: CertifiedRequirement, index: number): Finding => {
  const long = "x".repeat(31);
  const exchanges = [exchangeOf(index, long), exchangeOf(index, long.slice(1))];
  return {
    id: `f-${index + 1}`,
    requirement: id,
    operationId: `postThing${index}`,
    pointer: "/consumer/firstName",
    message: `consumer.firstName: one character too long was accepted ${index % 9 === 0 ? HOSTILE : ""}`,
    expected: "refused with 400",
    actual: "200",
    exchanges,
    curl: `curl -sS -i 'https://sandbox.example.com/things/${index}' --data-raw '${exchanges[0]?.request.body}'`,
    replay: `npm run certify -- --target acceptance --requirement ${id} --seed 7 --depth standard`,
    fingerprint: `${id}#${index}`,
  };
};

const exchangeOf = (index: number, firstName: string): RecordedExchange => ({
  id: `w0-${index}`,
  operationId: `postThing${index}`,
  request: {
    method: "POST",
    url: `https://sandbox.example.com/things/${index}?include=parts`,
    headers: { "content-type": "application/json", "x-openapi-clientid": "‹CARD_ENROLLMENT_API_KEY›" },
    body: JSON.stringify({ consumer: { firstName, lastName: "Fadel", countryCode: "US" }, note: HOSTILE }),
  },
  response: {
    status: 200,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ id: index, note: HOSTILE, cards: [{ panLastFour: "3664" }] }),
  },
  startedAt: "2026-01-02T03:04:05.000Z",
  durationMs: 4,
});
