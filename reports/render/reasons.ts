/** Counts verdicts, and groups requirements by the reason of theirs: by cause, or by what would unlock them. */
import { commandWith } from "../../helpers/contract/code.ts";
import { configuration } from "../../helpers/target/names.ts";
import type { Verdict } from "../../helpers/trials/ledger.ts";
import type { Certificate, CertifiedRequirement } from "../certificate/certificate.ts";
import { type Group, groupByTitle, largestFirst } from "../order.ts";
import { spaced } from "../text.ts";
import advice from "./advice.json" with { type: "json" };
import { plainReason } from "./plain-reason.ts";

/** In the order of the report. */
const VERDICTS: readonly Verdict[] = ["passed", "failed", "advisory", "blocked", "not-tried"];

/** Counts the requirements with each verdict. */
export const tally = (requirements: readonly CertifiedRequirement[]) =>
  VERDICTS.map((verdict) => ({
    verdict,
    label: spaced(verdict),
    amount: requirements.filter((requirement) => requirement.verdict === verdict).length,
  }));

export const withVerdict = ({ requirements }: Certificate, verdict: Verdict): CertifiedRequirement[] =>
  requirements.filter((requirement) => requirement.verdict === verdict);

export const reasonOf = ({ reason }: CertifiedRequirement): string => reason ?? "no reason given";

/** Groups requirements by the reason of their verdict, the most frequent reason first. */
export const byReason = (requirements: readonly CertifiedRequirement[]): Group<CertifiedRequirement>[] =>
  groupByTitle(requirements, (one) => plainReason(reasonOf(one))).sort(largestFirst);

/** Groups blocked requirements by cause: reasons that differ only in an operation or a number have the same cause. */
export const byCause = ({ operations }: Certificate, blocked: readonly CertifiedRequirement[]) => {
  const ids = new Set(operations.map(({ operationId }) => operationId));
  const causeOf = (reason: string): string =>
    reason.replaceAll(/[\w-]+/g, (word) => (ids.has(word) ? "…" : word)).replaceAll(/\d{5,}/g, "#");
  return groupByTitle(blocked, (requirement) => causeOf(reasonOf(requirement)))
    .map(({ title, items }) => {
      const reasons = new Set(items.map(reasonOf));
      return { title: plainReason(reasons.size === 1 ? ([...reasons][0] ?? title) : title), items };
    })
    .sort(largestFirst);
};

const OTHERWISE = "Check the target's responses";

/** Advice for each group of reasons, in the order of the page. The groups that the reader can change come first. */
export const ADVICE: readonly { readonly title: string; readonly pattern?: string; readonly says: string }[] =
  advice.map((row) => ({ ...row, says: row.says.replaceAll(/\{(\w+)\}/g, (_, name) => commandWith(name)) }));

const PATTERNS = ADVICE.flatMap(({ title, pattern }) =>
  pattern === undefined ? [] : [{ title, pattern: new RegExp(pattern) }],
);

/** Returns the title of the advice for a reason. */
export const adviceFor = (reason: string): string =>
  PATTERNS.find(({ pattern }) => pattern.test(reason))?.title ?? OTHERWISE;

/** Returns the configuration names in a reason, with their meanings. */
export const namesIn = (reason: string): { readonly name: string; readonly meaning: string }[] => {
  const words = new Set(reason.match(/\w+/g));
  return configuration()
    .filter(({ name }) => words.has(name))
    .map(({ name, meaning }) => ({ name, meaning }));
};

/** Returns the one setting that would unlock a requirement; if there is none, the advice in a sentence. */
const unlockingOf = (reason: string): string => {
  const [, option] = /\bgive (--(?:id|header|key) .+)/.exec(reason) ?? [];
  if (option !== undefined) return `Give ${option}`;
  const [setting] = namesIn(reason);
  if (setting !== undefined) return `Set ${setting.name}: ${setting.meaning}`;
  const title = adviceFor(reason);
  const says = ADVICE.find((one) => one.title === title)?.says.split(/(?<=\.) /)[0] ?? "";
  return `${title}. ${says}`;
};

/** Groups the untried requirements, the largest group first. */
export const unlockings = (certificate: Certificate): Group<CertifiedRequirement>[] =>
  groupByTitle(withVerdict(certificate, "not-tried"), (requirement) =>
    unlockingOf(reasonOf(requirement)),
  ).sort(largestFirst);
