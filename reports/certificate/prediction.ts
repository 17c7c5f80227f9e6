/**
 * Predicts which verdicts would no longer pass after an upgrade of the document. It compares two runs that are judged
 * by the same contract.
 */
import type { Contract } from "../../helpers/contract/contract.ts";
import { isSame } from "../../helpers/contract/json.ts";
import { grouped } from "../../helpers/contract/once.ts";
import type { EntryClass } from "../../helpers/diff/entry.ts";
import type { BreakingChange, Direction, Upgrade } from "../../helpers/diff/upgrade.ts";
import type { Verdict } from "../../helpers/trials/ledger.ts";
import type { Certificate, CertifiedRequirement } from "./certificate.ts";

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

export interface PredictedChange extends BreakingChange {
  readonly loses: readonly string[];
  /** Why no request shows the change; absent if a verdict is lost. */
  readonly why?: string;
}

export interface Prediction extends Omit<Upgrade, "breaking" | "worst"> {
  readonly format: "prediction/1";
  readonly service: string;
  readonly seed: number;
  readonly depth: Certificate["depth"];
  /** The number of requirements that passed in both runs. */
  readonly kept: number;
  readonly lost: readonly LostVerdict[];
  /** Each breaking change, with the ids of the verdicts that it loses, or the reason why no verdict is lost. */
  readonly breaking: readonly PredictedChange[];
  /** The breaking changes that lose no verdict. */
  readonly unseen: readonly PredictedChange[];
  /** Requirements that fail only because the new document allows more requests. No client loses by that. */
  readonly relaxed: readonly string[];
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
  contract: Pick<Contract, "service" | "requirements" | "rules" | "changes">,
  before: Certificate,
  after: Certificate,
): Prediction => {
  const spokenOf = new Map(contract.requirements.map(({ id, operations }) => [id, operations]));
  const { breaking, worst, ...rest } = upgrade;
  const directions = directionsIn(contract);
  const now = new Map(after.requirements.map((requirement) => [requirement.id, requirement]));
  const passed = before.requirements.filter(({ verdict }) => verdict === "passed");
  /** The operations with findings, or else the operations of the requirement. */
  const operationsOf = ({
    requirement,
    seen,
  }: Pick<LostVerdict, "requirement" | "seen">): readonly string[] =>
    seen.length > 0 ? seen.map(({ operationId }) => operationId) : (spokenOf.get(requirement) ?? []);
  const fallen = passed.flatMap(({ id }): LostVerdict[] => {
    const requirement = now.get(id);
    if (requirement === undefined || requirement.verdict === "passed") return [];
    const seen = after.findings
      .filter((finding) => finding.requirement === id)
      .map(({ operationId, message, curl }) => ({ operationId, message, curl }));
    const reached = operationsOf({ requirement: id, seen });
    const change = WORST_FIRST.find((one) => reached.some((operationId) => worst[operationId] === one));
    const { statement, verdict, reason } = requirement;
    return [{ requirement: id, statement, now: verdict, reason, seen, change: change ?? null }];
  });
  const ofChanges = new Set((contract.changes?.entries ?? []).map(({ requirement }) => requirement));
  const isLostBy = (one: LostVerdict, change: BreakingChange): boolean =>
    ofChanges.has(one.requirement)
      ? one.requirement.endsWith(`.${change.fingerprint}`)
      : isLostAlso(one, change);
  const isLostAlso = (one: LostVerdict, change: BreakingChange): boolean =>
    operationsOf(one).some((id) => change.operations.includes(id)) &&
    (directions.get(one.requirement) ?? change.messages).some((one) => change.messages.includes(one)) &&
    (change.messages.includes("request") || isNamedIn(one, change));
  const isRelaxed = (one: LostVerdict): boolean =>
    one.now === "failed" &&
    isSame(directions.get(one.requirement), ["request"]) &&
    !breaking.some((change) => isLostBy(one, change));
  const lost = fallen.filter((one) => !isRelaxed(one));
  const changes = breaking.map((change): PredictedChange => {
    const loses = lost.filter((one) => isLostBy(one, change)).map(({ requirement }) => requirement);
    return { ...change, loses, ...(loses.length === 0 && { why: whyUnseen(change, before) }) };
  });
  return {
    format: "prediction/1",
    service: contract.service,
    ...rest,
    seed: before.seed,
    depth: before.depth,
    kept: passed.length - fallen.length,
    lost,
    breaking: changes,
    unseen: changes.filter(({ loses }) => loses.length === 0),
    relaxed: fallen.filter(isRelaxed).map(({ requirement }) => requirement),
    unpredicted: before.requirements
      .filter(({ verdict }) => UNPREDICTED.includes(verdict))
      .map(({ id, verdict, reason }) => ({ id, verdict, reason })),
    problems: [...before.problems, ...after.problems],
  };
};

/** Returns the messages that the rules of each requirement are about. */
const directionsIn = ({ rules }: Pick<Contract, "rules">): Map<string, Direction[]> =>
  new Map(
    [...grouped(rules, ({ requirement }) => requirement)].map(([id, own]) => [
      id,
      [...new Set(own.map(({ direction }) => direction))],
    ]),
  );

/** Whether a failure names the changed property of a response. A change without a property may cause any failure. */
const isNamedIn = ({ seen, reason }: LostVerdict, { pointer }: BreakingChange): boolean => {
  const name =
    pointer
      .replaceAll(/\([^)]*\)|\{[^}]*\}/g, "")
      .split("/")
      .at(-1) ?? "";
  const texts = [reason ?? "", ...seen.map(({ message }) => message)];
  return name === "" || name === "*" || texts.some((text) => text.includes(name));
};

const whyUnseen = (change: BreakingChange, before: Certificate): string => {
  const called = before.operations.filter(
    ({ operationId, exchanges }) => exchanges > 0 && change.operations.includes(operationId),
  );
  if (called.length === 0) {
    const names = change.operations.join(", ");
    return `no request was sent to ${names}`;
  }
  return change.messages.includes("request")
    ? "no request that was sent has what the new document refuses"
    : "no response of the sandbox has what the old document refuses";
};

const WORST_FIRST: readonly EntryClass[] = ["breaking", "undecided", "compatible"];

const UNPREDICTED: readonly Verdict[] = ["failed", "advisory", "blocked"];
