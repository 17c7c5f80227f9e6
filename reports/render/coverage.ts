/** How much of the contracts a run tried, and what limited it. Every rendering takes these numbers from here. */
import { baseUrlName } from "../../helpers/target/names.ts";
import type { Certificate, CertifiedRequirement, Summary } from "../certificate/certificate.ts";
import { count, counted, percent } from "../text.ts";

/** Returns the number of requirements that were tried: those with a verdict about the target. */
export const triedIn = ({
  passed,
  failed,
  advisory,
}: Pick<Summary, "passed" | "failed" | "advisory">): number => passed + failed + advisory;

/** `tried 762 of 1,602 (48 %)` */
export const coverageWords = (certificate: Certificate): string => {
  const { summary } = ofTarget(certificate);
  const [tried, all] = [triedIn(summary), summary.requirements];
  return `tried ${count(tried)} of ${count(all)} (${percent(tried, all)})`;
};

/** The services of a certificate that the target does not have: it has no base URL for them. */
const absentIn = ({ contracts, target }: Pick<Certificate, "contracts" | "target">): string[] => {
  const absent = contracts.map(({ service }) => service).filter((one) => target.baseUrls[one] === undefined);
  return absent.length === contracts.length ? [] : absent;
};

/**
 * Returns the certificate without the services that the target does not have, and without the requirements that oblige
 * others. People read and count what is theirs; only certificate.json contains the rest too.
 */
export const ofTarget = (certificate: Certificate): Certificate => {
  const absent = absentIn(certificate);
  const isPresent = ({ service }: { readonly service: string }): boolean => !absent.includes(service);
  const requirements = certificate.requirements.filter(
    (requirement) => isPresent(requirement) && !obligesOthers(requirement),
  );
  const left = certificate.requirements.length - requirements.length;
  const { summary } = certificate;
  return {
    ...certificate,
    contracts: certificate.contracts.filter(isPresent),
    operations: certificate.operations.filter(isPresent),
    requirements,
    summary: { ...summary, requirements: requirements.length, notTried: summary.notTried - left },
  };
};

/** Whether a requirement of the other half, or of listeners of another kind, could not be tried here. */
export const obligesOthers = ({ verdict, reason, code }: CertifiedRequirement): boolean =>
  verdict === "not-tried" &&
  // Certificates of earlier versions have no codes.
  (code === undefined
    ? reason?.startsWith("obliges ") === true
    : code === "obliges-client" || code === "obliges-service");

/** `Not counted: parcels, because PARCELS_BASE_URL is not set.`; empty if the target has all services. */
export const absentWords = (certificate: Certificate): string => {
  const absent = absentIn(certificate);
  if (absent.length === 0) return "";
  const settings = absent.map(baseUrlName).join(" and ");
  return `Not counted: ${absent.join(" and ")}, because ${settings} ${absent.length === 1 ? "is" : "are"} not set.`;
};

/** Returns what limited the run, for example `--operation`; empty for a whole run. */
const limitsOn = ({
  selection,
  shard,
  since,
  budget,
}: Pick<Certificate, "selection" | "shard" | "since" | "budget">): string[] => [
  ...(since ? ["--since"] : []),
  ...(selection?.operations && !selection.excluded && !since ? ["--operation"] : []),
  ...(selection?.excluded ? ["--exclude"] : []),
  ...(selection?.requirements && !since ? ["--requirement"] : []),
  ...(budget?.requests === undefined ? [] : ["--max-requests"]),
  ...(budget?.seconds === undefined ? [] : ["--max-time"]),
  ...(shard && shard.total > 1 ? [`shard ${shard.index} of ${shard.total}`] : []),
];

/** `partial (--operation)`; empty for a whole run. */
export const partialWords = (certificate: Certificate): string => {
  if (!certificate.partial) return "";
  const limits = limitsOn(certificate);
  return limits.length === 0 ? "partial" : `partial (${limits.join(", ")})`;
};

const classesLeftOut = ({ classesLeftOut: share }: NonNullable<Certificate["budget"]>): string =>
  share === undefined ? "" : `, and ${share} % of their classes`;

/** States in one line what a budget left out. The faults of the sandbox are known for the services of the product only. */
export const budgetLines = ({ budget, document }: Pick<Certificate, "budget" | "document">): string[] => {
  if (budget === undefined) return [];
  const left = `budget: ${counted(budget.trialsLeftOut, "trial")} left out`;
  if (document !== undefined) return [left];
  const share = `${budget.faultsLeftOut} % of the faults of the sandbox${classesLeftOut(budget)}`;
  return [`${left}; the run misses about ${share}`];
};
