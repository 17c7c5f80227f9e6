/** Tries what only an earlier version of the document has: removed operations, and addresses that moved. */
import { versionOf } from "../../contract/changes.ts";
import type { ContractChange } from "../../contract/contract-change.ts";
import { validatorOf } from "../../contract/schemas/schema-validator.ts";
import { type CheckResult, checkThat } from "../../exchange/check-result.ts";
import { type Exchange, isAccepted, statusOf } from "../../exchange/exchange.ts";
import type { Call } from "../call.ts";
import { pathOf } from "../request.ts";
import { isUnserved } from "../served.ts";
import { NotTried } from "../stopped.ts";
import type { TrialContext } from "../trial.ts";
import type { Subject } from "./operation-trial.ts";
import { isPosition } from "./rule-requests.ts";
import { sampleCalls } from "./valid-calls.ts";

/** Calls an operation of the earlier version. An address that is not served any more is answered as one that never was. */
export const tryAddress = async (
  context: TrialContext,
  { contract: base, policy, operation }: Subject,
  { requirement }: ContractChange,
): Promise<void> => {
  const given = { ...context, contract: base, validator: validatorOf(base) };
  const [call] = (await sampleCalls(given, policy, operation, 1)) as [Call];
  const { method, path } = operation;
  const sent = await context.send({
    ...{ ...call, method, at: pathOf(operation, call) },
    ...{ role: "probe", judged: false },
  });
  const never = pathOf({ ...operation, path: neverServed(path) }, call);
  const mayBeUnknown = statusOf(sent) === 404 && operation.parameters.some(isPosition);
  const isGone = async () => statusOf(sent) === 410 || (!mayBeUnknown && isUnserved(context, sent, never));
  if (!isAccepted(sent) && !(await isGone()))
    throw new NotTried("left-open", `a refusal with ${statusOf(sent)} does not show that it is not served`);
  const check = (answer: Exchange): CheckResult =>
    checkThat(isAccepted(answer), {
      pointer: "",
      message: `${method} ${path} is answered as an address that is not served`,
      expected: `an answer of the operation ${operation.operationId} of ${versionOf(base)}`,
      actual: `${statusOf(answer)}`,
    });
  context.judge.record(requirement, check(sent), [sent]);
  await context.judge.askAgain([requirement], [sent], ([answer]) => check(answer as Exchange));
};

/** Returns a path with the same resources that no version has. */
const neverServed = (path: string): string => {
  const segments = path.split("/");
  const last = segments.findLastIndex((segment) => /^[^{}]+$/.test(segment));
  return last < 0 ? `${path}/never-served` : segments.with(last, "never-served").join("/");
};
