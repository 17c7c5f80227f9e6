/** Writes the certificate of a half that a run against a service does not try, or of recorded traffic. */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { AcceptList } from "../../../helpers/accept/acceptance.ts";
import type { Contract, Service } from "../../../helpers/contract/contract.ts";
import { steadyNow } from "../../../helpers/contract/steady-time.ts";
import type { Target } from "../../../helpers/target/target.ts";
import type { TrialResult } from "../../../helpers/trials/ledger.ts";
import type { RunInfo } from "../../../helpers/trials/run-info.ts";
import { buildCertificate } from "../../../reports/certificate/build.ts";
import type { Certificate, CertifiedRequirement, Traffic } from "../../../reports/certificate/certificate.ts";
import { keepBaseline } from "../../../reports/folder/baseline.ts";
import { certificatePath } from "../../../reports/folder/certificate-file.ts";
import { claimFolder } from "../../../reports/folder/out-folder.ts";
import { appendStepSummary, completeResults, junitPath } from "../../../reports/folder/results.ts";
import { isColored } from "../../../reports/print.ts";
import { obligesOthers } from "../../../reports/render/coverage.ts";
import { findingLines } from "../../../reports/render/finding-text.ts";
import { type JunitCase, renderJunit, versionProperties } from "../../../reports/render/junit.ts";
import { renderSummary } from "../../../reports/render/terminal.ts";
import type { BaselineOptions } from "../../../runner/command/baseline-options.ts";

export interface CertifiedTraffic {
  readonly half: Certificate["half"];
  readonly target: Pick<Target, "name" | "embedded" | "baseUrls">;
  readonly contracts: readonly Contract[];
  readonly results: readonly TrialResult[];
  readonly traffic?: Traffic;
  /** The reasons why the judgement is incomplete. */
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
  const durationMs = steadyNow() - startedAt.getTime();
  const facts = { trials: [], problems, durationMs, ...(traffic && { traffic }) };
  return buildCertificate(infoOf(certified), contracts, results, facts);
};

/** Claims the folder of the results, and keeps the baseline there. */
export const claimResults = (
  out: string,
  { baseline }: BaselineOptions,
  half: "caller" | "listener",
): void => {
  claimFolder(out, "run");
  if (baseline !== undefined) keepBaseline(out, baseline, half);
};

/** Writes the certificate and its renderings. @returns it with its summary for the terminal */
export const certifyTraffic = (certified: CertifiedTraffic) => {
  const { contracts, out, startedAt } = certified;
  const certificate = completeResults(resolve(out), certificateOf(certified));
  const suites = contracts.map(({ service }) => ({
    name: service,
    timestamp: startedAt.toISOString(),
    properties: versionProperties(certificate.contracts, service),
    cases: requirementCases(certificate, service),
  }));
  writeFileSync(junitPath(out), renderJunit("assay", suites));
  appendStepSummary(certificate);
  const summary = renderSummary(certificate, { color: isColored(), path: certificatePath(out) });
  return { certificate, summary };
};

const infoOf = ({ half, target, contracts, startedAt, out, again, accepted }: CertifiedTraffic): RunInfo => ({
  target: { name: target.name, embedded: target.embedded, baseUrls: target.baseUrls },
  contracts: contracts.map(({ service, version, digest, provider }) => ({
    ...{ service, version, digest, provider },
  })),
  services: contracts.map(({ service }) => service),
  ...{ seed: 1, depth: "standard", selection: null, shard: null, untested: {} },
  startedAt: startedAt.toISOString(),
  out: resolve(out),
  again,
  ...(half !== "service" && { half }),
  ...(accepted && { accepted }),
});

/** Returns a test case for each requirement of the judged half. */
const requirementCases = (certificate: Certificate, service: Service): JunitCase[] =>
  certificate.requirements
    .filter((requirement) => requirement.service === service && !obligesOthers(requirement))
    .map((requirement) => ({
      name: requirement.id,
      classname: `${service}.${certificate.half}`,
      file: "",
      seconds: 0,
      properties: [["requirement", requirement.id] as const],
      result: resultOf(certificate, requirement),
    }));

const resultOf = (
  certificate: Certificate,
  { id, verdict, reason, accepted }: CertifiedRequirement,
): JunitCase["result"] => {
  if (verdict === "failed" && accepted !== true) {
    const own = certificate.findings.filter(({ requirement }) => requirement === id);
    const text = own.map((one) => findingLines(certificate, one).join("\n")).join("\n\n");
    return { kind: "failure", message: own[0]?.message ?? "violated", text };
  }
  if (verdict === "blocked")
    return { kind: "error", message: reason ?? "blocked", text: reason ?? "blocked" };
  if (verdict === "not-tried") return { kind: "skipped", message: reason ?? "not tried" };
  return accepted ? { kind: "skipped", message: "accepted" } : { kind: "passed" };
};
