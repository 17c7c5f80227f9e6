/** What the scenarios of financial data ask of the service, and what an answer they did not hope for means. */
import fc from "fast-check";
import { HOLDS, violation } from "../../helpers/checks/check.ts";
import { checkAccepted, checkRefused } from "../../helpers/checks/refusal.ts";
import { instancesAt } from "../../helpers/checks/rules.ts";
import type { Operation } from "../../helpers/contract/contract.ts";
import { type Exchange, isAccepted, statusOf } from "../../helpers/exchange/exchange.ts";
import { validValues } from "../../helpers/generate/valid.ts";
import type { Arranger } from "../../helpers/trials/arrange.ts";
import { type Call, NotTried, TargetLost, type TrialContext } from "../../helpers/trials/trial.ts";
import { validCalls } from "../../helpers/trials/valid-call.ts";
import { id } from "./trial.ts";

const ASSUMED = "is assumed; give the provider's document with --contract";

export const operationOf = ({ contract }: TrialContext, operationId: string): Operation => {
  const operation = contract.operations.find((candidate) => candidate.operationId === operationId);
  if (operation === undefined) throw new NotTried(`the provider's document has no operation ${operationId}`);
  return operation;
};

/**
 * Whether the names that a call uses are known to be the target's: its own document gives them, or it was written from
 * this contract. Without that a refusal may only mean that they are others.
 */
export const namesAreCertain = (context: TrialContext, operationId: string): boolean => {
  const { level, requestBody } = operationOf(context, operationId);
  return context.capabilities.has("new-implementation") || (requestBody?.level ?? level) === "provider";
};

/**
 * @param draw tells apart the calls of one trial
 * @throws NotTried or TargetLost when what the call needs can't be arranged
 */
export const validCall = async (
  context: TrialContext,
  operationId: string,
  arrange: Arranger = context.arrange,
  draw = 0,
): Promise<Call> => {
  const { calls } = await validCalls({ ...context, arrange }, operationOf(context, operationId));
  const [call] = fc.sample(calls, { seed: context.seed + draw, numRuns: 1, unbiased: true });
  return call as Call;
};

/** The call with other fields at the top of its body; `undefined` leaves one out. */
export const withFields = (call: Call, fields: Readonly<Record<string, unknown>>): Call => ({
  ...call,
  json: Object.fromEntries(
    Object.entries({ ...(call.json as object), ...fields }).filter(([, value]) => value !== undefined),
  ),
});

export const withQuery = (call: Call, query: NonNullable<Call["query"]>): Call => ({
  ...call,
  query: { ...call.query, ...query },
});

/** A plausible value of a query parameter, as text. */
export const parameterValue = async (
  context: TrialContext,
  operationId: string,
  name: string,
): Promise<string> => {
  const operation = operationOf(context, operationId);
  const parameter = operation.parameters.find((candidate) => candidate.name === name);
  if (parameter === undefined)
    throw new NotTried(`${operationId} has no parameter ${name} in the document given`);
  const { schemas, country } = context.contract;
  const data = parameter.data === undefined ? {} : { "x-data": parameter.data };
  const values = validValues(
    { ...data, ...parameter.schema },
    {
      schemas,
      country,
      validator: context.validator,
      resources: {},
      with: ["/0"].filter(() => isList(parameter.schema)),
    },
  );
  const [value] = fc.sample(values, { seed: context.seed, numRuns: 1, unbiased: true });
  return Array.isArray(value) ? value.join(",") : String(value);
};

const isList = ({ type }: { readonly [keyword: string]: unknown }): boolean => type === "array";

/**
 * The answer to a call, whatever it is.
 * @throws NotTried when a permission is missing, TargetLost when there is no answer
 */
export const answerTo = async (context: TrialContext, call: Call): Promise<Exchange> => {
  const exchange = await context.send(call);
  if (exchange.failure !== undefined) throw new TargetLost(exchange.failure.message);
  return exchange;
};

/**
 * Sends what the target has to take if its names are those of the contract.
 * @param requirements what an acceptance keeps and a refusal breaks
 * @throws NotTried when it is refused, or when a permission is missing; TargetLost when the target fails
 */
