/** Completes the certificate at the end of a run, and writes its renderings next to it. */
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { visible } from "../helpers/exchange/visible.ts";
import { replaceFile } from "../helpers/run/files.ts";
import { harOf } from "../helpers/traffic/har-writer.ts";
import { renderBadge } from "./badge.ts";
import { keptBaseline, keptUpgrade } from "./baseline.ts";
import type { Observed } from "./behaviour.ts";
import type { Certificate } from "./certificate.ts";
import { writeCertificate } from "./certificate-file.ts";
import { compareCertificates } from "./comparison.ts";
import { renderHtml } from "./html/page.ts";
import { renderMarkdown } from "./markdown.ts";

export const signaturePath = (out: string): string => join(out, "certificate.jws");
export const junitPath = (out: string): string => join(out, "junit.xml");

const RENDERINGS: readonly { readonly file: string; render(certificate: Certificate): string }[] = [
  { file: "certificate.html", render: renderHtml },
  { file: "certificate.md", render: renderMarkdown },
  { file: "badge.svg", render: renderBadge },
];

/** The files beside the certificate that people and programs read. A signature covers them. */
export const COVERED = [...RENDERINGS.map(({ file }) => file), "junit.xml"] as const;

/** Returns the digest of each covered file in the folder, as in Subresource Integrity: `sha256-…`. */
export const digestsIn = (out: string): Record<string, string> =>
  Object.fromEntries(
    COVERED.filter((file) => existsSync(join(out, file))).map((file) => [
      file,
      `sha256-${createHash("sha256")
        .update(readFileSync(join(out, file)))
        .digest("base64")}`,
    ]),
  );

/**
 * @param observed the behaviour of the target, if one was tried
 * @returns the certificate as written, with the upgrade and the comparison with the baseline
 */
export const completeResults = (out: string, certificate: Certificate, observed?: Observed): Certificate => {
  const [baseline, since] = [keptBaseline(out), keptUpgrade(out)];
  const whole = { ...certificate, ...observed?.parts };
  const complete = {
    ...whole,
    ...(baseline && { comparison: compareCertificates(baseline, whole, observed?.evidence) }),
    ...(since && { since }),
  };
  writeResults(out, complete);
  writeArchives(out, complete);
  return complete;
};

/** Writes the certificate and its renderings. */
export const writeResults = (out: string, certificate: Certificate): void => {
  writeCertificate(out, certificate);
  for (const { file, render } of RENDERINGS) replaceFile(join(out, file), render(certificate));
};

/** Writes the exchanges of each finding as an HTTP archive. */
const writeArchives = (out: string, { findings }: Certificate): void => {
  const folder = join(out, ARCHIVES);
  if (findings.length > 0) mkdirSync(folder, { recursive: true });
  for (const { id, exchanges, sequence = [] } of findings) {
    const steps = sequence.flatMap(({ exchange }) => exchange ?? []);
    replaceFile(join(folder, `${id}.har`), visible(harOf(steps.length > 0 ? steps : exchanges)));
  }
};

/** The folder of the archives, next to the certificate. */
const ARCHIVES = "findings";

/**
 * Appends the summary to the file that GitHub Actions provides, if any.
 * @throws Error when the file can't be written
 */
export const appendStepSummary = (certificate: Certificate): void => {
  const file = process.env.GITHUB_STEP_SUMMARY;
  if (file) appendFileSync(file, renderMarkdown(certificate));
};
