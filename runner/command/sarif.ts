/** `--sarif`: writes `certificate.sarif` next to the certificate. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isInGit, locationOf } from "../../helpers/contract/git-source.ts";
import { schemasFolder } from "../../helpers/contract/services.ts";
import { readSource } from "../../helpers/contract/source-file.ts";
import { replaceFile } from "../../helpers/run/files.ts";
import type { Certificate } from "../../reports/certificate/certificate.ts";
import { type DescribingDocument, renderSarif } from "../../reports/render/sarif.ts";

export const sarifPath = (out: string): string => join(out, "certificate.sarif");

export const writeSarif = (out: string, certificate: Certificate): void => {
  const documentOf = (service: string): DescribingDocument | undefined => {
    const file = certificate.contracts.find((one) => one.service === service)?.provider?.file;
    return file === undefined ? ownDocument(service) : providerDocument(file);
  };
  replaceFile(sarifPath(out), renderSarif(certificate, documentOf));
};

const ownDocument = (service: string): DescribingDocument => ({
  file: `schemas/${service}/openapi.yaml`,
  isOurs: true,
  text: readFileSync(join(schemasFolder(service), "openapi.yaml"), "utf8"),
});

/** Returns `undefined` for a document that is no longer where the run read it. */
const providerDocument = (file: string): DescribingDocument | undefined => {
  try {
    const { text } = readSource(locationOf(file));
    return { file: isInGit(file) ? file.replace(/^git:[^:]*:/, "") : file, isOurs: false, text };
  } catch {
    return undefined;
  }
};
