/** A judgement of callers: gives exchanges to the judge, counts clients, and writes the certificate. */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { AcceptList } from "../../helpers/accept/acceptance.ts";
import { type CallerJudge, type CallerJudgeOptions, createCallerJudge } from "../../helpers/caller/judge.ts";
import type { Contract, Service } from "../../helpers/contract/contract.ts";
import { keptIn } from "../../helpers/contract/once.ts";
import { isAccepted } from "../../helpers/exchange/exchange.ts";
import { createRecorder } from "../../helpers/exchange/recorder.ts";
import type { Redactor } from "../../helpers/exchange/redact.ts";
import type { Target } from "../../helpers/target/target.ts";
import type { Ending, Seen, StoredResult } from "../../helpers/traffic/seen.ts";
import type { TrialResult } from "../../helpers/trials/ledger.ts";
import type { RunInfo } from "../../helpers/trials/run-info.ts";
import { buildCertificate } from "../../reports/certificate/build.ts";
import type { Certificate, Traffic } from "../../reports/certificate/certificate.ts";
import { appendStepSummary, completeResults, junitPath } from "../../reports/folder/results.ts";
import { renderJunit } from "../../reports/render/junit.ts";
import { counted } from "../../reports/text.ts";
import { requirementCases } from "./junit-cases.ts";
import { callerPolicies } from "./policies.ts";

export interface CallerSession {
  readonly judge: CallerJudge;
  /** Judges an exchange. @param single the results of its request, if they are known already */
  add(seen: Seen, single?: readonly StoredResult[]): void;
  end(ending: Ending): void;
  clients(): Traffic["clients"];
  /** The number of billable calls that were accepted. */
  billableCalls(): number;
  /** Returns why the traffic certifies nobody although nothing is violated. */
  problems(): string[];
}

export interface SessionOptions extends Pick<CallerJudgeOptions, "onFinding"> {
  readonly contracts: readonly Contract[];
  readonly redactor: Redactor;
}

export const openCallerSession = async ({
  contracts,
  redactor,
  onFinding,
}: SessionOptions): Promise<CallerSession> => {
  const judge = createCallerJudge({
    contracts,
    policies: await callerPolicies(contracts),
    recorder: createRecorder(redactor),
    ...(onFinding && { onFinding }),
  });
  const counts = new Map<string, number>();
  const answers = new Map<Service, { all: number; accepted: number }>();
  let billable = 0;
  return {
    judge,
    add(seen, single = seen.stored ?? judge.single(seen)) {
      counts.set(seen.client, (counts.get(seen.client) ?? 0) + 1);
      const ofService = keptIn(answers, seen.service, () => ({ all: 0, accepted: 0 }));
      ofService.all += 1;
      if (isAccepted(seen.exchange)) ofService.accepted += 1;
      if (seen.operation?.hazards.includes("billable") && isAccepted(seen.exchange)) billable += 1;
      judge.see(seen, single);
    },
    end: (ending) => judge.end(ending),
    billableCalls: () => billable,
    problems: () =>
      [...answers].flatMap(([service, { all, accepted }]) =>
        accepted > 0 ? [] : [`${service} accepted no request of the client (${counted(all, "request")}).`],
      ),
    clients: () => [...counts].slice(0, MOST_CLIENTS).map(([name, exchanges]) => ({ name, exchanges })),
  };
};

/** The number of clients that a certificate lists. */
const MOST_CLIENTS = 100;

export interface CertifiedTraffic {
  readonly half: Certificate["half"];
  readonly target: Pick<Target, "name" | "embedded" | "baseUrls">;
  readonly contracts: readonly Contract[];
  readonly results: readonly TrialResult[];
  readonly traffic?: Traffic;
  /** What makes the judgement incomplete. */
  readonly problems?: readonly string[];
  readonly startedAt: Date;
  readonly out: string;
  /** The command that judges the traffic again. */
  readonly again: string;
  readonly accepted?: AcceptList | undefined;
}

/** Returns the certificate of what was judged so far. */
export const certificateOf = (certified: CertifiedTraffic): Certificate => {
  const { contracts, results, traffic, problems = [], startedAt } = certified;
  const durationMs = Date.now() - startedAt.getTime();
  const facts = { trials: [], problems, durationMs, ...(traffic && { traffic }) };
  return buildCertificate(infoOf(certified), contracts, results, facts);
};

/** Writes the certificate and its renderings. */
export const certifyTraffic = (certified: CertifiedTraffic): Certificate => {
  const { contracts, out, startedAt } = certified;
  const certificate = completeResults(resolve(out), certificateOf(certified));
  const suites = contracts.map(({ service }) => ({
    name: service,
    timestamp: startedAt.toISOString(),
    cases: requirementCases(certificate, service),
  }));
  writeFileSync(junitPath(out), renderJunit("assay", suites));
  appendStepSummary(certificate);
  return certificate;
};

const infoOf = ({ half, target, contracts, startedAt, out, again, accepted }: CertifiedTraffic): RunInfo => ({
  target: { name: target.name, embedded: target.embedded, baseUrls: target.baseUrls },
  contracts: contracts.map(({ service, version, digest, provider }) => ({
    service,
    version,
    digest,
    provider,
  })),
  services: contracts.map(({ service }) => service),
  seed: 1,
  depth: "standard",
  startedAt: startedAt.toISOString(),
  out: resolve(out),
  selection: null,
  shard: null,
  untested: {},
  again,
  ...(half !== "service" && { half }),
  ...(accepted && { accepted }),
});
