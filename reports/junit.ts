/** Renders test cases as JUnit XML, of which build servers read file, classname, name, time and what went wrong. */

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
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${attributes({ name, ...totals(suites.flatMap(({ cases }) => cases)) })}>`,
    ...suites.map(suiteElement),
    "</testsuites>\n",
  ].join("\n");

const suiteElement = ({ name, timestamp, cases }: JunitSuite): string =>
  [
    `  <testsuite ${attributes({ name, timestamp, ...totals(cases) })}>`,
    ...cases.map(caseElement),
    "  </testsuite>",
  ].join("\n");

const totals = (cases: readonly JunitCase[]) => {
  const count = (kind: JunitResult["kind"]): number =>
    cases.filter(({ result }) => result.kind === kind).length;
  return {
    tests: cases.length,
    failures: count("failure"),
    errors: count("error"),
    skipped: count("skipped"),
    time: inSeconds(cases.reduce((sum, { seconds }) => sum + seconds, 0)),
  };
};

const caseElement = ({ name, classname, file, seconds, properties, result }: JunitCase): string =>
  [
    `    <testcase ${attributes({ name, classname, file, time: inSeconds(seconds) })}>`,
    ...(properties.length > 0 ? [propertiesElement(properties)] : []),
    ...resultElement(result),
    "    </testcase>",
  ].join("\n");

const propertiesElement = (properties: JunitCase["properties"]): string =>
  [
    "      <properties>",
    ...properties.map(([name, value]) => `        <property ${attributes({ name, value })}/>`),
    "      </properties>",
  ].join("\n");

const resultElement = (result: JunitResult): string[] => {
  if (result.kind === "passed") return [];
  const { kind, message } = result;
  if (kind === "skipped") return [`      <skipped ${attributes({ message })}/>`];
  return [`      <${kind} ${attributes({ message, type: kind })}>${escaped(result.text)}</${kind}>`];
};

const inSeconds = (seconds: number): string => seconds.toFixed(3);

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}="${escaped(String(value)).replaceAll("\n", "&#10;")}"`)
    .join(" ");

/** Characters that XML 1.0 has no notation for, and halves of a pair that stand alone. */
const UNSPEAKABLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is to be left out.
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const escaped = (text: string): string =>
  text
    .replaceAll(UNSPEAKABLE, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
