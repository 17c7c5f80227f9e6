/** Filters of `npm run requirements`: by section of the document, by level, and by the verdict in a certificate. */
import { Command, Option } from "commander";
import { ConfigurationError } from "../../helpers/target/load-target.ts";
import { STRENGTH, type Verdict } from "../../helpers/trials/ledger.ts";
import type { CertifiedRequirement } from "../../reports/certificate/certificate.ts";
import { readGivenCertificate } from "../../reports/folder/certificate-file.ts";
import type { RegisterRow } from "../../reports/render/register.ts";

const LEVELS = ["documented", "provider", "assumed"] as const;

export interface RequirementFilters {
  readonly section?: string;
  readonly level?: (typeof LEVELS)[number];
  readonly verdict?: Verdict;
  readonly certificate?: string;
}

export const addRequirementFilters = (command: Command): Command =>
  command
    .option("--section <words>", "only requirements whose section contains these words")
    .addOption(new Option("--level <level>", "only this level").choices(LEVELS))
    .addOption(new Option("--verdict <verdict>", "only this verdict of --certificate").choices(STRENGTH))
    .option("--certificate <file>", "a certificate.json: show its verdicts");

/** @throws ConfigurationError when --verdict has no certificate, or the file is not one */
export const filtered = (rows: readonly RegisterRow[], filters: RequirementFilters): RegisterRow[] => {
  const { section, level, verdict, certificate } = filters;
  if (verdict !== undefined && certificate === undefined)
    throw new ConfigurationError("--verdict needs a certificate: give one with --certificate.");
  const verdicts = certificate === undefined ? undefined : verdictsIn(certificate);
  if (verdicts !== undefined && !rows.some(({ id }) => verdicts.has(id)))
    throw new ConfigurationError(`${certificate} has no verdict for any of these requirements.`);
  return rows
    .filter((row) => section === undefined || sectionsOf(row).includes(section.toLowerCase()))
    .filter((row) => level === undefined || row.level === level)
    .map((row) => ({ ...row, ...(verdicts && judged(verdicts.get(row.id))) }))
    .filter((row) => verdict === undefined || row.verdict === verdict);
};

/**
 * Returns the options of the document that the certificate in the arguments is about. They name no server and no key.
 * @throws ConfigurationError for a document that the user has to give
 */
export const documentOfCertificate = (): readonly string[] => {
  const command = addRequirementFilters(new Command());
  command.parseOptions(process.argv.slice(2));
  const { certificate } = command.opts<RequirementFilters>();
  const { document = [] } = certificate === undefined ? {} : readGivenCertificate(certificate);
  const named = document.slice(0, 2);
  if (named.every((text) => !text.includes("$"))) return named;
  throw new ConfigurationError(`The certificate is about ${named[1]}: give it with --document.`);
};

/** `parcel-pickup.md, Senders; Limits` -> `senders; limits` */
const sectionsOf = ({ source }: RegisterRow): string => source.split(", ").slice(1).join(", ").toLowerCase();

const judged = (found: CertifiedRequirement | undefined): Pick<RegisterRow, "verdict" | "reason"> =>
  found === undefined ? {} : { verdict: found.verdict, reason: found.reason };

const verdictsIn = (file: string): ReadonlyMap<string, CertifiedRequirement> =>
  new Map(readGivenCertificate(file).requirements.map((requirement) => [requirement.id, requirement]));
