/** A trial for each operation: how it answers, and what it makes of payloads that just keep or just break a rule. */

import fc from "fast-check";
import { accepted } from "../../fixtures/installments/calls.ts";
import {
  newPlan,
  newPurchase,
  participatingMerchant,
  participationOf,
} from "../../fixtures/installments/steps.ts";
import { checkRefusal, id, scenario } from "../../fixtures/installments/trial.ts";
import type { CheckResult } from "../../helpers/checks/check.ts";
import { checkAccepted } from "../../helpers/checks/refusal.ts";
import type { Contract, JsonSchema, Operation, Rule } from "../../helpers/contract/contract.ts";
import { type Exchange, isAccepted, statusOf } from "../../helpers/exchange/exchange.ts";
import type { GenerateContext } from "../../helpers/generate/context.ts";
import { type ProbeKind, probePairs, probesFor } from "../../helpers/generate/probes.ts";
import { validValues } from "../../helpers/generate/valid.ts";
import type { Trial, TrialContext } from "../../helpers/trials/trial.ts";

const OUTBOUND = "postNotifications";

export const operationTrials = (contract: Contract): Trial[] => {
  const known = contract.requirements.map((requirement) => requirement.id);
  return contract.operations
    .filter(({ operationId }) => operationId !== OUTBOUND)
    .map((operation) =>
      scenario(
        {
          id: `operations/${operation.operationId}`,
          title: `${operation.operationId}: valid payloads, and payloads that break one rule`,
          section: operation.section,
          operations: [operation.operationId],
          requirements: known
            .map((requirement) => requirement.slice("installments.".length))
            .filter((suffix) => suffix.startsWith(`${operation.operationId}.`)),
        },
        async (context) => {
          await tryOperation(context, operation);
          // Only a provider's document has rules for them.
          for (const requirement of known) {
            if (!requirement.startsWith(id(`${operation.operationId}.parameter.`))) continue;
            context.judge.notTried(requirement, "parameters of installments are not probed");
          }
        },
      ),
    );
};

const tryOperation = async (context: TrialContext, operation: Operation): Promise<void> => {
  const { operationId } = operation;
  const resources = await resourcesFor(context, operation);
  const body = operation.requestBody?.content["application/json"];
  if (body === undefined) {
    await tryReading(context, operation, resources);
    return;
  }
  const generation = { schemas: context.contract.schemas, validator: context.validator, resources };
  const [valid] = fc.sample(validValues(body, generation), { seed: context.seed, numRuns: 1 });
  const first = await accepted(context, { operationId, json: valid });
  for (const rule of context.contract.rules) {
    if (rule.direction !== "request" || rule.operationId !== operationId) continue;
    // What one alternative refuses, another may allow.
    if (rule.place !== undefined || rule.alternative !== undefined) continue;
    for (const kind of probesFor(rule, body, generation)) {
      await tryKind(context, { rule, kind, body, generation, first });
    }
  }
  const shape = id(`${operationId}.request.shape`);
  if (context.judge.hasVerdict(shape)) return;
  context.judge.notTried(
    shape,
    "no rule of the payload could be tried: none is certain, or its twins were refused",
  );
};

/** Operations without a body: one that is there, and one that is not. */
const tryReading = async (
  context: TrialContext,
  { operationId, parameters }: Operation,
  resources: Readonly<Record<string, string>>,
): Promise<void> => {
  const names = parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name);
  const path = Object.fromEntries(names.map((name) => [name, resources.plan ?? ""]));
  await accepted(context, { operationId, path });
  const unknown = Object.fromEntries(names.map((name) => [name, "00000000-0000-4000-8000-000000000000"]));
  await context.send({
    operationId,
    path: unknown,
    ...(names.length === 0 && { query: { request_id: "0" } }),
  });
};

