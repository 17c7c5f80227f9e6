/** Writes `junit.xml`, of which build servers read file, classname, name, time and what went wrong. */
import { writeFileSync } from "node:fs";
import type { RunInfo } from "../helpers/trials/run-info.ts";
import type { Certificate } from "./certificate.ts";
import { type EndedCase, type JunitCase, type JunitResult, junitCase } from "./junit-case.ts";
import { type Markup, verbatim, xml } from "./markup.ts";
import { grouped } from "./order.ts";
import { junitPath } from "./results.ts";

/** A suite for each service, a test case for each trial. */
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

interface JunitSuite {
  readonly name: string;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly cases: readonly JunitCase[];
}

/** Ends with a line feed. */
export const renderJunit = (name: string, suites: readonly JunitSuite[]): string =>
  xml`<?xml version="1.0" encoding="UTF-8"?>
<testsuites ${attributes({ name, ...totals(suites.flatMap(({ cases }) => cases)) })}>
${suites.map(
  ({ cases, ...named }) => xml`  <testsuite ${attributes({ ...named, ...totals(cases) })}>
${cases.map(caseElement)}  </testsuite>
`,
)}</testsuites>
`.markup;

const totals = (cases: readonly JunitCase[]) => {
  const count = (kind: JunitResult["kind"]): number =>
    cases.filter(({ result }) => result.kind === kind).length;
  return {
    tests: cases.length,
    failures: count("failure"),
    errors: count("error"),
    skipped: count("skipped"),
    time: cases.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(3),
  };
};

const caseElement = ({ name, classname, file, seconds, properties, result }: JunitCase): Markup =>
  xml`    <testcase ${attributes({ name, classname, file, time: seconds.toFixed(3) })}>
${
  properties.length > 0 &&
  xml`      <properties>
${properties.map(([key, value]) => xml`        <property ${attributes({ name: key, value })}/>\n`)}      </properties>
`
}${resultElement(result)}    </testcase>
`;

const resultElement = (result: JunitResult): Markup | null => {
  if (result.kind === "passed") return null;
  const { kind, message } = result;
  if (kind === "skipped") return xml`      <skipped ${attributes({ message })}/>\n`;
  return xml`      <${kind} ${attributes({ message, type: kind })}>${result.text}</${kind}>\n`;
};

const attributes = (values: Readonly<Record<string, string | number>>): Markup =>
  verbatim(
    Object.entries(values)
      .map(([name, value]) => xml`${name}="${value}"`.markup.replaceAll("\n", "&#10;"))
      .join(" "),
  );
