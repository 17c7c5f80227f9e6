/** The judge of a trial: turns check results into verdicts for the ledger. */
import { createHash } from "node:crypto";
import { fingerprintOf } from "../accept/fingerprint.ts";
import type { Observer } from "../behaviour/observer.ts";
import type { Contract, Operation, Service } from "../contract/contract.ts";
import { responseOf } from "../contract/lookups.ts";
import { getOrInsert, memoize } from "../contract/memoize.ts";
import type { CheckResult } from "../exchange/check-result.ts";
import { type Exchange, isAccepted, type ReceivedResponse, statusOf } from "../exchange/exchange.ts";
import type { Recorder } from "../exchange/recorder.ts";
import type { Delivery } from "../flows/delivery.ts";
import { causeOf, type Reason, rewordedBy } from "../reasons/reason.ts";
import type { Call } from "./call.ts";
import { mayChange } from "./created-resources.ts";
import type { ExecutedStep, Failure, RecordedStep } from "./failure.ts";
import type { LedgerEntry, Observation, OperationCount, TrialResult, Verdict } from "./ledger.ts";

export interface Judge {
  /**
   * Records the result of a check for a requirement, and the exchanges that show it, with the judged exchange first.
   * @param sequence the steps that lead to the result, if no single exchange shows it
   */
  record(
    requirement: string,
    result: CheckResult,
    exchanges: readonly Exchange[],
    sequence?: readonly ExecutedStep[],
  ): void;
  passed(requirement: string, exchanges: readonly Exchange[]): void;
  notTried(requirement: string, reason: Reason): void;
  blocked(requirement: string, reason: Reason): void;
  /**
   * Records how the server behaves if the documents do not define the behaviour; `subject` is the subject of the gap.
   */
  observe(subject: string, operationId: string, observed: string): void;
  /** Observes the deliveries that the trial received. */
  receive(deliveries: readonly Delivery[]): void;
  /** Whether this trial has a verdict for the requirement. */
  hasVerdict(requirement: string): boolean;
  /**
   * Asks a check again with changed copies of its exchanges, to show that the requirements could have been violated.
   * @param check the check as a pure function; a judge for the verdicts that it records itself
   */
  askAgain(
    requirements: readonly string[],
    exchanges: readonly Exchange[],
    check: (
      changed: readonly Exchange[],
      judge: Judge,
    ) => CheckResult | undefined | Promise<CheckResult | undefined>,
  ): Promise<void>;
  /** Notes that the requirements had an occasion, which the caller has seen. */
  sawOccasion(requirements: readonly string[]): void;
  /**
   * Takes back the passes of the requirement unless an occasion was seen, because no check of it could have failed.
   * @param reason names the occasion
   */
  lacksOccasion(requirement: string, reason: Reason): void;
  /**
   * Counts an exchange that took place, and observes its behaviour.
   * @param tried what the request tries
   * @param judged as of the call: a request whose every answer is judged is valid
   */
  count(exchange: Exchange, tried?: string, judged?: Call["judged"]): void;
  result(): TrialResult;
}

/** The maximum number of different failures that a trial stores for each requirement. */
const FAILURES_KEPT = 10;

interface Tally {
  readonly counts: Map<Verdict, number>;
  readonly reasons: Map<Verdict, Reason>;
  /** By fingerprint. */
  readonly failures: Map<string, { readonly verdict: Verdict; readonly failure: Failure }>;
}

/** Indexes a contract once for the judges of all its trials. */
const indexOf = memoize(({ requirements, requirementSet, operations }: Contract) => {
  const levels = new Map(requirements.map(({ id, level }) => [id, level]));
  /** Ids of requirements that were added after the requirement set was frozen. */
  const later = new Set(requirementSet?.later);
  return {
    levels,
    /** Whether a violation of the requirement is an advisory. */
    isAdvisory: (id: string): boolean => later.has(id) || ["assumed", "gap"].includes(levels.get(id) ?? ""),
    operations: new Map(operations.map((operation) => [operation.operationId, operation])),
  };
});

