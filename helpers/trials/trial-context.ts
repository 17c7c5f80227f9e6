/** Creates the context in which a trial sends calls and judges responses. */
import type { Contract } from "../contract/contract.ts";
import { type Exchange, isAccepted, isUnanswered, isUnreadable } from "../exchange/exchange.ts";
import type { Call } from "./call.ts";
import { waitOutInterruptions } from "./endurance.ts";
import type { Equipped } from "./equipped.ts";
import type { TrialOccasions } from "./occasions/occasions.ts";
import { noteProbed } from "./probed-resources.ts";
import { createProperty } from "./property.ts";
import { seedOf } from "./seed.ts";
import type { SessionParts } from "./session-parts.ts";
import { noteNames } from "./shown-names.ts";
import { arrangeInSteps, sendInStep } from "./steps.ts";
import { NotTried, TargetLost } from "./stopped.ts";
import type { Depth, Trial, TrialContext } from "./trial.ts";

/** The number of values to try at each depth, and the call budget for shrinking. */
const EFFORT: Readonly<Record<Depth, { runs: number; callBudget: number }>> = {
  quick: { runs: 1, callBudget: 10 },
  standard: { runs: 2, callBudget: 30 },
  exhaustive: { runs: 25, callBudget: 100 },
};

const isJudged = ({ judged = true }: Call, exchange: Exchange): boolean =>
  judged === "refusals" ? !isAccepted(exchange) : judged;

/** Whether the trial chooses the credentials of the call, or leaves them out. */
const setsCredentials = ({ securitySchemes }: Contract, { headers = {}, credentials }: Call): boolean =>
  credentials !== undefined ||
  Object.keys(headers).some((name) =>
    securitySchemes.some(({ header }) => header.toLowerCase() === name.toLowerCase()),
  );

/** Whether a call may be refused because an earlier run sent the same: each run draws other values. */
const mayConflict = (trial: Trial, { operations }: Equipped): boolean =>
  trial.operations.some((id) => operations.get(id)?.responses["409"] !== undefined);

export const trialContext = (
  trial: Trial,
  equipped: Equipped,
  { options, bindings, recorder, clock, sending, endurance, identity }: SessionParts,
  own: {
    readonly receivers: Pick<TrialContext, "receiver" | "secureReceiver">;
    readonly occasions: TrialOccasions;
    /** Whether the rest of the trial is not asked for. */
    hasEnded(): boolean;
  },
): TrialContext => {
  const { contract, validator, operations } = equipped;
  const { receivers, occasions } = own;
  const { judge } = occasions;
  const { target, capabilities, depth } = options;
  const { steps } = options;
  const seed = seedOf(options.seed, `${trial.id}${mayConflict(trial, equipped) ? (options.tag ?? "") : ""}`);
  const arranger = equipped.arrange.inTrial(trial.id);
  const context: TrialContext = {
    contract,
    validator,
    target,
    capabilities,
    depth,
    savesRequests: depth === "quick" || target.permissions.budget !== undefined,
    seed,
    runSeed: options.seed,
    focus: options.focus ?? [],
    tag: options.tag,
    judge,
    arrange: steps === undefined ? arranger : arrangeInSteps(arranger, steps),
    clock,
    property: createProperty({ seed, ...EFFORT[depth] }),
    session: identity,
    bindings,
    ...receivers,
    learn: recorder.learn,
    once: (_, make) => make(context),
    generated: (_, make) => make(),
    outside: (_, ask) => ask(),
    async send(call: Call) {
      if (own.hasEnded()) throw new NotTried("search-ended");
      const operation = operations.get(call.operationId);
      if (operation === undefined) throw new Error(`${trial.id}: no operation ${call.operationId}`);
      const send = () => sending.send(equipped, operation, { ...call, interruptions: "return" });
      const exchange = await waitOutInterruptions(
        operation,
        call,
        steps === undefined ? send : () => sendInStep(steps, call, operation, recorder, send),
        endurance,
        (one) => {
          if (call.shared) return;
          judge.count(one, call.tries ?? call.role, call.judged);
          if (isJudged(call, one)) occasions.observe(one, setsCredentials(contract, call) ? chosen : context);
        },
      );
      noteProbed(identity, operation, call, exchange, bindings);
      noteNames(identity, contract, exchange);
      const { failure } = exchange;
      const isExpected = call.unanswered === "return" || call.abandon === true;
      const says = failure?.message ?? "";
      if (isUnreadable(exchange)) throw new TargetLost("unreadable", says);
      if (exchange.wasKept && !isExpected) throw new NotTried("closed");
      // Missing answers prove nothing about a requirement.
      if (isUnanswered(exchange) && !isExpected)
        throw new TargetLost("unanswered", `no answer${exchange.afterLoss ? ", repeatedly" : ""}: ${says}`);
      if (failure?.reason !== undefined) throw new NotTried(failure.reason);
      return exchange;
    },
  };
  const chosen = { ...context, hasOwnCredentials: true };
  return context;
};
