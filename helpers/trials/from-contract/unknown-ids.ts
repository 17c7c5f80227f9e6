/** Generates trials with unknown and malformed identifiers in the path. */
import type { JsonSchema, Operation, Parameter } from "../../contract/contract.ts";
import { requirementOf } from "../../contract/lookups.ts";
import { identifiersOf, unknownStatuses } from "../../contract/operation-requirements.ts";
import { resolveRef } from "../../contract/schemas/rule-walk.ts";
import { bareText } from "../../contract/written-form.ts";
import { type Exchange, isAccepted, statusOf, statusWords } from "../../exchange/exchange.ts";
import { because, type Reason } from "../../reasons/reason.ts";
import type { Call } from "../call.ts";
import { drawsFrom } from "../seed.ts";
import type { Trial, TrialContext } from "../trial.ts";
import { SAFE } from "../valid-call.ts";
import { isOneOfMany, operationTrial, type Subject } from "./operation-trial.ts";
import { recordRefusal } from "./rule-verdicts.ts";
import { controlBeside, shareControl, sharedControl } from "./shared-controls.ts";
import { sampleCalls } from "./valid-calls.ts";

/** Generates the trials. Without a requirement for unknown identifiers, they check for a documented status. */
export const unknownIdTrials = (subject: Subject): Trial[] => {
  const { contract, policy, operation } = subject;
  const { operationId } = operation;
  const id = (suffix: string) => `${contract.service}.${suffix}`;
  return identifiersOf(operation).flatMap((parameter) => {
    const judged = [
      id(`${operationId}.unknown-${parameter.name}`),
      ...(policy.shared?.notFound === undefined ? [] : [id(policy.shared.notFound)]),
    ].filter((requirement) => requirementOf(contract, requirement) !== undefined);
    const row = {
      name: `unknown-${parameter.name}`,
      title: `an unknown ${parameter.name} is answered with 404`,
      requirements: judged.length > 0 ? judged : [id(`${operationId}.documented-statuses`)],
    };
    return operationTrial(subject, row, (context) => tryUnknown(context, subject, parameter, judged));
  });
};

const tryUnknown = async (
  context: TrialContext,
  subject: Subject,
  parameter: Parameter,
  requirements: readonly string[],
): Promise<void> => {
  const { policy, operation } = subject;
  const shared = sharedControl(context, operation);
  const [call] = shared ? [shared.call] : await sampleCalls(context, policy, operation, 1);
  const text = call?.path?.[parameter.name];
  if (call === undefined || text === undefined) return;
  // The style may put a sign and the name before the value.
  const known = bareText(text, parameter.written);
  const sign = text.slice(0, text.length - known.length);
  const withId = (value: string): Call => ({
    ...call,
    role: "probe",
    tries: `an unknown ${parameter.name}`,
    judged: "refusals",
    path: { ...call.path, [parameter.name]: sign + value },
  });
  const another = (seed: number): string => anotherValid(context, parameter, known, seed) ?? known;
  const leaveOut = (reason: Reason): void => {
    for (const requirement of requirements) context.judge.notTried(requirement, reason);
  };
  if (another(context.seed) === known) {
    const limit = `the suite found no other ${parameter.name} that its schema allows`;
    return leaveOut(because("limit-of-suite", limit));
  }
  const further = isShort(known) ? longerValid(context, parameter, known) : undefined;
  let unknown: Exchange | undefined;
  // A guess of few characters may name what others have, which the call would change.
  if (further === undefined || SAFE.includes(operation.method))
    unknown = await firstUnknown(operation, (seed) => context.send(withId(another(seed))), context.seed);
  const longer = unknown === undefined || isAccepted(unknown) ? further : undefined;
  if (longer !== undefined || unknown === undefined) unknown = await context.send(withId(longer ?? UNLIKELY));
  const mayBeKnown = isAccepted(unknown) && isFew(schemaOf(context, parameter));
  // A longer identifier may be refused for its length, but not with a server error.
  const mayBeInvalid = longer !== undefined && !isAccepted(unknown) && statusOf(unknown) < 500;
  if (mayBeKnown || (mayBeInvalid && statusOf(unknown) !== 404)) {
    const seen = `the target knows all identifiers like ${known} that were tried`;
    return leaveOut(because("not-shown", seen));
  }
  if (isCreated(operation, unknown)) {
    return leaveOut(because("permitted", `a PUT creates what its ${parameter.name} names`));
  }
  const statuses = unknownStatuses(operation);
  const holds = statuses.includes(statusOf(unknown));
  const control = await controlBeside(context, call, { known: shared, holds });
  shareControl(context, operation, { call, exchange: control });
  const what = { what: `a ${parameter.name} that names nothing`, pointer: parameter.name };
  const words = statuses.length > 1 ? "a client error" : statusWords(statuses);
  if (!(await recordRefusal(context, requirements, what, [unknown, control], statuses, words))) {
    return leaveOut(because("control-refused", `the call with a known ${parameter.name}`, statusOf(control)));
  }
  if (!context.savesRequests || isOneOfMany(subject))
    await observeMalformed(context, subject, parameter, withId("no identifier!"));
};

