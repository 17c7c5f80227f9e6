/** Reads and writes `certificate.json`. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { visible } from "../helpers/exchange/visible.ts";
import { fileProblem } from "../helpers/run/file-problem.ts";
import { readJson, replaceFile } from "../helpers/run/files.ts";
import type { Certificate } from "./certificate.ts";

export const certificatePath = (out: string): string => join(out, "certificate.json");

export const writeCertificate = (out: string, certificate: Certificate): void => {
  mkdirSync(out, { recursive: true });
  replaceFile(certificatePath(out), `${visible(JSON.stringify(certificate, null, 2))}\n`);
};

/** Returns `undefined` when there is no certificate. */
export const readCertificate = (out: string): Certificate | undefined => {
  try {
    return readJson(certificatePath(out));
  } catch (error) {
    throw new Error(`${certificatePath(out)} can't be read as a certificate: ${fileProblem(error)}`);
  }
};
