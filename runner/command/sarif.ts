/** Writes `certificate.sarif` next to the certificate. */
import { join } from "node:path";
import { locationOf } from "../../helpers/contract/documents/git-source.ts";
import { type LineOf, linesIn } from "../../helpers/contract/documents/line-of.ts";
import { parseSource } from "../../helpers/contract/documents/parse.ts";
import { readSource } from "../../helpers/contract/documents/source-file.ts";
import { loadContract } from "../../helpers/contract/load.ts";
import { schemasFolder } from "../../helpers/contract/services.ts";
import { replaceFile } from "../../helpers/run/files.ts";
import { ruleOf } from "../../reports/certificate/advisories.ts";
import type { Certificate, Finding } from "../../reports/certificate/certificate.ts";
import { isAddress } from "../../reports/render/places.ts";
import { type DescribingDocument, renderSarif } from "../../reports/render/sarif.ts";

export const sarifPath = (out: string): string => join(out, "certificate.sarif");

export const writeSarif = async (out: string, certificate: Certificate): Promise<void> => {
  const documents = new Map<string, DescribingDocument | undefined>();
  for (const { service, provider, document } of certificate.contracts) {
    const file = document ?? provider?.file;
    const described = file === undefined ? ownDocument(service) : givenDocument(file);
    const contract = document === undefined ? undefined : await loadContract(service);
    const rules = contract && { ruleOf: (finding: Finding) => ruleOf(contract, finding) };
    documents.set(service, described && { ...described, ...rules });
  }
  replaceFile(
    sarifPath(out),
    renderSarif(certificate, (service) => documents.get(service)),
  );
};

const ownDocument = (service: string): DescribingDocument => ({
  file: `schemas/${service}/openapi.yaml`,
  isOurs: true,
  lineOf: linesOf(join(schemasFolder(service), "openapi.yaml")),
});

/** Returns `undefined` for a document that is no longer where the run read it. */
const givenDocument = (file: string): DescribingDocument | undefined => {
  if (isAddress(file)) return { file, isOurs: false };
  try {
    const lineOf = linesOf(locationOf(file));
    return { file, isOurs: false, lineOf };
  } catch {
    return undefined;
  }
};

const linesOf = (path: string): LineOf => {
  const source = readSource(path);
  return linesIn(source.text, parseSource(source));
};
