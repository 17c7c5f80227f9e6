/** Reads and writes `certificate.json`, and reads certificates that the user names. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileProblem } from "../../helpers/contract/documents/file-problem.ts";
import { jsonText } from "../../helpers/exchange/visible.ts";
import { readJson, replaceFile } from "../../helpers/run/files.ts";
import { ConfigurationError, readGiven } from "../../helpers/target/load-target.ts";
import type { Certificate } from "../certificate/certificate.ts";
import { formatComplaint, shapeComplaint } from "./certificate-shape.ts";

export const certificatePath = (out: string): string => join(out, "certificate.json");

export const writeCertificate = (out: string, certificate: Certificate): void => {
  mkdirSync(out, { recursive: true });
  replaceFile(certificatePath(out), `${jsonText(certificate, 2)}\n`);
};

/** Returns `undefined` when there is no certificate. */
export const readCertificate = (out: string): Certificate | undefined => {
  try {
    return readJson(certificatePath(out));
  } catch (error) {
    throw new Error(`${certificatePath(out)} can't be read as a certificate: ${fileProblem(error)}`);
  }
};

/** @throws ConfigurationError when the file is not a complete certificate */
export const readGivenCertificate = (file: string): Certificate =>
  parsedCertificate(readGiven("The certificate", file), file);

/**
 * @param name names the file in errors
 * @param objection returns why the caller can't use a certificate, even if it is complete
 * @throws ConfigurationError when the text is not a complete certificate, or for an objection
 */
export const parsedCertificate = (
  text: string,
  name: string,
  objection: (given: Certificate) => string | undefined = () => undefined,
): Certificate => {
  let given: Certificate;
  try {
    given = JSON.parse(text) as Certificate;
  } catch (error) {
    throw new ConfigurationError(`${name} is not JSON: ${(error as Error).message}.`);
  }
  const complaint = formatComplaint(given) ?? objection(given);
  if (complaint !== undefined) throw new ConfigurationError(`${name} ${complaint}.`);
  const lacking = shapeComplaint(given);
  if (lacking === undefined) return given;
  throw new ConfigurationError(`${name} is not a complete certificate: ${lacking}.`);
};
