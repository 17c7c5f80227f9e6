/** Identifiers in a path that name nothing, and ones that can't name anything. */

import { id, operationTrial } from "../../fixtures/financial-data/trial.ts";
import { checkRefused } from "../../helpers/checks/refusal.ts";
import type { Contract, Operation, Parameter } from "../../helpers/contract/contract.ts";
import { identifiersOf } from "../../helpers/contract/operation-requirements.ts";
import { isAccepted, statusOf } from "../../helpers/exchange/exchange.ts";
import type { Trial, TrialContext } from "../../helpers/trials/trial.ts";
import { sampleCalls } from "./success.trials.ts";

export const identifierTrials = (contract: Contract): Trial[] =>
  contract.operations.flatMap((operation) =>
    identifiersOf(operation).map((parameter) =>
      operationTrial(
        operation,
        `unknown-${parameter.name}`,
        `a ${parameter.name} that names nothing is answered with 404`,
        [`${operation.operationId}.unknown-${parameter.name}`, "errors.404-not-found"],
        (context) => tryUnknown(context, operation, parameter),
      ),
    ),
  );

const tryUnknown = async (
  context: TrialContext,
  operation: Operation,
  parameter: Parameter,
): Promise<void> => {
  const requirement = id(`${operation.operationId}.unknown-${parameter.name}`);
  const [call] = await sampleCalls(context, operation, 1);
  const known = call?.path?.[parameter.name];
  if (call === undefined || known === undefined) return;
  const withId = (value: string) => ({ ...call, path: { ...call.path, [parameter.name]: value } });
  const unknown = await context.send(withId(anotherLike(known, context.seed)));
  const malformed = await context.send({ ...withId("no identifier!"), judged: false });
  const twin = await context.send(call);
  const what = { what: `a ${parameter.name} that names nothing`, pointer: parameter.name };
  const result = checkRefused(what, unknown, twin, [404]);
  if (result === undefined) {
    const reason = `the call with a known ${parameter.name} was refused with ${statusOf(twin)}`;
    context.judge.notTried(requirement, reason);
    context.judge.notTried(id("errors.404-not-found"), reason);
    return;
  }
  context.judge.record(requirement, result, [unknown, twin]);
  context.judge.record(id("errors.404-not-found"), result, [unknown, twin]);
  const answer = isAccepted(malformed) ? "accepted" : `refused with ${statusOf(malformed)}`;
  context.judge.observe(
    "400 and 404 absent from some operation tables",
    operation.operationId,
    `a malformed ${parameter.name}: ${answer}`,
  );
};

/** An identifier of the same form with other digits and letters, so that a server reads it and finds nothing. */
const anotherLike = (known: string, seed: number): string => {
  let state = seed >>> 0;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 0x1_0000_0000) * below);
  };
  const other = [...known]
    .map((character, index) => {
      if (/\d/.test(character)) return String(index === 0 ? 1 + next(9) : next(10));
      if (/[a-f]/i.test(character)) return "abcdef"[next(6)];
      return character;
    })
    .join("");
  return other === known ? `${known.slice(0, -1)}${known.endsWith("7") ? "3" : "7"}` : other;
};
