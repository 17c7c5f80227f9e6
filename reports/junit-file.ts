/** Writes `junit.xml`: a suite for each service, a test case for each trial. */
import { writeFileSync } from "node:fs";
import type { RunInfo } from "../helpers/trials/run-info.ts";
import type { Certificate } from "./certificate.ts";
import { renderJunit } from "./junit.ts";
import { type EndedCase, junitCase } from "./junit-case.ts";
import { junitPath } from "./results.ts";

export const writeJunit = (run: RunInfo, { findings }: Certificate, cases: readonly EndedCase[]): void => {
  const accepted = new Map(findings.map((finding) => [finding.fingerprint, finding.accepted]));
  const reasonToAccept = (fingerprint: string): string | undefined => {
    const entry = accepted.get(fingerprint);
    return entry && `${entry.reason} (${entry.owner}, until ${entry.expires})`;
  };
  const serviceOf = ({ test }: EndedCase): string => test.titlePath()[1] ?? "";
  const suites = [...new Set(cases.map(serviceOf))].map((service) => ({
    name: service,
    timestamp: run.startedAt,
    cases: cases
      .filter((ended) => serviceOf(ended) === service)
      .map((ended) => junitCase(ended, reasonToAccept)),
  }));
  writeFileSync(junitPath(run.out), renderJunit("assay", suites));
};
