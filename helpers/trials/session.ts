/** A session runs trials against one target. It owns the client, the arranged resources and the recorder. */
import { createObserver } from "../behaviour/observer.ts";
import type { Exchange, RecordedExchange } from "../exchange/exchange.ts";
import { UnsendableError } from "../exchange/failure.ts";
import { NoValue } from "../generate/later.ts";
import { because, type Reason, rewordedBy } from "../reasons/reason.ts";
import { cleanUp, type Leftover } from "./clean-up.ts";
import { crashReason } from "./crash.ts";
import { type CreatedResource, isSame } from "./created-resources.ts";
import { type Equipped, equipContract } from "./equipped.ts";
import { createJudge, type Judge } from "./judge.ts";
import type { TrialResult } from "./ledger.ts";
import { type SessionOptions, sessionParts } from "./session-parts.ts";
import { judgeInSteps } from "./steps.ts";
import { NotArranged, NotTried, TargetLost } from "./stopped.ts";
import type { Trial } from "./trial.ts";
import { trialContext } from "./trial-context.ts";
import { fairToUsed } from "./used-items.ts";

export interface Session {
  /** Runs a trial. It does not throw if the trial fails; the result then has `blocked` verdicts. */
  run(trial: Trial): Promise<TrialResult>;
  /** Redacts an exchange of the session, so that it may be shown. */
  record(exchange: Exchange): RecordedExchange;
  /** Removes the resources that the run created. The removal needs no permission. @returns the remaining resources */
  cleanUp(made: readonly CreatedResource[]): Promise<Leftover[]>;
  /** Stops sending, and waits for responses to calls that may create resources. */
  close(): Promise<void>;
}

export const openSession = (options: SessionOptions): Session => {
  const parts = sessionParts(options);
  const { recorder, client, sending } = parts;
  const byService = new Map(
    options.contracts.map((contract) => [contract.service, equipContract(contract, parts)]),
  );
  return {
    async run(trial) {
      const equipped = byService.get(trial.service);
      if (equipped === undefined)
        throw new Error(`${trial.id}: the contract of ${trial.service} is not loaded`);
      const observer = options.isObserved
        ? createObserver(equipped.contract, trial.id, recorder, options.isComparable)
        : undefined;
      const own = createJudge(equipped.contract, trial, recorder, observer);
      const fair = fairToUsed(own, trial, parts.options.capabilities);
      const ending = endingAt(options.until, fair);
      const occasions = parts.occasions.inTrial(
        trial,
        equipped.contract,
        options.steps === undefined ? ending.judge : judgeInSteps(ending.judge, options.steps, recorder),
      );
      const { judge } = occasions;
      const { close, ...receivers } = parts.receivers.inTrial(trial);
      const { hasEnded } = ending;
      const context = trialContext(trial, equipped, parts, { receivers, occasions, hasEnded });
      const problem = await attempt(trial, () => trial.run(occasions.recorded(context)));
      const deliveries = await close();
      if (deliveries !== undefined) own.receive(deliveries);
      if (problem?.verdict !== "blocked") {
        await occasions.runAgain(context);
        occasions.close();
      }
      settle(trial, judge, problem);
      const { trace, isUnarranged, reason } = problem ?? {};
      return {
        ...judge.result(),
        ...(isUnarranged &&
          reason && {
            unarranged: { operations: trial.operations, reason: rewordedBy(reason, recorder.redact) },
          }),
        ...(trace !== undefined && { crash: recorder.redact(trace) }),
      };
    },
    record: recorder.record,
    async cleanUp(made) {
      const left = await cleanUp(made, {
        equipped: (service) => byService.get(service) as Equipped,
        // The run created these resources itself, so the removal is not a hazard.
        send: (operation, call) =>
          sending.send(byService.get(operation.service) as Equipped, { ...operation, hazards: [] }, call),
      });
      // What went with another resource, or was gone before, had no accepted removal of its own.
      for (const one of made)
        if (!left.some((other) => isSame(one, other))) options.onChange?.({ removed: one });
      return left;
    },
    async close() {
      await sending.end();
      await client.close();
      await parts.receivers.close();
    },
  };
};

/** Returns the judge, which also notes whether the requirement was violated. */
const endingAt = (requirement: string | undefined, judge: Judge) => {
  if (requirement === undefined) return { judge, hasEnded: () => false };
  let isViolated = false;
  const record: Judge["record"] = (id, result, ...shown) => {
    judge.record(id, result, ...shown);
    isViolated ||= id === requirement && !result.holds;
  };
  return { judge: { ...judge, record }, hasEnded: () => isViolated };
};

/** Gives a verdict to each requirement of a trial that has none yet. */
const settle = ({ requirements }: Trial, judge: Judge, problem: Problem | undefined): void => {
  for (const requirement of requirements) {
    // A trial that stopped early blocks all its requirements, even requirements that have a verdict.
    if (problem?.verdict === "blocked") judge.blocked(requirement, problem.reason);
    else if (!judge.hasVerdict(requirement))
      judge.notTried(requirement, problem?.reason ?? because("untested"));
  }
};

interface Problem {
  readonly verdict: "not-tried" | "blocked";
  readonly reason: Reason;
  /** Whether the target's answers did not give what the trial needs. */
  readonly isUnarranged?: boolean;
  /** The stack trace, if the suite itself failed. */
  readonly trace?: string;
}

/** Runs a trial; returns a problem of the set-up, the target or the suite; `undefined` when the trial finished. */
const attempt = async ({ service, id }: Trial, run: () => Promise<void>): Promise<Problem | undefined> => {
  try {
    await run();
    return undefined;
  } catch (error) {
    if (error instanceof NotTried)
      return { verdict: "not-tried", reason: error.reason, isUnarranged: error instanceof NotArranged };
    // The target gave the value: the trials themselves send only what HTTP can express.
    if (error instanceof UnsendableError)
      return { verdict: "blocked", reason: because("unanswered", error.message) };
    if (error instanceof TargetLost) return { verdict: "blocked", reason: error.reason };
    // Schemas may contradict themselves, and some need a value that is hard to find.
    if (error instanceof NoValue) return { verdict: "not-tried", reason: because("no-value", error.message) };
    const trace = (error as Partial<Error> | undefined)?.stack ?? String(error);
    return { verdict: "blocked", reason: crashReason(service, id), trace };
  }
};
