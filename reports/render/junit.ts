/** Renders the trials of a run as JUnit XML. Build servers read the file, classname, name, time and failure of each test case. */
import { posix, sep } from "node:path";
import type { TestCase } from "@playwright/test/reporter";
import { fingerprintOf } from "../../helpers/accept/fingerprint.ts";
import { because, type Reason, sentenceOf } from "../../helpers/reasons/reason.ts";
import type { LedgerEntry, TrialResult } from "../../helpers/trials/ledger.ts";
import type { RunInfo } from "../../helpers/trials/run-info.ts";
import type { Certificate, Finding, TrialFact } from "../certificate/certificate.ts";
import { serviceOf } from "../certificate/trial-facts.ts";
import { groupByTitle } from "../order.ts";
import { acceptedBy, asSentence, certifiedVersion, cut } from "../text.ts";
import { findingLines } from "./finding-text.ts";
import { type Markup, verbatim, xml } from "./markup.ts";
import { isAddress, nearPath } from "./places.ts";

export interface EndedCase {
  readonly test: Pick<TestCase, "annotations" | "title" | "titlePath">;
  readonly fact: TrialFact;
  readonly trialResult: TrialResult | undefined;
  readonly durationMs: number;
}

/** Returns XML with one suite for each service, and one test case for each trial. */
export const renderTrials = (run: RunInfo, certificate: Certificate, cases: readonly EndedCase[]): string => {
  const { contracts, findings } = certificate;
  const known = new Map(findings.map((finding) => [finding.fingerprint, finding]));
  const findingOf = ({ requirement, failure }: LedgerEntry): Finding | undefined =>
    failure && known.get(fingerprintOf(requirement, failure));
  const textOf = (entry: LedgerEntry): string => {
    const finding = findingOf(entry);
    const lines = finding ? findingLines(certificate, finding) : [];
    return [`${entry.requirement}: ${entry.failure?.message ?? "violated"}`, ...lines].join("\n");
  };
  const documents = new Map(contracts.map(({ service, document }) => [service, document]));
  const suites = groupByTitle(cases, ({ test }) => serviceOf(test)).map(({ title, items }) => ({
    name: title,
    timestamp: run.startedAt,
    properties: versionProperties(contracts, title),
    // Readers and build servers show the cases in this order.
    cases: items
      .map((ended) => junitCase(ended, (entry) => findingOf(entry)?.accepted, textOf, documents.get(title)))
      .sort((a, b) => RANK.indexOf(a.result.kind) - RANK.indexOf(b.result.kind)),
  }));
  return renderJunit("assay", suites);
};

/** Returns the properties of a suite: the version of the contract that was certified. */
export const versionProperties = (
  contracts: Certificate["contracts"],
  service: string,
): JunitCase["properties"] =>
  contracts
    .filter((contract) => contract.service === service)
    .map((contract) => ["contract", certifiedVersion(contract)] as const);

const RANK: readonly JunitResult["kind"][] = ["failure", "error", "passed", "skipped"];

/**
 * Returns the test case of a trial. An accepted violation is reported as skipped, not as a failure.
 * @param acceptanceOf returns the entry that accepts a violation, if one does
 * @param textOf returns the finding of an entry
 */
const junitCase = (
  { test, fact, trialResult, durationMs }: EndedCase,
  acceptanceOf: (entry: LedgerEntry) => Finding["accepted"],
  textOf: (entry: LedgerEntry) => string,
  document: string | undefined,
): JunitCase => {
  const [, , file = "", ...titles] = test.titlePath();
  const entries = trialResult?.entries ?? [];
  return {
    name: test.title,
    classname: [serviceOf(test), ...titles.slice(0, -1)].map((part) => part.replaceAll(".", " ")).join("."),
    ...placeOf(file, document),
    seconds: durationMs / 1000,
    properties: [
      ["trial", fact.trial] as const,
      ...fact.requirements.map((requirement) => ["requirement", requirement] as const),
    ],
    result: resultOf(fact, entries, acceptanceOf, textOf),
    advisories: entries.filter(({ verdict }) => verdict === "advisory").map(textOf),
  };
};

