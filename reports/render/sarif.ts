/** Renders a certificate as SARIF 2.1.0: each finding with the place of its operation in the contract. */
import { isAbsolute, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { locator } from "../../helpers/contract/locate.ts";
import { escapeSegment } from "../../helpers/contract/pointer.ts";
import { jsonText } from "../../helpers/exchange/visible.ts";
import type { Certificate, Finding } from "../certificate/certificate.ts";
import { advisoryText } from "./report.ts";

/** The document that describes a service: the provider's, or the one in `schemas/`. */
export interface DescribingDocument {
  /** A path from the working directory or an absolute one; for a document of the package, a path in the package. */
  readonly file: string;
  readonly isOurs: boolean;
  readonly text: string;
}

/** The base of the paths of our own documents. */
const OURS = "ASSAY";

/** @returns JSON that ends with a line feed */
export const renderSarif = (
  { requirements, findings: all, operations, advisories = [] }: Certificate,
  documentOf: (service: string) => DescribingDocument | undefined,
): string => {
  // One finding shows each cause of advisories.
  const unshown = new Set(advisories.flatMap((cause) => cause.requirements));
  const examples = new Map(advisories.map((cause) => [cause.example, cause]));
  const findings = all.filter(({ id, requirement }) => examples.has(id) || !unshown.has(requirement));
  const named = new Set(findings.map(({ requirement }) => requirement));
  const failed = requirements.filter(({ id }) => named.has(id));
  const index = new Map(failed.map(({ id }, at) => [id, at]));
  const rules = failed.map(({ id, statement, source, level }) => ({
    id,
    shortDescription: { text: statement },
    help: { text: source },
    properties: { level },
  }));
  const places = new Map<string, ReturnType<typeof placesIn>>();
  const placeOf = (finding: Finding) => {
    const service = finding.requirement.split(".")[0] ?? "";
    const find = places.get(service) ?? placesIn(documentOf(service));
    places.set(service, find);
    const operation = operations.find(
      (one) => one.service === service && one.operationId === finding.operationId,
    );
    return find(operation);
  };
  const results = findings.map((finding) => {
    const ruleIndex = index.get(finding.requirement) ?? -1;
    const { accepted } = finding;
    const cause = examples.get(finding.id);
    const text = `${finding.message}\nexpected: ${finding.expected}\ngot: ${finding.actual}\n${finding.replay}`;
    return {
      ruleId: finding.requirement,
      ruleIndex,
      level: failed[ruleIndex]?.verdict === "failed" ? "error" : "note",
      message: { text: cause === undefined ? text : `${cause.id} ${advisoryText(cause)}\n${text}` },
      locations: [placeOf(finding)],
      partialFingerprints: { "finding/v1": finding.fingerprint },
      ...(accepted !== undefined && {
        suppressions: [
          {
            kind: "external",
            justification: `${accepted.owner}, until ${accepted.expires}: ${accepted.reason}`,
          },
        ],
      }),
    };
  });
  const sarif = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "assay", rules } },
        originalUriBaseIds: { [OURS]: { description: { text: "The folder of the package assay." } } },
        columnKind: "utf16CodeUnits",
        results,
      },
    ],
  };
  return `${jsonText(sarif, 2)}\n`;
};

type Operation = Certificate["operations"][number];

/** Returns a function that finds the location of an operation. It parses the document once. */
const placesIn = (document: DescribingDocument | undefined) => {
  const locate = locator(document?.text ?? "");
  return (operation: Operation | undefined) => ({
    ...(document !== undefined && {
      physicalLocation: {
        artifactLocation: artifactOf(document),
        region: regionOf(locate(pointerOf(operation))),
      },
    }),
    ...(operation !== undefined && {
      logicalLocations: [
        { fullyQualifiedName: `${operation.method} ${operation.path}`, name: operation.operationId },
      ],
    }),
  });
};

const pointerOf = (operation: Operation | undefined): string =>
  operation === undefined ? "" : `/paths/${escapeSegment(operation.path)}/${operation.method.toLowerCase()}`;

const regionOf = ({ line, column }: { readonly line: number; readonly column: number }) => ({
  startLine: line,
  startColumn: column,
});

const artifactOf = ({ file, isOurs }: DescribingDocument) => {
  if (isOurs) return { uri: encodeURI(file), uriBaseId: OURS };
  const near = relative(process.cwd(), file);
  const isOutside = near.startsWith("..") || isAbsolute(near);
  return { uri: isOutside ? pathToFileURL(file).href : encodeURI(near.replaceAll("\\", "/")) };
};
