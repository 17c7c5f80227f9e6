/** Generates trials that create two resources at the same time: each gets its own identifier. */
import { instancesAt } from "../../checks/rules.ts";
import type { Operation } from "../../contract/contract.ts";
import { DISTINCT_IDS } from "../../contract/operation-requirements.ts";
import { checkThat } from "../../exchange/check-result.ts";
import { type Exchange, isAccepted, statusOf } from "../../exchange/exchange.ts";
import { createdAt } from "../resource-providers.ts";
import { NotTried } from "../stopped.ts";
import type { Trial, TrialContext } from "../trial.ts";
import { operationTrial, type Subject } from "./operation-trial.ts";
import { sampleCalls } from "./valid-calls.ts";

export const creationTrials = (subject: Subject): Trial[] => {
  const { contract, policy, operation } = subject;
  const requirement = `${contract.service}.${operation.operationId}.${DISTINCT_IDS}`;
  const row = {
    name: "simultaneous",
    title: "two simultaneous calls create two resources",
    requirements: [requirement],
  };
  return operationTrial(subject, row, async (context) => {
    const [call] = await sampleCalls(context, policy, operation, 1);
    // A server may answer a repeated call for the same parent with the existing resource.
    const [other] = await sampleCalls(
      { ...context, seed: context.seed + 1, arrange: context.arrange.others() },
      policy,
      operation,
      1,
    );
    if (call === undefined || other === undefined) return;
    const exchanges = await Promise.all([call, other].map((one) => context.send(one)));
    const check = (both: readonly Exchange[]) => {
      const [one, two] = both.map((exchange) => idsIn(context, operation, exchange));
      const holds = one?.every((id, index) => id !== two?.[index]) === true;
      return checkThat(holds, {
        pointer: "",
        message: `${operation.operationId} gave two resources the same identifier`,
        expected: "two identifiers",
        actual: `${one?.join(", ")}`,
      });
    };
    context.judge.record(requirement, check(exchanges), exchanges);
    await context.judge.askAgain([requirement], exchanges, check);
  });
};

/**
 * Returns the identifiers of the created resources.
 * @throws NotTried when the call was refused, or its answer shows no identifier
 */
const idsIn = (
  { bindings, contract }: TrialContext,
  { operationId, produces }: Operation,
  exchange: Exchange,
): string[] => {
  if (!isAccepted(exchange)) throw new NotTried("refused", operationId, "a valid call", statusOf(exchange));
  const ids = produces.flatMap(({ pointer }, index) =>
    instancesAt(exchange.response?.json, (index === 0 ? bindings[operationId] : undefined) ?? pointer)
      .slice(0, 1)
      .map(({ value }) => String(value)),
  );
  const { resource = "" } = produces[0] ?? {};
  const located = ids.length === 0 ? createdAt(contract, resource, exchange) : undefined;
  if (located !== undefined) return [located];
  if (ids.length === 0) throw new NotTried("part-not-shown", `${operationId} shows no identifier`);
  return ids;
};