/** @param onFailure receives each new failure at once, for those who tell it while the trial runs */
export const createJudge = (
  contract: Contract,
  trial: { readonly id: string; readonly service: Service; readonly runsAgain?: false },
  recorder: Recorder,
  observer?: Observer,
  onFailure?: (requirement: string, verdict: Verdict, failure: Failure) => void,
): Judge => {
  const { isAdvisory, operations } = indexOf(contract);
  const tallies = new Map<string, Tally>();
  const add = adderTo(tallies, trial.id, contract);
  /** The occasions that requirements lack. */
  const needs = new Map<string, Reason>();
  /** The requirements that had an occasion. */
  const seen = new Set<string>();
  const observations = new Map<string, Observation>();
  const counts = createCounts(recorder);
  const answers = createDifferentAnswers();
  const dependence = createDependence(trial);

  return {
    record(requirement, result, shown, sequence) {
      if (result.holds) return void add(requirement, "passed", shown.length);
      const verdict = result.suspected || isAdvisory(requirement) ? "advisory" : "failed";
      const tally = add(requirement, verdict, shown.length);
      const key = fingerprintOf(requirement, result, shown[0]?.operationId);
      const known = tally.failures.get(key)?.failure;
      if (known ? result.rank === undefined : tally.failures.size >= FAILURES_KEPT) return;
      // A command costs time, and the example of a less plain violation is not shown.
      const hasCommand =
        sequence === undefined && (known === undefined || isPlainer(result.rank, known.rank));
      const failure = {
        trial: trial.id,
        ...recorder.violation(result, shown, hasCommand ? dependence.of(shown) : "steps"),
        ...(sequence && { sequence: sequence.map((step) => recorded(step, recorder)) }),
      };
      tally.failures.set(key, { verdict, failure: known ? plainest(known, failure) : failure });
      if (known === undefined) onFailure?.(requirement, verdict, failure);
    },
    passed: (requirement, shown) => void add(requirement, "passed", shown.length),
    notTried: (requirement, reason) =>
      void add(requirement, "not-tried", 0, rewordedBy(reason, recorder.excerpt)),
    blocked: (requirement, reason) =>
      void add(requirement, "blocked", 0, rewordedBy(reason, recorder.excerpt)),
    observe(subject, operationId, observed) {
      const text = recorder.excerpt(observed);
      observer?.note(subject, operationId, text);
      observations.set(`${subject}\n${operationId}\n${text}`, { subject, operationId, observed: text });
    },
    receive: (deliveries) => observer?.receive(deliveries),
    hasVerdict: (requirement) => tallies.has(requirement),
    askAgain: async () => undefined,
    sawOccasion: (requirements) => requirements.forEach((requirement) => void seen.add(requirement)),
    lacksOccasion: (requirement, reason) => void needs.set(requirement, rewordedBy(reason, recorder.excerpt)),
    count(exchange, tried, judged = true) {
      if (exchange.failure?.kind === "not-allowed") return;
      observer?.see(exchange, tried);
      answers.see(exchange);
      for (const one of oddities(exchange)) observations.set(Object.values(one).join("\n"), one);
      const operation = operations.get(exchange.operationId);
      dependence.see(exchange, operation);
      counts.see(exchange, operation, judged);
    },
    result: () => ({
      ...{ trial: trial.id, service: trial.service, ...counts.result() },
      entries: [...tallies].flatMap(([requirement, tally]) =>
        entriesOf(requirement, tally, seen.has(requirement) ? undefined : needs.get(requirement)),
      ),
      observations: [...observations.values()],
      ...(observer && { behaviour: observer.behaviour(), examples: observer.examples() }),
      answers: answers.digests(),
    }),
  };
};

/** Knows the calls of a trial that may have changed the target. The calls of a generated trial do not depend on others. */
const createDependence = ({ runsAgain }: { readonly runsAgain?: false }) => {
  const changing: Exchange[] = [];
  return {
    see(exchange: Exchange, operation: Operation | undefined): void {
      const isChange = operation === undefined || mayChange(operation);
      if (runsAgain !== false && isChange && changing.length <= MOST_CHANGING) changing.push(exchange);
    },
    /** Returns the calls on which a violation may depend. */
    of: (shown: readonly Exchange[]): Exchange[] =>
      changing.filter(({ id }) => shown.every((one) => one.id !== id)),
  };
};

/** More calls than a command makes. */
const MOST_CHANGING = 10;

/** Returns what is unusual about the JSON of an answer. */
const oddities = ({ operationId, response }: Exchange): Observation[] =>
  (response?.oddities ?? []).map((observed) => ({ subject: "the form of JSON", operationId, observed }));

