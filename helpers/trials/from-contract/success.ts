/** Generates trials that call each operation with valid requests and expect a documented success. */
import type { Contract, Operation } from "../../contract/contract.ts";
import {
  doubtAboutCall,
  lastOfPath,
  mayHaveEnded,
  requirementOf,
  responseOf,
  rulesOfRequirement,
} from "../../contract/lookups.ts";
import { OWN_RESOURCE, successStatuses } from "../../contract/operation-requirements.ts";
import { untriedReason } from "../../contract/schemas/untried.ts";
import { optionToGive } from "../../contract/services.ts";
import { type CheckResult, checkThat } from "../../exchange/check-result.ts";
import { type Exchange, isAccepted, statusOf } from "../../exchange/exchange.ts";
import { readUntil } from "../../flows/read-until.ts";
import { UNTIL_FOUND } from "../../flows/report-poll.ts";
import type { Patience } from "../../flows/wait-until.ts";
import { because, type Reason } from "../../reasons/reason.ts";
import type { Call } from "../call.ts";
import { lackOfKey } from "../credentials.ts";
import { isUnprovided } from "../resource-providers.ts";
import { sourcesOf } from "../sources.ts";
import { NotTried, TargetLost } from "../stopped.ts";
import type { Trial, TrialContext } from "../trial.ts";
import { hasStatedValues } from "../valid-call.ts";
import { operationTrial, type Subject } from "./operation-trial.ts";
import { elsewhere } from "./other-resources.ts";
import { isGone, requirementsOfResponses } from "./responses.ts";
import { isPosition } from "./rule-requests.ts";
import { shareControl } from "./shared-controls.ts";
import { consumes, firstSource, sampleCalls } from "./valid-calls.ts";

export const successTrials = (subject: Subject): Trial[] => {
  const { contract, policy, operation } = subject;
  const success = `${contract.service}.${operation.operationId}.success`;
  const own = `${contract.service}.${operation.operationId}.${OWN_RESOURCE}`;
  const shown = requirementsOfResponses(contract, policy, operation);
  const row = {
    name: "success",
    title: "a valid call succeeds",
    requirements: [success, ...shown],
  };
  return operationTrial(subject, row, async (context) => {
    const calls = await sampleCalls(context, policy, operation, CALLS[context.depth]);
    const groups = await groupsOf(context, subject, calls);
    for (const group of groups) {
      const answers = await Promise.all(group.map(({ call }) => answerTo(context, subject, call)));
      for (const [index, { call, exchange }] of answers.entries()) {
        shareControl(context, operation, { call, exchange });
        if (group[index]?.isListed && !isAccepted(exchange)) continue;
        await judgeCall(context, { operation, call, exchange }, success);
      }
    }
    for (const requirement of shown) {
      if (requirementOf(contract, requirement) !== undefined && !context.judge.hasVerdict(requirement))
        context.judge.notTried(
          requirement,
          requirement === own
            ? ownUntried(operation, groups)
            : (leftOut(contract, requirement) ?? because("not-shown", UNSEEN)),
        );
    }
  });
};

/** Returns the reason if nobody is judged by the rules of a requirement. */
const leftOut = (contract: Contract, requirement: string): Reason | undefined => {
  const rules = rulesOfRequirement(contract, requirement);
  const [first] = rules;
  return first !== undefined && rules.every(({ untried }) => untried !== undefined)
    ? untriedReason(first)
    : undefined;
};

const UNSEEN = "no response contained the part that the requirement describes";

/** @param groups calls of which some are about a second resource, if there is one */
const ownUntried = (operation: Operation, groups: readonly (readonly unknown[])[]): Reason => {
  const resource = lastOfPath(operation)?.resource ?? "resource";
  return groups.some((group) => group.length > 1)
    ? because("not-shown", `no answer contained the identifier of the second ${resource}`)
    : because("no-occasion", `the target shows no second ${resource} with all that the call needs`);
};

const judgeCall = async (context: TrialContext, answered: Answered, success: string): Promise<void> => {
  const { failure } = answered.exchange;
  if (failure !== undefined) throw new TargetLost(failure.reason ?? because("unanswered", failure.message));
  if (requirementOf(context.contract, success) !== undefined) await judgeSuccess(context, answered, success);
};

