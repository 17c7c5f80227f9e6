/** Verdicts on what only a target that uses the assumed names can be blamed for. */
import {
  answered,
  operationOf,
  parameterOf,
  type Resources,
  valueFor,
  type Wanted,
} from "../../fixtures/financial-data-calls.ts";
import { type CheckResult, HOLDS, violation } from "../../helpers/checks/check.ts";
import { checkAccepted } from "../../helpers/checks/refusal.ts";
import { type Exchange, isAccepted, statusOf } from "../../helpers/exchange/exchange.ts";
import { NotTried, type TrialContext } from "../../helpers/trials/trial.ts";
import { id } from "./trial.ts";

interface Finding {
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
}

const HINT = "give the provider's document with --contract financial-data=FILE";

/**
 * @param suffix of the requirement
 * @param certain whether the names that it hangs on are known to be the target's
 */
export const conclude = (
  { judge }: TrialContext,
  suffix: string,
  {
    holds,
    certain,
    finding,
  }: { readonly holds: boolean; readonly certain: boolean; readonly finding: Finding },
  exchanges: readonly Exchange[],
): void => {
  if (holds) judge.record(id(suffix), HOLDS, exchanges);
  else if (certain) judge.record(id(suffix), violation({ pointer: "", ...finding }), exchanges);
  else
    judge.notTried(
      id(suffix),
      `${finding.message}, which may only mean that its names are other ones: ${HINT}`,
    );
};

/** Writes what a pair of calls showed, if it showed anything. */
export const recordPair = (
  { judge }: TrialContext,
  suffix: string,
  result: CheckResult | undefined,
  exchanges: readonly [probe: Exchange, twin: Exchange],
): void => {
  if (result !== undefined) judge.record(id(suffix), result, exchanges);
  else judge.notTried(id(suffix), `its twin was refused too, with ${statusOf(exchanges[1])}`);
};

/**
 * Whether a valid call was accepted. Which payload is valid is assumed, unless the names are the target's or the twin,
 * which lacks just what is under test, was accepted.
 */
export const concludeCall = (
  context: TrialContext,
  suffix: string,
  call: Exchange,
  twin?: Exchange,
): void => {
  const { operationId } = call;
  const certain = (twin !== undefined && isAccepted(twin)) || context.capabilities.has("new-implementation");
  const finding = {
    message: `a valid call of ${operationId} was refused`,
    expected: "accepted",
    actual: `${statusOf(call)}`,
  };
  conclude(
    context,
    suffix,
    { holds: isAccepted(call), certain, finding },
    twin === undefined ? [call] : [call, twin],
  );
};

/** Runs a part of a scenario; what it lacks leaves its requirements untried, and the rest goes on. */
export const attempt = async (
  { judge }: TrialContext,
  suffixes: readonly string[],
  part: () => Promise<void>,
): Promise<void> => {
  try {
    await part();
  } catch (error) {
    if (!(error instanceof NotTried)) throw error;
    for (const suffix of suffixes)
      if (!judge.hasVerdict(id(suffix))) judge.notTried(id(suffix), error.message);
  }
};

export interface ParameterTrial {
  readonly operationId: string;
  /** Letter case and separators aside. */
  readonly name: string;
  /** Made from the contract if absent. */
  readonly value?: string | number | boolean;
  /** What the call and its twin carry besides. */
  readonly base?: Wanted;
  /** Whether the target surely understands the value, where the contract does not tell. */
  readonly certain?: boolean;
}

/**
 * Whether a call with an optional parameter is accepted as the same call without it is.
 * @returns the accepted call with it, or `undefined` after a verdict that says why there is none
 */
export const tryParameter = async (
  context: TrialContext,
  suffix: string,
  resources: Resources,
  { operationId, name, value, base = {}, certain }: ParameterTrial,
): Promise<{ readonly probe: Exchange; readonly twin: Exchange } | undefined> => {
  const parameter = parameterOf(operationOf(context, operationId), name);
  if (parameter === undefined) {
    context.judge.notTried(
      id(suffix),
      `${operationId} has no parameter like ${name} in the provider's document`,
    );
    return undefined;
  }
  const tried = value ?? (await valueFor(context, operationId, parameter, resources));
  const twin = await answered(context, operationId, resources, base);
  const probe = await answered(context, operationId, resources, {
    ...base,
    parameters: { ...base.parameters, [name]: tried },
  });
  const result = checkAccepted(
    { what: `${operationId} with ${parameter.name}=${tried}`, pointer: parameter.name },
    probe,
    twin,
  );
  const isSure =
    certain === true ||
    context.capabilities.has("new-implementation") ||
    parameter.level === "provider" ||
    (parameter.level === "documented" && parameter.schema["x-level"] !== "assumed");
  if (result?.holds === false && !isSure) {
    const reason = `${operationId} refuses ${parameter.name}=${tried}, whose name or value is assumed: ${HINT}`;
    context.judge.notTried(id(suffix), reason);
    return undefined;
  }
  recordPair(context, suffix, result, [probe, twin]);
  return result?.holds === true ? { probe, twin } : undefined;
};
