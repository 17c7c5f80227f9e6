/** Groups requirements that were not tried by what would unlock them: one setting, or one piece of advice. */
import { commandWith } from "../../helpers/contract/code.ts";
import { configuration } from "../../helpers/target/names.ts";
import type { Certificate, CertifiedRequirement } from "../certificate/certificate.ts";
import { type Group, grouped, largestFirst } from "../order.ts";
import advice from "./advice.json" with { type: "json" };
import { reasonOf, withVerdict } from "./certificate-text.ts";

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
  const [setting] = namesIn(reason);
  if (setting !== undefined) return `Set ${setting.name}: ${setting.meaning}`;
  const title = adviceFor(reason);
  const [says = ""] = ADVICE.flatMap((one) =>
    one.title === title ? [one.says.split(/(?<=\.) /)[0] ?? ""] : [],
  );
  return `${title}. ${says}`;
};

/** Groups the untried requirements, the largest group first. */
export const unlockings = (certificate: Certificate): Group<CertifiedRequirement>[] =>
  grouped(withVerdict(certificate, "not-tried"), (requirement) => unlockingOf(reasonOf(requirement))).sort(
    largestFirst,
  );