/**
 * Returns groups of calls to send at the same time. The last call has other resources and is sent with the call before,
 * to show that each answer is about the resources that its call names. A single call gets such a call beside it.
 */
const groupsOf = async (
  context: TrialContext,
  { contract, policy, operation }: Subject,
  calls: readonly Call[],
): Promise<readonly (readonly { readonly call: Call; readonly isListed: boolean }[])[]> => {
  const alone = calls.map((call) => [{ call, isListed: false }]);
  const own = `${contract.service}.${operation.operationId}.${OWN_RESOURCE}`;
  const [before] = calls.slice(-2);
  if (before === undefined || consumes(operation) || requirementOf(contract, own) === undefined) return alone;
  try {
    const other = await elsewhere(context, policy, operation, before);
    return other === undefined ? alone : [...alone.slice(0, -2), [{ call: before, isListed: false }, other]];
  } catch (error) {
    if (error instanceof TargetLost) return alone;
    throw error;
  }
};

const CALLS = { quick: 1, standard: 3, exhaustive: 10 } as const;

/**
 * Sends the call. Repeats a read that finds nothing, because what was created may show late. If the target refuses values that
 * the document allows, sends a call with the values that the document states, or without them.
 */
const answerTo = async (
  context: TrialContext,
  { contract, policy, operation }: Subject,
  call: Call,
): Promise<Omit<Answered, "operation">> => {
  const isShown = (exchange: Exchange): boolean => !mayShowLate({ operation, call, exchange });
  const patience = operation.progress === undefined ? LATE : UNTIL_FOUND;
  const exchange = await readUntil(context, () => context.send(call), isShown, patience);
  const mayKnowOthers = policy.judgesControls && [400, 409, 422].includes(statusOf(exchange));
  if (!mayKnowOthers || !hasStatedValues(operation, contract)) return { call, exchange };
  const source = firstSource(contract, policy, operation) === "stated" ? "plausible" : "stated";
  const [other = call] = await sampleCalls(context, policy, operation, 1, source);
  const answer = await context.send(other);
  return isAccepted(answer) ? { call: other, exchange: answer } : { call, exchange };
};

/** Whether a list showed a resource that the path names, or the document has its identifier as an example. */
const namesFound = ({ arrange }: TrialContext, { parameters }: Operation, { path = {} }: Call): boolean =>
  parameters.some(({ name, resource = "" }) => arrange.isFound(resource, path[name] ?? ""));

const LATE: Patience = { everySeconds: 5, limitSeconds: 20 };

/** A valid call of an operation, and its answer. */
interface Answered {
  readonly operation: Operation;
  readonly call: Call;
  readonly exchange: Exchange;
}

const judgeSuccess = async (
  context: TrialContext,
  answered: Answered,
  requirement: string,
): Promise<void> => {
  const { judge } = context;
  const { exchange } = answered;
  const doubtOf = (one: Answered): Reason | undefined =>
    checkSuccess(one).holds ? undefined : doubtAbout(context, one);
  const doubt = doubtOf(answered) ?? (await emptinessOf(context, answered));
  if (doubt === undefined) judge.record(requirement, checkSuccess(answered), [exchange]);
  else judge.notTried(requirement, doubt);
  await judge.askAgain([requirement], [exchange], ([changed]) => {
    const one = { ...answered, exchange: changed as Exchange };
    return doubtOf(one) === undefined ? checkSuccess(one) : undefined;
  });
};

/** Returns the reason why the resource of a path is not found: the target need not know the example of a document. */
const unfound = (contract: Contract, { parameters }: Operation): Reason => {
  const unprovided = parameters.flatMap(({ in: place, resource = "" }) =>
    place === "path" && isUnprovided(contract, resource) ? (sourcesOf(contract.service)[resource] ?? []) : [],
  );
  const setting = unprovided.find(({ example }) => example !== undefined);
  return setting === undefined
    ? because("not-found", "what a list showed may be inactive, or removed by another client")
    : because("lacks-given", setting.resource ?? "", `${optionToGive(setting)}: the example is not found`);
};