/** Counts the exchanges of a trial, and the statuses of each operation. */
const createCounts = (recorder: Recorder) => {
  const statuses = new Map<string, OperationCount>();
  /** The first valid request of each operation and status that was not accepted. */
  const refused = new Map<string, Exchange>();
  let [exchanges, billableCalls] = [0, 0];
  return {
    see(exchange: Exchange, operation: Operation | undefined, judged: Call["judged"]): void {
      const { operationId, response } = exchange;
      const status = statusOf(exchange);
      const key = `${operationId} ${status}`;
      const known = statuses.get(key);
      const documented = operation !== undefined && responseOf(operation, status) !== undefined;
      const { observed = 0, valid = 0, refusable = 0 } = known ?? {};
      const isValid = judged === true && response !== undefined;
      exchanges += 1;
      if (operation?.hazards.includes("billable") && isAccepted(exchange)) billableCalls += 1;
      if (isValid && !isAccepted(exchange)) getOrInsert(refused, key, () => exchange);
      statuses.set(key, {
        ...{ ...known, operationId, status, documented, observed: observed + 1 },
        ...(isValid && { valid: valid + 1 }),
        ...(judged === "refusals" && response !== undefined && { refusable: refusable + 1 }),
      });
    },
    result() {
      const all = [...statuses];
      const wereAccepted = new Set(
        all.flatMap(([, one]) => (one.status < 300 && one.valid ? one.operationId : [])),
      );
      const operations = all.map(([key, one]) => {
        const exchange = wereAccepted.has(one.operationId) ? undefined : refused.get(key);
        return exchange === undefined ? one : { ...one, said: saidIn(exchange, recorder) };
      });
      return { exchanges, billableCalls, operations };
    },
  };
};

/** Returns status and start of an answer. It is redacted before it is cut. */
const saidIn = (exchange: Exchange, recorder: Recorder): string => {
  const said = recorder.record(exchange).response?.body.replaceAll(/\s+/g, " ").trim() ?? "";
  return `${statusOf(exchange)} ${said.slice(0, SAID_CHARACTERS)}`.trim();
};

const SAID_CHARACTERS = 200;

/** Returns a function that adds exchanges to a verdict of a requirement. @throws if the contract has no such id */
const adderTo =
  (tallies: Map<string, Tally>, trialId: string, contract: Contract) =>
  (requirement: string, given: Verdict, amount: number, why?: Reason): Tally => {
    const [verdict, reason] = unlessSpent(given, why);
    if (!indexOf(contract).levels.has(requirement)) {
      throw new Error(`${trialId}: no requirement ${requirement} in the register of ${contract.service}`);
    }
    const tally = tallies.get(requirement) ?? { counts: new Map(), reasons: new Map(), failures: new Map() };
    tally.counts.set(verdict, (tally.counts.get(verdict) ?? 0) + amount);
    if (reason !== undefined && !tally.reasons.has(verdict)) tally.reasons.set(verdict, reason);
    tallies.set(requirement, tally);
    return tally;
  };

/** Returns the verdict and its reason; `not-tried` if the budget was used up, also for the call that makes a resource. */
const unlessSpent = (
  verdict: Verdict,
  reason: Reason | undefined,
): readonly [Verdict, Reason | undefined] => {
  const cause = reason && causeOf(reason);
  return cause?.code === "left-out-by-budget" ? ["not-tried", cause] : [verdict, reason];
};

const entriesOf = (requirement: string, tally: Tally, need: Reason | undefined): LedgerEntry[] =>
  [...tally.counts].flatMap(([verdict, exchanges]): LedgerEntry[] => {
    if (verdict === "passed" && need !== undefined)
      return [{ requirement, verdict: "not-tried", exchanges, reason: need }];
    const reason = tally.reasons.get(verdict);
    const entry = { requirement, verdict, exchanges, ...(reason !== undefined && { reason }) };
    const failures = [...tally.failures.values()].filter((one) => one.verdict === verdict);
    if (failures.length === 0) return [entry];
    return failures.map(({ failure }, index) => ({
      ...entry,
      exchanges: index === 0 ? exchanges : 0,
      failure,
    }));
  });

const recorded = ({ exchange, ...step }: ExecutedStep, recorder: Recorder): RecordedStep => ({
  ...step,
  ...(exchange !== undefined && { exchange: recorder.record(exchange) }),
});

/** Returns the plainer example of one kind of violation, which names the other. */
const plainest = (one: Failure, other: Failure): Failure => {
  const [shown, less] = isPlainer(other.rank, one.rank) ? [other, one] : [one, other];
  return { ...shown, also: [...new Set([...(one.also ?? []), less.message])] };
};

const isPlainer = (rank = 0, other = 0): boolean => rank < other;

/** Tells whether a trial got different answers, or the same one each time. More than two tell nothing more. */
const createDifferentAnswers = () => {
  const digests = new Set<string>();
  return {
    see({ response }: Exchange): void {
      if (response !== undefined && digests.size < 2) digests.add(digestOf(response));
    },
    /** Returns the digests of two different answers, or of the only one; an empty list if there was no answer. */
    digests: (): readonly string[] => [...digests],
  };
};

const digestOf = ({ status, body }: ReceivedResponse): string =>
  createHash("sha256").update(`${status}\n`).update(body).digest("base64url");