/** What a payload has to name so that the target knows it, by `x-resource`. */
const resourcesFor = async (
  context: TrialContext,
  { operationId }: Operation,
): Promise<Record<string, string>> => {
  // What is submitted is kept apart from the merchant that the other trials read.
  const submits = operationId === "postMerchantParticipations";
  const { merchant } = submits ? participationOf(context, "Probed") : await participatingMerchant(context);
  const common: Record<string, string> = {
    "merchant-name": merchant.merchantLegalName,
    "merchant-country": merchant.countryCode,
    "acquirer-ica": merchant.acquirerICA,
    currency: "USD",
    "purchase-amount": "250.25",
  };
  const needs = NEEDING[operationId];
  if (needs === undefined) return common;
  const purchase = await newPurchase(context);
  const { panListId, primaryAccountNumber } = purchase.consumer;
  const consumer = { ...common, "pan-list": panListId, pan: primaryAccountNumber };
  if (needs === "consumer") return consumer;
  const { planId, offerId } = await newPlan(context, purchase);
  return { ...consumer, plan: planId, offer: offerId };
};

/** What has to be there before a payload of the operation can be valid. */
const NEEDING: Readonly<Record<string, "consumer" | "plan">> = {
  postConsumerPanRegistrations: "consumer",
  postConsumerPanDeregistrations: "consumer",
  postOffers: "consumer",
  postPlans: "plan",
  planApproval: "plan",
  getPlan: "plan",
  getPlanApprovalStatus: "plan",
};

interface Subject {
  readonly rule: Rule;
  readonly kind: ProbeKind;
  readonly body: JsonSchema;
  readonly generation: GenerateContext;
  /** A valid payload, which was accepted. */
  readonly first: Exchange;
}

const tryKind = async (context: TrialContext, subject: Subject): Promise<void> => {
  const { rule, kind, body, generation, first } = subject;
  let failure: { result: CheckResult; exchanges: Exchange[] } | undefined;
  const pairs = probePairs(kind, rule, body, generation);
  await context.property.tries(
    `${rule.pointer} ${rule.keyword} ${kind.kind}`,
    pairs,
    async ({ base, edited }) => {
      const probe = await context.send({ operationId: rule.operationId, json: edited });
      if (kind.class === "observation") {
        const observed = isAccepted(probe) ? "accepted" : `answered with ${statusOf(probe)}`;
        context.judge.observe("request and response payloads", rule.operationId, `${kind.kind}: ${observed}`);
        return true;
      }
      const twin = await context.send({ operationId: rule.operationId, json: base });
      const what = {
        what: `${rule.pointer.slice(1) || "the body"}: ${kind.kind}`,
        pointer: rule.pointer,
        keyword: rule.keyword,
      };
      const result =
        kind.class === "boundary" ? checkAccepted(what, probe, twin) : checkRefusal(what, probe, twin);
      const valid = checkAccepted({ ...what, what: "a valid payload" }, twin, first);
      const refusedTwin = knowsAll(context) && valid?.holds === false;
      const unknown = kind.class === "boundary" && mayBeUnknown(context, rule) && result?.holds === false;
      if (!refusedTwin && (result === undefined || unknown)) return true;
      const shown = refusedTwin
        ? { result: valid, exchanges: [twin, first] }
        : { result: result as CheckResult, exchanges: [probe, twin] };
      if (shown.result.holds) context.judge.record(rule.requirement, shown.result, shown.exchanges);
      // The last one to fail is the smallest, and others may have held after it.
      else failure = shown;
      return shown.result.holds;
    },
  );
  if (failure !== undefined) context.judge.record(rule.requirement, failure.result, failure.exchanges);
};

/** A made-up value of what the target has to know may be refused for being unknown. */
const mayBeUnknown = (context: TrialContext, { schema }: Rule): boolean => {
  const resource = schema["x-resource"];
  return resource !== undefined && (MUST_EXIST.has(String(resource)) || !knowsAll(context));
};

const MUST_EXIST: ReadonlySet<string> = new Set(["plan", "offer", "pan-list"]);

/** Whether any payload that fits is accepted, since the target was written from this contract. */
const knowsAll = ({ capabilities, contract }: TrialContext): boolean =>
  capabilities.has("new-implementation") && contract.provider === null;