const checkSuccess = ({ operation, exchange }: Answered): CheckResult => {
  const expected = successStatuses(operation);
  const status = statusOf(exchange);
  const isListed = operation.responses[status] !== undefined;
  const isOfClass = isAccepted(exchange) && !isListed && responseOf(operation, status) !== undefined;
  return checkThat(expected.includes(status) || isOfClass, {
    pointer: "",
    message: `a valid call of ${operation.operationId} was answered with ${status}`,
    expected: expected.join(" or "),
    actual: `${status}`,
  });
};

/** Returns the reason why an unsuccessful response shows nothing, if there is one. */
const doubtAbout = (context: TrialContext, answered: Answered): Reason | undefined => {
  const { contract, target, capabilities } = context;
  const { operation, call, exchange } = answered;
  const status = statusOf(exchange);
  if (status === 404 && namesFound(context, operation, call)) return unfound(contract, operation);
  const lack = [401, 403].includes(status) ? lackOfKey(contract, operation, target) : undefined;
  if (lack !== undefined) return lack;
  if (isGone(operation, exchange))
    return because("permitted", `the operation ended after ${operation.sunset}, as announced`);
  if (status === 404 && operation.progress !== undefined)
    return because("not-found", "a report that is in progress may not be found yet");
  if (isAccepted(exchange))
    return operation.responses[status] && because("asks-for-more", "the target", status);
  const isNew = capabilities.has("new-implementation");
  return status < 500 && !isNew && !isUnfoundRead(answered) && !isRefusedBareCall(answered)
    ? doubtAboutCall(contract, operation, `refused with ${status}`)
    : undefined;
};

/** Whether to read again. Some reports are read by a POST. */
const mayShowLate = (answered: Answered): boolean =>
  isUnfoundRead(answered) ||
  (statusOf(answered.exchange) === 404 && answered.operation.progress !== undefined);

/** Whether nothing was found although the call depends on no assumption. */
const isUnfoundRead = (answered: Answered): boolean =>
  statusOf(answered.exchange) === 404 &&
  answered.operation.method === "GET" &&
  isWithoutAssumption(answered) &&
  !answered.operation.parameters.some(isPosition) &&
  // A filter may leave nothing in a list, which some servers answer with 404.
  (answered.operation.list === undefined || Object.keys(answered.call.query ?? {}).length === 0);

/**
 * Returns the resource that a list shows: as the operation states it, as another operation with a list of the same name
 * does, or else a resource that has the name of the list.
 */
const listedBy = ({ operations }: Contract, { list, finds }: Operation): string | undefined => {
  const same = operations.filter((other) => other.list?.items === list?.items);
  const [place] = [finds, ...same.map((other) => other.finds)].flat();
  const name = list?.items.split("/").at(-1)?.replace(/s$/, "");
  const made = operations.flatMap(({ produces }) => produces).find(({ resource }) => resource === name);
  return (place ?? made)?.resource;
};

const MAY_BE_EMPTY = because("permitted", "a list without known items may answer 404");

/** Returns the reason why a list that is not found may be empty: no item of it is known. */
const emptinessOf = async (context: TrialContext, answered: Answered): Promise<Reason | undefined> => {
  const { operation } = answered;
  if (operation.list === undefined || !isUnfoundRead(answered)) return undefined;
  const resource = listedBy(context.contract, operation);
  try {
    if (resource === undefined) return MAY_BE_EMPTY;
    await context.arrange.need(resource);
    return undefined;
  } catch (error) {
    if (error instanceof NotTried || error instanceof TargetLost) return MAY_BE_EMPTY;
    throw error;
  }
};

/**
 * Whether the server calls a request wrong that contains only what came from the server. If the documents name other
 * parameters, it may require them.
 */
const isRefusedBareCall = (answered: Answered): boolean =>
  statusOf(answered.exchange) === 400 &&
  (answered.operation.method === "GET" || answered.operation.method === "DELETE") &&
  answered.operation.requestBody === undefined &&
  answered.operation.parameters.every(({ in: place }) => place === "path") &&
  isWithoutAssumption(answered);

/** Whether all ids in the path came from the server, and the documents name no condition and require nothing else. */
const isWithoutAssumption = ({ operation }: Answered): boolean =>
  !mayHaveEnded(operation.sunset) &&
  !operation.legacy &&
  Object.keys(operation.kinds).length === 0 &&
  operation.parameters.every(({ in: place, required }) => place === "path" || !required);