export const taken = async (
  context: TrialContext,
  call: Call,
  requirements: readonly string[] = [],
): Promise<Exchange> => {
  const exchange = await answerTo(context, call);
  const { operationId } = call;
  const status = statusOf(exchange);
  if (isAccepted(exchange)) {
    for (const requirement of requirements) context.judge.record(id(requirement), HOLDS, [exchange]);
    return exchange;
  }
  if (namesAreCertain(context, operationId)) {
    for (const requirement of requirements) {
      judgeThat(context, requirement, false, [exchange], {
        message: `a valid call of ${operationId} was refused`,
        expected: "accepted",
        actual: `${status}`,
      });
    }
  }
  if (status >= 500) throw new TargetLost(`${operationId} answered with ${status}`);
  throw new NotTried(`${operationId} refused a call with ${status}: which payload is valid ${ASSUMED}`);
};

interface Wording {
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  readonly pointer?: string;
}

/** @param wording of what does not hold, where it does not; the exchange in question stands first */
export const judgeThat = (
  { judge }: TrialContext,
  requirement: string,
  holds: boolean,
  exchanges: readonly Exchange[],
  wording: Wording,
): void => judge.record(id(requirement), holds ? HOLDS : violation({ pointer: "", ...wording }), exchanges);

/** A refusal, next to its accepted twin. */
export const judgeRefused = (
  { judge }: TrialContext,
  requirement: string,
  what: string,
  [probe, twin]: readonly [Exchange, Exchange],
  statuses: readonly number[],
): void => {
  const result = checkRefused({ what, pointer: "" }, probe, twin, statuses);
  if (result !== undefined) judge.record(id(requirement), result, [probe, twin]);
  else judge.notTried(id(requirement), `the same call without ${what} was refused with ${statusOf(twin)}`);
};

/** A query parameter of which the document says that it is accepted. */
export const judgeParameter = (
  context: TrialContext,
  requirement: string,
  name: string,
  [probe, twin]: readonly [Exchange, Exchange],
): void => {
  const { judge } = context;
  const operation = operationOf(context, probe.operationId);
  const level = operation.parameters.find((parameter) => parameter.name === name)?.level;
  const result = checkAccepted({ what: `the query parameter ${name}`, pointer: name }, probe, twin);
  if (result === undefined) {
    judge.notTried(
      id(requirement),
      `${operation.operationId} without ${name} was refused with ${statusOf(twin)}`,
    );
  } else if (!result.holds && level === "assumed" && !context.capabilities.has("new-implementation")) {
    judge.notTried(
      id(requirement),
      `refused with ${statusOf(probe)}: the name or the value of ${name} ${ASSUMED}`,
    );
  } else judge.record(id(requirement), result, [probe, twin]);
};

/**
 * The identifier that an answer gives: where it is bound, else where the contract assumes it.
 * @throws NotTried naming the binding that would help
 */
export const identifierIn = (context: TrialContext, exchange: Exchange, resource: string): string => {
  const { operationId, produces, finds } = operationOf(context, exchange.operationId);
  const assumed = [...produces, ...finds].find((place) => place.resource === resource)?.pointer;
  const pointer = context.bindings[operationId] ?? assumed ?? "";
  const [found] = instancesAt(exchange.response?.json, pointer).filter(
    ({ value }) => (typeof value === "string" && value !== "") || typeof value === "number",
  );
  if (found !== undefined) return String(found.value);
  throw new NotTried(
    `${operationId} shows no ${resource} at ${pointer}: bind ${operationId} in BINDINGS to where it stands`,
  );
};

/** All texts and numbers of a body, as text. */
export const valuesIn = (json: unknown): string[] => {
  if (typeof json === "string" || typeof json === "number") return [String(json)];
  return typeof json === "object" && json !== null ? Object.values(json).flatMap(valuesIn) : [];
};

/** Values of an arranged situation. @throws NotTried when the target does not offer it */
export const inSituation = async (
  { capabilities }: TrialContext,
  situation: string,
  needs: string,
): Promise<Record<string, string>> => {
  if (!capabilities.offers(situation)) throw new NotTried(`needs ${needs}`);
  return capabilities.arrange(situation);
};

/** The arranger, with the values of some resources given. */
export const having = (arrange: Arranger, given: Readonly<Record<string, string>>): Arranger => ({
  get: async (resource) =>
    given[resource] === undefined ? arrange.get(resource) : { value: given[resource] },
  need: async (resource) => given[resource] ?? arrange.need(resource),
  apart: () => having(arrange.apart(), given),
  changeable: () => having(arrange.changeable(), given),
});
