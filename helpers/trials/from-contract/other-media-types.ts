/** Generates a trial with a body of a media type that the document does not list, if it lists 415 for it. */
import { REQUEST_TYPE } from "../../contract/operation-requirements.ts";
import { statusOf } from "../../exchange/exchange.ts";
import type { Call } from "../call.ts";
import type { Trial } from "../trial.ts";
import { operationTrial, type Subject } from "./operation-trial.ts";
import { recordRefusal } from "./rule-verdicts.ts";
import { controlBeside, sharedControl } from "./shared-controls.ts";
import { sampleCalls } from "./valid-calls.ts";

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
    const sent = await context.send(inOtherType(call));
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
  ...{ role: "probe", tries: "another media type", judged: "refusals", nearMiss: true },
});
