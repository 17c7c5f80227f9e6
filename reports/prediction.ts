/**
 * Predicts which verdicts would no longer pass after an upgrade of the document. It compares two runs that are judged
 * by the same contract.
 */
import type { Contract } from "../helpers/contract/contract.ts";
import type { EntryClass } from "../helpers/diff/entry.ts";
import type { BreakingChange, Upgrade } from "../helpers/diff/upgrade.ts";
import type { Verdict } from "../helpers/trials/ledger.ts";
import type { Certificate, CertifiedRequirement } from "./certificate.ts";
import { whatOf, whereOf } from "./diff/words.ts";
import { cut } from "./text.ts";

export interface LostVerdict {
  readonly requirement: string;
  readonly statement: string;
  /** The verdict on the sandbox of the new document. The verdict on the sandbox of the old document is `passed`. */
  readonly now: Verdict;
  readonly reason: string | null;
  /**
   * The most severe class of change that affects the operations of the requirement. A compatible change may change the
   * verdict, but does not break clients. `null` if no change affects these operations, because they depend on other
   * operations.
   */
  readonly change: EntryClass | null;
  /** The distinct failures; empty when nothing failed. */
  readonly seen: readonly { readonly operationId: string; readonly message: string; readonly curl: string }[];
}

export interface Prediction extends Omit<Upgrade, "breaking" | "worst"> {
  readonly format: "prediction/1";
  readonly service: string;
  readonly seed: number;
  readonly depth: Certificate["depth"];
  /** The number of requirements that passed in both runs. */
  readonly kept: number;
  readonly lost: readonly LostVerdict[];
  /**
   * Breaking changes of operations for which every verdict still passes, because the runs did not exercise the changed
   * part.
   */
  readonly unseen: readonly BreakingChange[];
  /** Requirements that were tried on the old document and did not pass: no prediction is possible. */
  readonly unpredicted: readonly Pick<CertifiedRequirement, "id" | "verdict" | "reason">[];
  /** Problems of the two runs. */
  readonly problems: readonly string[];
}

/**
 * @param contract the contract by which both runs were judged
 * @param before the certificate of the sandbox with the old document; `after` is the certificate of the sandbox with
 * the new document
 */
export const predictionOf = (
  upgrade: Upgrade,
  contract: Pick<Contract, "service" | "requirements">,
  before: Certificate,
  after: Certificate,
): Prediction => {
  const spokenOf = new Map(contract.requirements.map(({ id, operations }) => [id, operations]));
  const { breaking, worst, ...rest } = upgrade;
  const now = new Map(after.requirements.map((requirement) => [requirement.id, requirement]));
  const passed = before.requirements.filter(({ verdict }) => verdict === "passed");
  const shown = new Set<string>();
  const lost = passed.flatMap(({ id }): LostVerdict[] => {
    const requirement = now.get(id);
    if (requirement === undefined || requirement.verdict === "passed") return [];
    const seen = after.findings
      .filter((finding) => finding.requirement === id)
      .map(({ operationId, message, curl }) => ({ operationId, message, curl }));
    // The operations with findings, or else the operations of the requirement.
    const reached = seen.length > 0 ? seen.map(({ operationId }) => operationId) : (spokenOf.get(id) ?? []);
    for (const operationId of reached) shown.add(operationId);
    const change = WORST_FIRST.find((one) => reached.some((operationId) => worst[operationId] === one));
    const { statement, verdict, reason } = requirement;
    return [{ requirement: id, statement, now: verdict, reason, seen, change: change ?? null }];
  });
  return {
    format: "prediction/1",
    service: contract.service,
    ...rest,
    seed: before.seed,
    depth: before.depth,
    kept: passed.length - lost.length,
    lost,
    unseen: breaking.filter((change) => !change.operations.some((id) => shown.has(id))),
    unpredicted: before.requirements
      .filter(({ verdict }) => UNPREDICTED.includes(verdict))
      .map(({ id, verdict, reason }) => ({ id, verdict, reason })),
    problems: [...before.problems, ...after.problems],
  };
};

const WORST_FIRST: readonly EntryClass[] = ["breaking", "undecided", "compatible"];

const UNPREDICTED: readonly Verdict[] = ["failed", "advisory", "blocked"];

/** Returns text that ends with a line feed. */
export const renderPrediction = (prediction: Prediction): string => {
  const { service, old: base, new: revision, kept, lost, unseen, unpredicted, problems } = prediction;
  const width = Math.max(0, ...lost.map(({ requirement }) => requirement.length));
  const rows = lost.map(({ requirement, now, change, ...more }) =>
    `  ${requirement.padEnd(width)}  passed → ${now.padEnd(9)}  ${(change ?? "").padEnd(10)}  ${whyOf(more)}`.trimEnd(),
  );
  const counts = [
    `${kept} ${kept === 1 ? "verdict" : "verdicts"} kept`,
    `${lost.length} lost`,
    ...(unseen.length > 0 ? [`${unseen.length} breaking changes that no verdict shows`] : []),
    ...(unpredicted.length > 0 ? [`${unpredicted.length} that did not pass on ${base.version} either`] : []),
  ];
  return [
    `${service}: a client certified against ${base.version}, on a sandbox of ${revision.version}`,
    ...rows,
    ...unseen.map(
      (change) =>
        `  ${change.fingerprint} is a breaking change that no verdict shows: ${whereOf(change)}: ${whatOf(change)}`,
    ),
    counts.join(", "),
    ...problems.map((problem) => `incomplete: ${problem}`),
    "",
  ].join("\n");
};

const LONGEST = 160;

const whyOf = ({ seen: [first], reason }: Pick<LostVerdict, "seen" | "reason">): string => {
  const text = first === undefined ? (reason ?? "") : `${first.operationId}: ${first.message}`;
  const [line = ""] = text.split("\n", 1);
  return cut(line, LONGEST);
};
