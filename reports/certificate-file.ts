/** Keeps `certificate.json`, such that a reader never meets half of it. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Certificate } from "./certificate.ts";

export const certificatePath = (out: string): string => join(out, "certificate.json");

/** Written aside and renamed. Synchronous, so that a run that is being ended still completes it. */
export const writeCertificate = (out: string, certificate: Certificate): void => {
  mkdirSync(out, { recursive: true });
  const path = certificatePath(out);
  const aside = `${path}.${process.pid}`;
  writeFileSync(aside, `${JSON.stringify(certificate, null, 2)}\n`);
  renameSync(aside, path);
};

/** So that the certificate of an earlier run is never taken for this one's. */
export const removeCertificate = (out: string): void => rmSync(certificatePath(out), { force: true });

/** `undefined` when there is none. */
export const readCertificate = (out: string): Certificate | undefined => {
  try {
    return JSON.parse(readFileSync(certificatePath(out), "utf8")) as Certificate;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new Error(`${certificatePath(out)} can't be read as a certificate: ${(error as Error).message}`);
  }
};
