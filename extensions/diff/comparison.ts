/** What the core and other extensions ask about two documents of a service. */
import type { DocumentComparison } from "../../runner/extensions.ts";
import { contractChanges, endOf, wordsOf } from "./contract-changes.ts";
import type { Entry, Reach } from "./entry.ts";
import { reachedOperations } from "./touched.ts";
import { diffOfContracts } from "./upgrade.ts";

export { judgeOfRequests } from "./recorded.ts";

export const changesBetween: DocumentComparison["changesBetween"] = (base, revision, selected) =>
  contractChanges(diffOfContracts(base, revision), base, revision, selected);

export const changedAnswers: DocumentComparison["changedAnswers"] = (base, revision) =>
  diffOfContracts(base, revision).entries.map((entry) => ({
    words: `${entry.fingerprint} ${wordsOf(entry)}`,
    operations: reachedOperations(answersReached(entry), base),
    end: endOf(entry),
    isStatus: entry.rule === "status",
  }));

/** Returns the answers that may change for who reads them. */
const answersReached = ({ judged }: Entry): Reach[] =>
  judged
    .flatMap((one) => (one.class === "compatible" ? [] : one.reach))
    .filter(({ message }) => message !== "request");
