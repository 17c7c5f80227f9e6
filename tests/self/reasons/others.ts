/** An input for each code that no trial on the sandbox gives in a changed world: it returns the code that is given. */
import type { Requirement } from "../../../helpers/contract/contract.ts";
import { because } from "../../../helpers/reasons/reason.ts";
import type { LedgerEntry } from "../../../helpers/trials/ledger.ts";
import type { RunInfo } from "../../../helpers/trials/run-info.ts";
import { buildCertificate } from "../../../reports/certificate/build.ts";
import type { RunFacts } from "../../../reports/certificate/certificate.ts";
import { contract, entry, facts, requirement, runInfo, trialResult } from "../reports/reports-data.ts";

const A = "card-enrollment.a";

/** Certifies the requirement `a`. */
const certified = (given: {
  readonly requirement?: Partial<Requirement>;
  readonly run?: Partial<RunInfo>;
  readonly entries?: readonly LedgerEntry[];
  readonly facts?: Partial<RunFacts>;
  readonly isLater?: true;
}): string | undefined => {
  const later = { version: "1.0.0", digest: "sha256-11", requirements: 0, later: [A], gone: [] };
  const own = contract([requirement("a", given.requirement)]);
  const certificate = buildCertificate(
    runInfo(given.run),
    [given.isLater ? { ...own, requirementSet: later } : own],
    [trialResult(given.entries ?? [])],
    facts(given.facts),
  );
  return certificate.requirements[0]?.code;
};

const trial = (state: RunFacts["trials"][number]["state"]) => ({
  trials: [{ trial: "t", requirements: [A], state }],
});
const spent = because("lacks-resource", "card", because("left-out-by-budget"));

export const OTHERS: Readonly<Record<string, () => string | undefined>> = {
  "left-out-by-budget": () => certified({ entries: [{ ...entry("a", "not-tried"), reason: spent }] }),
  "not-selected": () => certified({ run: { selection: { operations: ["getCard"] } } }),
  "other-shard": () => certified({ run: { shard: { index: 1, total: 2 } } }),
  "no-base-url": () => certified({ run: { untested: { "card-enrollment": because("no-base-url", "URL") } } }),
  "obliges-client": () => certified({ requirement: { subject: "client" } }),
  "not-observable": () => certified({ requirement: { observable: "not-observable" } }),
  "no-trial": () => certified({}),
  "no-verdict": () => certified({ facts: trial("finished") }),
  "not-finished": () => certified({ facts: trial("planned") }),
  "added-later": () => certified({ isLater: true, entries: [entry("a", "failed")] }),
};
