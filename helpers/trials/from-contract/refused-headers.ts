/** Generates trials of calls that are refused for a header, which no schema describes. */
import { namesCondition, REQUEST_TYPE, STALE } from "../../contract/operation-requirements.ts";
import { isAccepted, statusOf } from "../../exchange/exchange.ts";
import type { Call } from "../call.ts";
import { NotTried } from "../stopped.ts";
import type { Trial } from "../trial.ts";
import { operationTrial, type Subject, statedLevel } from "./operation-trial.ts";
import { recordRefusal } from "./rule-verdicts.ts";
import { controlBeside, sharedControl } from "./shared-controls.ts";
import { consumes, sampleCalls } from "./valid-calls.ts";

/** A body of a media type that the document does not list, if it lists 415 for it. */
export const mediaTypeTrials = (subject: Subject): Trial[] => {
  const { contract, policy, operation } = subject;
  const requirement = `${contract.service}.${operation.operationId}.${REQUEST_TYPE}`;
  const row = {
    name: "media-type",
    title: "a body of another media type is refused",
    requirements: [requirement],
  };
  return operationTrial(subject, row, async (context) => {
    const [call] = await sampleCalls(context, policy, operation, 1);
    if (call === undefined) return;
    const listed = policy.refusal.statuses.filter((status) => operation.responses[status] !== undefined);
    const statuses = [...new Set([415, ...listed])];
    const sent = await context.send({ ...inOtherType(call), nearMiss: statedLevel(subject, requirement) });
    const holds = statuses.includes(statusOf(sent));
    const known = sharedControl(context, operation);
    const control = await controlBeside(context, call, {
      known: known?.call === call ? known : undefined,
      holds,
    });
    const what = { what: "a body of another media type", pointer: "content-type", keyword: "content-type" };
    await recordRefusal(context, [requirement], what, [sent, control], statuses);
  });
};

const inOtherType = ({ json, raw, ...call }: Call): Call => ({
  ...call,
  raw: { body: raw?.body ?? JSON.stringify(json), contentType: "application/x-unknown" },
  ...{ role: "probe", tries: "another media type", judged: "refusals" },
});

/** A condition that no state of the resource fulfils, if the document lists 412 for it. */
export const conditionTrials = (subject: Subject): Trial[] => {
  const { contract, policy, operation } = subject;
  const requirement = `${contract.service}.${operation.operationId}.${STALE}`;
  const row = {
    name: "condition",
    title: "a call with the condition of another state is refused",
    requirements: [requirement],
  };
  const condition = operation.parameters.find(({ in: place, name }) => namesCondition(place, name));
  return operationTrial(subject, row, async (context) => {
    const { name = "", schema = {} } = condition ?? {};
    const value = STATES.find((one) => context.validator.validate(schema, one).length === 0);
    if (value === undefined) throw new NotTried("no-certain-miss");
    const [call, other] = await sampleCalls(context, policy, operation, consumes(operation) ? 2 : 1);
    if (call === undefined) return;
    const probe = {
      role: "probe",
      tries: "a stale condition",
      judged: "refusals",
      nearMiss: statedLevel(subject, requirement),
    } as const;
    const sent = await context.send({ ...call, ...probe, headers: { ...call.headers, [name]: value } });
    // An accepted probe may have used up its resource.
    const next = isAccepted(sent) ? (other ?? call) : call;
    const control = await context.send({ ...next, role: "control" });
    await recordRefusal(context, [requirement], WHAT, [sent, control], STATUSES);
  });
};

/** Entity tags that no server has given (RFC 9110, 8.8.3), and a number for servers that count states. */
const STATES = ['"assay-of-no-state"', "987654321", '"987654321"'];

/** A server may refuse the form of a tag that it has never given. */
const STATUSES = [412, 400];

const WHAT = { what: "a condition of another state", pointer: "If-Match", keyword: "If-Match" };