/** Returns the file of a case: the user's document, or the file of a trial that the checkout has. */
const placeOf = (file: string, document: string | undefined): { readonly file?: string } => {
  if (document === undefined) return { file: posix.join("tests", file.split(sep).join("/")) };
  return isAddress(document) ? {} : { file: nearPath(document) };
};

const resultOf = (
  fact: TrialFact,
  entries: readonly LedgerEntry[],
  acceptanceOf: (entry: LedgerEntry) => Finding["accepted"],
  textOf: (entry: LedgerEntry) => string,
): JunitResult => {
  const failed = entries.filter(({ verdict }) => verdict === "failed");
  const open = failed.filter((entry) => acceptanceOf(entry) === undefined);
  if (open.length > 0) return wrong("failure", open.map(textOf));
  if (fact.state !== "finished") return wrong("error", [sentenceOf(fact.reason ?? because("not-finished"))]);
  const blocked = entries.filter(({ verdict }) => verdict === "blocked");
  if (blocked.length > 0) {
    return wrong(
      "error",
      blocked.map(({ requirement, reason }) => `${requirement}: blocked: ${wordsOf(reason)}`),
    );
  }
  const [accepted] = failed.flatMap((entry) => acceptanceOf(entry) ?? []);
  if (accepted !== undefined) return { kind: "skipped", message: `accepted ${acceptedBy(accepted)}` };
  const [first] = entries;
  return first !== undefined && entries.every(({ verdict }) => verdict === "not-tried")
    ? { kind: "skipped", message: wordsOf(first.reason) }
    : { kind: "passed" };
};

const wordsOf = (reason: Reason | undefined): string =>
  asSentence(reason === undefined ? "nothing could be tried" : sentenceOf(reason));

const wrong = (kind: "failure" | "error", texts: readonly string[]): JunitResult => {
  const [first = ""] = texts;
  const [message = ""] = first.split("\n", 1);
  const more = texts.length > 1 ? [`… and ${texts.length - 1} more in the certificate`] : [];
  return { kind, message: cut(message, LONGEST_TEXT), text: [first, ...more].join("\n") };
};

const LONGEST_TEXT = 400;

export interface JunitCase {
  readonly name: string;
  readonly classname: string;
  readonly file?: string;
  readonly seconds: number;
  readonly properties: readonly (readonly [name: string, value: string])[];
  readonly result: JunitResult;
  /** What the case shows beside its result. */
  readonly advisories?: readonly string[];
}

/** `failure`: a requirement is violated; `error`: the trial crashed or was blocked. */
type JunitResult =
  | { readonly kind: "passed" }
  | { readonly kind: "failure" | "error"; readonly message: string; readonly text: string }
  | { readonly kind: "skipped"; readonly message: string };

/** Returns XML that ends with a line feed. @param suites with timestamps in ISO 8601 format */
export const renderJunit = (
  name: string,
  suites: readonly {
    readonly name: string;
    readonly timestamp: string;
    readonly properties: JunitCase["properties"];
    readonly cases: readonly JunitCase[];
  }[],
): string =>
  xml`<?xml version="1.0" encoding="UTF-8"?>
<testsuites ${attributes({ name, ...totals(suites.flatMap(({ cases }) => cases)) })}>
${suites.map(
  ({ cases, properties, ...named }) => xml`  <testsuite ${attributes({ ...named, ...totals(cases) })}>
${propertiesElement(properties, "    ")}${cases.map(caseElement)}  </testsuite>
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

const caseElement = ({ name, classname, file, seconds, properties, result, advisories }: JunitCase): Markup =>
  xml`    <testcase ${attributes({ name, classname, ...(file !== undefined && { file }), time: seconds.toFixed(3) })}>
${propertiesElement(properties, "      ")}${resultElement(result)}${outputElement(advisories)}    </testcase>
`;

const outputElement = (advisories: readonly string[] = []): Markup | false =>
  advisories.length > 0 &&
  xml`      <system-out>${advisories.map((one) => `advisory: ${one}`).join("\n\n")}</system-out>\n`;

const propertiesElement = (properties: JunitCase["properties"], indent: string): Markup | false =>
  properties.length > 0 &&
  xml`${indent}<properties>
${properties.map(([key, value]) => xml`${indent}  <property ${attributes({ name: key, value })}/>\n`)}${indent}</properties>
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
