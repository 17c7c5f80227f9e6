/** Certifies a server by a document of any API, and tells what the certificate says of its requirements. */
import { writeFile } from "node:fs/promises";
import { test } from "@playwright/test";
import type { CertifiedRequirement } from "../../../../reports/certificate/certificate.ts";
import { type Certified, certify } from "../../../../tests/self/support/command.ts";

export interface Told extends Certified {
  /** The verdicts that are `failed`, `blocked` or `advisory`, each before the id of its requirement, sorted. */
  readonly deviating: readonly string[];
  of(id: string): CertifiedRequirement | undefined;
}

export const FREE = { ALLOW_DESTRUCTIVE: "true" };

/** @param document the path of a file, or a document, whose title becomes the name of the service */
export const certifyDocument = async (
  document: string | object,
  url: string,
  args: readonly string[] = [],
  environment: Record<string, string> = {},
): Promise<Told> => {
  const given = ["--document", await fileOf(document), "--url", url, ...args];
  const certified = await certify(given, environment);
  const { requirements } = certified.certificate;
  const deviating = requirements.filter(({ verdict }) => ["failed", "blocked", "advisory"].includes(verdict));
  return {
    ...certified,
    deviating: deviating.map(({ id, verdict }) => `${verdict} ${id}`).sort(),
    of: (id) => requirements.find((one) => one.id === id),
  };
};

const fileOf = async (document: string | object): Promise<string> => {
  const text = typeof document === "string" ? document : JSON.stringify(document);
  const [, title] = /\btitle"?: ?"?(\w+)/.exec(text) ?? [];
  if (title === undefined) return text;
  const file = test.info().outputPath(`${title.toLowerCase()}.yaml`);
  await writeFile(file, text);
  return file;
};
