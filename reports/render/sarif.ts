/** Renders the findings of a certificate as SARIF 2.1.0, which code hosts show beside the code. */
import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import type { Rule } from "../../helpers/contract/contract.ts";
import type { LineOf } from "../../helpers/contract/documents/line-of.ts";
import { jsonText } from "../../helpers/exchange/visible.ts";
import type { Certificate, CertifiedOperation, Finding } from "../certificate/certificate.ts";
import { findingLines } from "./finding-text.ts";
import { isAddress, nearPath } from "./places.ts";

/** @returns JSON that ends with a line feed */
export const sarifText = (
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

export const suppressed = (justification: string | undefined) =>
  justification === undefined ? {} : { suppressions: [{ kind: "external", justification }] };

/** The document that describes a service: the provider's, or the one in `schemas/`. */
export interface DescribingDocument {
  /** An address, a path from the working directory or an absolute one; for ours, a path in the package. */
  readonly file: string;
  readonly isOurs: boolean;
  /** Returns the line of an operation or a rule; absent if the document can't be read again. */
  readonly lineOf?: LineOf;
  /** Returns the rule that a finding breaks. */
  readonly ruleOf?: (finding: Finding) => Rule | undefined;
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
      message: { text: [finding.message, ...findingLines(certificate, finding)].join("\n") },
      locations: [placeOf(finding)],
      partialFingerprints: { "finding/v1": finding.fingerprint },
      ...suppressed(accepted && `${accepted.owner}, until ${accepted.expires}: ${accepted.reason}`),
    };
  });
  return sarifText("assay", rules, results, {
    originalUriBaseIds: { [OURS]: { description: { text: "The folder of the package assay." } } },
  });
};

/** Returns a function that finds the location of the rule of a finding, or of its operation. */
const placesIn = (
  operations: readonly CertifiedOperation[],
  documentOf: (service: string) => DescribingDocument | undefined,
) => {
  return (finding: Finding) => {
    const { requirement, operationId } = finding;
    const service = requirement.split(".")[0] ?? "";
    const document = documentOf(service);
    const operation = operations.find((one) => one.service === service && one.operationId === operationId);
    const place = document?.lineOf?.(entryOf(operation, document.ruleOf?.(finding)));
    return {
      ...(document !== undefined && physical(artifactOf(document), place)),
      ...(operation !== undefined && {
        logicalLocations: [
          { fullyQualifiedName: `${operation.method} ${operation.path}`, name: operationId },
        ],
      }),
    };
  };
};

export const physical = (artifactLocation: object, place?: ReturnType<LineOf>) => ({
  physicalLocation: {
    artifactLocation,
    ...(place && { region: { startLine: place.line, startColumn: place.column } }),
  },
});

/** Returns the place of a rule, or of its operation, as the entry of a diff names it. */
const entryOf = (
  operation: CertifiedOperation | undefined,
  rule: Rule | undefined,
): Parameters<LineOf>[0] => {
  const owner = operation === undefined ? "" : `${operation.method} ${operation.path}`;
  if (rule === undefined) return { owner, part: "", pointer: "" };
  const { direction, status, place, parameter, schemaName, pointer, keyword } = rule;
  if (schemaName !== undefined) return { owner: `schema ${schemaName}`, part: "", pointer, keyword };
  const ofBody = direction === "request" ? "request body" : `response ${status}`;
  return { owner, part: parameter === undefined ? ofBody : `${place} ${parameter}`, pointer, keyword };
};

const artifactOf = ({ file, isOurs }: DescribingDocument) => {
  if (isOurs) return { uri: encodeURI(file), uriBaseId: OURS };
  if (isAddress(file)) return { uri: file };
  const near = nearPath(file);
  return { uri: isAbsolute(near) ? pathToFileURL(near).href : encodeURI(near) };
};
