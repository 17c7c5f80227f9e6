/** `assay`: the services and their certificates, for programs. */
import { services as all } from "../helpers/contract/services.ts";
import { readCertificate as read } from "../reports/folder/certificate-file.ts";
import { shapeComplaint } from "../reports/folder/certificate-shape.ts";
import type { Certificate } from "./certificate.ts";

export type { Certificate, CertifiedRequirement, Finding, Verdict } from "./certificate.ts";

/** Returns the names of all services. */
export const services = (): string[] => all();

/**
 * Reads the certificate in the results of a run.
 * @param folder the folder that was given with `--out`
 * @throws Error when there is no complete certificate
 */
export const readCertificate = (folder: string): Certificate => {
  const certificate = read(folder);
  const complaint = certificate === undefined ? "there is none" : shapeComplaint(certificate);
  if (certificate === undefined || complaint !== undefined) {
    throw new Error(`${folder} contains no complete certificate: ${complaint}.`);
  }
  return certificate;
};
