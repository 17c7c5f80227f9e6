/** Renders the findings of a certificate, or the changes of a diff, as SARIF 2.1.0, which code hosts show beside the code. */
import { isAbsolute, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { locator } from "../../helpers/contract/locate.ts";
import { escapeSegment } from "../../helpers/contract/pointer.ts";
import { RULES } from "../../helpers/diff/compare/rules.ts";
import type { Diff } from "../../helpers/diff/entry.ts";
import type { LineOf } from "../../helpers/diff/line-of.ts";
import { jsonText } from "../../helpers/exchange/visible.ts";
import type { Certificate, CertifiedOperation, Finding } from "../certificate/certificate.ts";
import { diffReportOf, plainPath, type ReportedChange } from "./diff-report.ts";
import { findingLines } from "./finding-text.ts";

/** @returns JSON that ends with a line feed */
const sarifText = (
  name: string,
  rules: readonly { readonly id: string }[],
  results: readonly { readonly ruleId: string }[],
  bases: object = {},
): string => {
  const indexes = new Map(rules.map(({ id }, index) => [id, index]));
  const placed = results.map(({ ruleId, ...rest }) => ({
    ruleId,
    ruleIndex: indexes.get(ruleId) ?? -1,
    ...rest,
  }));
  const run = { tool: { driver: { name, rules } }, ...bases, columnKind: "utf16CodeUnits", results: placed };
  const $schema = "https://json.schemastore.org/sarif-2.1.0.json";
  return `${jsonText({ $schema, version: "2.1.0", runs: [run] }, 2)}\n`;
};

const suppressed = (justification: string | undefined) =>
  justification === undefined ? {} : { suppressions: [{ kind: "external", justification }] };

/** The document that describes a service: the provider's, or the one in `schemas/`. */
export interface DescribingDocument {
  /** A path from the working directory or an absolute one; for a document of the package, a path in the package. */
  readonly file: string;
  readonly isOurs: boolean;
  readonly text: string;
}

/** The base of the paths of our own documents. */
const OURS = "ASSAY";

/** Returns JSON that ends with a line feed. Each finding has the place of its operation in the contract. */
export const renderSarif = (
  certificate: Certificate,
  documentOf: (service: string) => DescribingDocument | undefined,
): string => {
  const { requirements, findings: all, operations, advisories = [] } = certificate;
  // One finding shows each cause of advisories.
  const unshown = new Set(advisories.flatMap((cause) => cause.requirements));
  const examples = new Set(advisories.map(({ example }) => example));
  const findings = all.filter(({ id, requirement }) => examples.has(id) || !unshown.has(requirement));
  const named = new Set(findings.map(({ requirement }) => requirement));
  const shown = requirements.filter(({ id }) => named.has(id));
  const failed = new Set(shown.filter(({ verdict }) => verdict === "failed").map(({ id }) => id));
  const rules = shown.map(({ id, statement, source, level }) => ({
    id,
    shortDescription: { text: statement },
    help: { text: source },
    properties: { level },
  }));
  const placeOf = placesIn(operations, documentOf);
  const results = findings.map((finding) => {
    const { accepted, requirement } = finding;
    return {
      ruleId: requirement,
      level: failed.has(requirement) ? "error" : "note",
      message: { text: findingLines(certificate, finding).join("\n") },
      locations: [placeOf(finding)],
      partialFingerprints: { "finding/v1": finding.fingerprint },
      ...suppressed(accepted && `${accepted.owner}, until ${accepted.expires}: ${accepted.reason}`),
    };
  });
  return sarifText("assay", rules, results, {
    originalUriBaseIds: { [OURS]: { description: { text: "The folder of the package assay." } } },
  });
};

/** Returns a function that finds the location of the operation of a finding. It parses each document once. */
const placesIn = (
  operations: readonly CertifiedOperation[],
  documentOf: (service: string) => DescribingDocument | undefined,
) => {
  const documents = new Map<string, ReturnType<typeof located>>();
  const located = (service: string) => {
    const document = documentOf(service);
    return { document, locate: locator(document?.text ?? "") };
  };
  return ({ requirement, operationId }: Finding) => {
    const service = requirement.split(".")[0] ?? "";
    const known = documents.get(service) ?? located(service);
    documents.set(service, known);
    const { document, locate } = known;
    const operation = operations.find((one) => one.service === service && one.operationId === operationId);
    return {
      ...(document !== undefined && physical(artifactOf(document), locate(pointerOf(operation)))),
      ...(operation !== undefined && {
        logicalLocations: [
          { fullyQualifiedName: `${operation.method} ${operation.path}`, name: operationId },
        ],
      }),
    };
  };
};

const physical = (artifactLocation: object, { line, column }: ReturnType<LineOf>) => ({
  physicalLocation: { artifactLocation, region: { startLine: line, startColumn: column } },
});

const pointerOf = (operation: CertifiedOperation | undefined): string =>
  operation === undefined ? "" : `/paths/${escapeSegment(operation.path)}/${operation.method.toLowerCase()}`;

const artifactOf = ({ file, isOurs }: DescribingDocument) => {
  if (isOurs) return { uri: encodeURI(file), uriBaseId: OURS };
  const near = relative(process.cwd(), file);
  const isOutside = near.startsWith("..") || isAbsolute(near);
  return { uri: isOutside ? pathToFileURL(file).href : encodeURI(near.replaceAll("\\", "/")) };
};

/** Returns JSON that ends with a line feed. Each change has its place in the new document. */
export const renderDiffSarif = (diff: Diff, lineOf: LineOf): string => {
  const rules = Object.entries(RULES).map(([id, { words }]) => ({ id, shortDescription: { text: words } }));
  const { file } = diff.new;
  const uri = isAbsolute(file) ? pathToFileURL(file).href : encodeURI(plainPath(file));
  const resultOf = ({ entry, level, head, where, accepted, explained }: ReportedChange) => ({
    ruleId: entry.rule,
    level,
    message: { text: [head, ...explained].join("\n") },
    locations: [{ ...physical({ uri }, lineOf(entry)), logicalLocations: [{ fullyQualifiedName: where }] }],
    partialFingerprints: { "change/v1": entry.fingerprint },
    ...suppressed(accepted && `accepted ${accepted}`),
  });
  return sarifText("assay diff", rules, diffReportOf(diff).changes.map(resultOf));
};
