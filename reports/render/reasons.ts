/** Counts verdicts, and groups requirements by the reason of theirs: by cause, or by what would unlock them. */
import { commandWith } from "../../helpers/contract/code.ts";
import { adviceOf, type SENTENCES } from "../../helpers/reasons/reason.ts";
import { configuration } from "../../helpers/target/names.ts";
import type { Verdict } from "../../helpers/trials/ledger.ts";
import type { Certificate, CertifiedRequirement } from "../certificate/certificate.ts";
import { type Group, groupByTitle, largestFirst } from "../order.ts";
import { asSentence, spaced } from "../text.ts";
import advice from "./advice.json" with { type: "json" };

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
  groupByTitle(requirements, (one) => asSentence(reasonOf(one))).sort(largestFirst);

/** Groups blocked requirements by cause: reasons that differ only in an operation or a number have the same cause. */
export const byCause = ({ operations }: Certificate, blocked: readonly CertifiedRequirement[]) => {
  const ids = new Set(operations.map(({ operationId }) => operationId));
  const causeOf = (reason: string): string =>
    reason.replaceAll(/[\w-]+/g, (word) => (ids.has(word) ? "…" : word)).replaceAll(/\d{5,}/g, "#");
  return groupByTitle(blocked, (requirement) => causeOf(reasonOf(requirement)))
    .map(({ title, items }) => {
      const reasons = new Set(items.map(reasonOf));
      return { title: asSentence(reasons.size === 1 ? ([...reasons][0] ?? title) : title), items };
    })
    .sort(largestFirst);
};

/** In the order of the page. What the reader can change comes first. */
export const ADVICE: readonly Readonly<Record<"code" | "title" | "says", string>>[] = Object.entries(
  advice satisfies Readonly<Record<keyof typeof SENTENCES, unknown>>,
).map(([code, { title, says }]) => ({
  ...{ code, title },
  says: says.replaceAll(/\{(\w+)\}/g, (_, name) => commandWith(name)),
}));

/** Returns the advice for a requirement; `undefined` if the certificate is of an earlier version, which has no codes. */
export const adviceFor = (
  { half }: Pick<Certificate, "half">,
  { code }: CertifiedRequirement,
): (typeof ADVICE)[number] | undefined => {
  const own = adviceOf(code, half === "caller" || half === "listener");
  return ADVICE.find((one) => one.code === own);
};

/** Returns the configuration names in a reason, with their meanings. */
export const namesIn = (reason: string): { readonly name: string; readonly meaning: string }[] => {
  const words = new Set(reason.match(/\w+/g));
  return configuration()
    .filter(({ name }) => words.has(name))
    .map(({ name, meaning }) => ({ name, meaning }));
};

/** Returns the one setting that would unlock a requirement; if there is none, the advice in a sentence. */
const unlockingOf = (certificate: Certificate, requirement: CertifiedRequirement): string => {
  const reason = reasonOf(requirement);
  const [, option] = /\bgive (--(?:id|header|key) .+)/.exec(reason) ?? [];
  if (option !== undefined) return `Give ${option}`;
  const [setting] = namesIn(reason);
  if (setting !== undefined) return `Set ${setting.name}: ${setting.meaning}`;
  const found = adviceFor(certificate, requirement);
  return found === undefined ? asSentence(reason) : `${found.title}. ${found.says.split(/(?<=\.) /)[0]}`;
};

/** Groups the untried requirements, the largest group first. */
export const unlockings = (certificate: Certificate): Group<CertifiedRequirement>[] =>
  groupByTitle(withVerdict(certificate, "not-tried"), (requirement) =>
    unlockingOf(certificate, requirement),
  ).sort(largestFirst);
