/** Completes the certificate at the end of a run, and writes its renderings next to it. */
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import type { Contract } from "../../helpers/contract/contract.ts";
import { bindingsText } from "../../helpers/contract/provider/bindings.ts";
import { visible } from "../../helpers/exchange/visible.ts";
import { replaceFile } from "../../helpers/run/files.ts";
import { harOf } from "../../helpers/traffic/har-writer.ts";
import type { Certificate } from "../certificate/certificate.ts";
import { compareCertificates } from "../certificate/comparison.ts";
import type { Observed } from "../certificate/gaps.ts";
import { byText } from "../order.ts";
import { renderHtml } from "../render/html/page.ts";
import { renderMarkdown } from "../render/markdown.ts";
import { keptBaseline, keptUpgrade } from "./baseline.ts";
import { writeCertificate } from "./certificate-file.ts";

export const signaturePath = (out: string): string => join(out, "certificate.jws");
export const junitPath = (out: string): string => join(out, "junit.xml");

const RENDERINGS: readonly { readonly file: string; render(certificate: Certificate): string }[] = [
  { file: "certificate.html", render: renderHtml },
  { file: "certificate.md", render: renderMarkdown },
];

/**
 * The files beside the certificate that people and programs read, by their paths from its folder. A signature covers
 * them. The folder `service` contains the results about the service in recorded traffic.
 */
const COVERED =
  /^(?:service\/certificate\.json|(?:service\/)?(?:certificate\.(?:html|md|sarif)|junit\.xml|findings\/f-\d+\.har))$/;

/** Returns the digest of each covered file in the folder, by its path from there. */
export const digestsIn = (out: string): Record<string, string> =>
  Object.fromEntries(
    ["", "findings", "service", "service/findings"]
      .flatMap((folder) => namesIn(join(out, folder)).map((name) => posix.join(folder, name)))
      .filter((file) => COVERED.test(file))
      .sort(byText)
      .map((file) => [file, digestOf(join(out, file)) ?? ""]),
  );

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);

/** Returns the digest of a file, as in Subresource Integrity (`sha256-…`); `undefined` when there is no such file. */
export const digestOf = (path: string): string | undefined =>
  statSync(path, { throwIfNoEntry: false })?.isFile()
    ? `sha256-${createHash("sha256").update(readFileSync(path)).digest("base64")}`
    : undefined;

/**
 * Lists what lies beside a certificate and is not signed, by its path from the folder. A folder in which nothing is
 * signed is listed as one, with a slash.
 */
export const unsignedIn = (out: string, signed: readonly string[]): string[] => {
  const known = ["certificate.json", "certificate.jws", ...signed];
  const folders = new Set(signed.flatMap((file) => parentsOf(file)));
  return ["", ...folders].flatMap((folder) =>
    existsSync(join(out, folder))
      ? readdirSync(join(out, folder), { withFileTypes: true })
          .map((entry) => posix.join(folder, entry.isDirectory() ? `${entry.name}/` : entry.name))
          .filter((path) => !known.includes(path) && !folders.has(path.slice(0, -1)) && !isOwnNote(path))
          .sort(byText)
      : [],
  );
};

/** `service/findings/f-1.har` -> `service`, `service/findings` */
const parentsOf = (file: string): string[] => {
  const parts = file.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
};

/** Whether it is the file in which the commands note what they wrote. */
const isOwnNote = (path: string): boolean => path.startsWith(".assay-out.");

/**
 * @param observed the behaviour of the target, if one was tried
 * @returns the certificate as written, with the upgrade and the comparison with the baseline
 */
export const completeResults = (out: string, certificate: Certificate, observed?: Observed): Certificate => {
  const [baseline, since] = [keptBaseline(out), keptUpgrade(out)];
  const whole = { ...certificate, ...observed?.parts };
  const complete = {
    ...whole,
    ...(baseline && { comparison: compareCertificates(baseline, whole, observed?.examples) }),
    ...(since && { since }),
  };
  writeCertificate(out, complete);
  for (const { file, render } of RENDERINGS) replaceFile(join(out, file), render(complete));
  writeArchives(out, complete);
  return complete;
};

/** Writes what the providers' documents are taken to name, so that a person can read and correct it. */
export const writeBindings = (out: string, contracts: readonly Contract[]): void => {
  const bindings = Object.assign({}, ...contracts.map((contract) => contract.bindings));
  if (Object.keys(bindings).length > 0) replaceFile(join(out, "bindings.yaml"), bindingsText(bindings));
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
