/** Writes `junit.xml`: a suite for each service, a test case for each trial. */
import { writeFileSync } from "node:fs";
import type { RunInfo } from "../helpers/trials/run-info.ts";
import type { Certificate } from "./certificate.ts";
import { renderJunit } from "./junit.ts";
import { type EndedCase, junitCase } from "./junit-case.ts";
import { grouped } from "./order.ts";
import { junitPath } from "./results.ts";

export const writeJunit = (run: RunInfo, { findings }: Certificate, cases: readonly EndedCase[]): void => {
  const accepted = new Map(findings.map((finding) => [finding.fingerprint, finding.accepted]));
  const reasonToAccept = (fingerprint: string): string | undefined => {
    const entry = accepted.get(fingerprint);
    return entry && `${entry.reason} (${entry.owner}, until ${entry.expires})`;
  };
  const suites = grouped(cases, ({ test }) => test.titlePath()[1] ?? "").map(({ title, items }) => ({
    name: title,
    timestamp: run.startedAt,
    cases: items.map((ended) => junitCase(ended, reasonToAccept)),
  }));
  writeFileSync(junitPath(run.out), renderJunit("assay", suites));
};
