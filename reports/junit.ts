/** Renders test cases as JUnit XML, of which build servers read file, classname, name, time and what went wrong. */
import { type Markup, verbatim, xml } from "./markup.ts";

export interface JunitCase {
  readonly name: string;
  readonly classname: string;
  /** Path from the repository's root. */
  readonly file: string;
  readonly seconds: number;
  readonly properties: readonly (readonly [name: string, value: string])[];
  readonly result: JunitResult;
}

/** `failure` violates something, `error` could not be tried. */
export type JunitResult =
  | { readonly kind: "passed" }
  | { readonly kind: "failure" | "error"; readonly message: string; readonly text: string }
  | { readonly kind: "skipped"; readonly message: string };

export interface JunitSuite {
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