const observeMalformed = async (
  { send, judge }: TrialContext,
  { policy: { malformedIdGap: gap }, operation: { operationId } }: Subject,
  { name }: Parameter,
  call: Call,
): Promise<void> => {
  if (gap === undefined) return;
  const malformed = await send({ ...call, tries: `a malformed ${name}`, judged: false });
  const answer = isAccepted(malformed) ? "accepted" : `refused with ${statusOf(malformed)}`;
  judge.observe(gap, operationId, `a malformed ${name}: ${answer}`);
};

/** Whether the call created the resource that its path names, as the document allows (RFC 9110, 9.3.4). */
const isCreated = ({ method, responses }: Operation, exchange: Exchange): boolean =>
  method === "PUT" && statusOf(exchange) === 201 && responses[201] !== undefined;

/** Tries several identifiers, because the server may know one of them by chance. Returns the first refusal, if any. */
const firstUnknown = async (
  operation: Operation,
  send: (seed: number) => Promise<Exchange>,
  seed: number,
): Promise<Exchange> => {
  let exchange = await send(seed);
  const isKnown = () => isAccepted(exchange) && !isCreated(operation, exchange);
  for (let further = 1; further < MOST_IDS && isKnown(); further += 1)
    exchange = await send(seed + Math.imul(further, SPREAD));
  return exchange;
};

const MOST_IDS = 6;

/**
 * Returns an unknown identifier that the schema allows, so that the server has no other reason to refuse it; `undefined`
 * if there is none of this form.
 */
const anotherValid = (
  context: TrialContext,
  parameter: Parameter,
  known: string,
  seed: number,
): string | undefined => {
  const isValid = (value: string): boolean => fits(context, parameter, value);
  const seeds = Array.from({ length: SEEDS }, (_, index) => seed + Math.imul(index, SPREAD));
  // A pattern may fix how an identifier begins.
  for (let kept = 0; kept < known.length; kept += 1) {
    const candidates = seeds.map((one) => known.slice(0, kept) + anotherLike(known.slice(kept), one));
    const found = candidates.find((one) => one !== known && isValid(one));
    if (found !== undefined) return found;
  }
  // A target may use identifiers that the schema does not allow.
  return isValid(known) ? undefined : anotherLike(known, seed);
};

const schemaOf = ({ contract }: TrialContext, { schema }: Parameter): JsonSchema =>
  resolveRef(contract.schemas, schema);

/** Whether a schema allows so few identifiers that a server may know each. */
const isFew = ({ enum: values, minimum = 0, maximum, maxLength }: JsonSchema): boolean =>
  values !== undefined ||
  Number(maximum ?? Number.POSITIVE_INFINITY) - Number(minimum) < FEW ||
  Number(maxLength ?? Number.POSITIVE_INFINITY) < LEAST_VARYING;

const FEW = 10_000;

/** Whether so few characters vary that a server may know each identifier of this form. */
const isShort = (known: string): boolean => known.replaceAll(/[^\da-fA-F]/g, "").length < LEAST_VARYING;

const LEAST_VARYING = 4;

/**
 * Returns a longer identifier, because a server that counts may know all short ones; `undefined` if the schema allows none.
 */
const longerValid = (context: TrialContext, parameter: Parameter, known: string): string | undefined => {
  const longer = `${known}${UNLIKELY}`;
  return fits(context, parameter, longer) ? longer : undefined;
};

const fits = (context: TrialContext, parameter: Parameter, value: string): boolean => {
  const schema = schemaOf(context, parameter);
  const isNumber = schema.type === "integer" || schema.type === "number";
  return context.validator.validate(schema, isNumber ? Number(value) : value).length === 0;
};

const UNLIKELY = "735194";

const SEEDS = 40;
/** Spreads the seeds: neighbours begin with the same character. */
const SPREAD = 0x9e37_79b1;

/** Returns an unknown identifier of the same form, with other digits and letters of the same case. */
const anotherLike = (known: string, seed: number): string => {
  const next = drawsFrom(seed);
  const other = [...known]
    .map((character, index) => {
      if (/\d/.test(character)) return String(index === 0 ? 1 + next(9) : next(10));
      if (/[a-f]/.test(character)) return "abcdef"[next(6)];
      if (/[A-F]/.test(character)) return "ABCDEF"[next(6)];
      return character;
    })
    .join("");
  return other === known ? `${known.slice(0, -1)}${known.endsWith("7") ? "3" : "7"}` : other;
};
