/** Tries a GET at paths that list other methods only (RFC 9110, 15.5.6). */
import type { Contract } from "../../helpers/contract/contract.ts";
import { type CheckResult, checkThat } from "../../helpers/exchange/check-result.ts";
import { operationTrial } from "../../helpers/trials/from-contract/operation-trial.ts";
import type { Policy } from "../../helpers/trials/from-contract/policy.ts";
import { sampleCalls } from "../../helpers/trials/from-contract/valid-calls.ts";
import { because, type Exchange, statusOf } from "../../helpers/trials/kit/language.ts";
import type { Trial } from "../../helpers/trials/trial.ts";
import { UNLISTED } from "./reading/converted.ts";

export const unlistedMethodTrials = (contract: Contract, policy: Policy): Trial[] =>
  contract.operations.flatMap((operation) => {
    const requirement = `${contract.service}.${operation.operationId}.${UNLISTED}`;
    const row = {
      name: UNLISTED,
      title: "a GET, which the path does not list, is refused with 405",
      requirements: [requirement],
    };
    return operationTrial({ contract, policy, operation }, row, async (context) => {
      const [call] = await sampleCalls(context, policy, operation, 1);
      const { path = {} } = call ?? {};
      const about = { operationId: operation.operationId, path, method: "GET" };
      const sent = await context.send({
        ...about,
        role: "probe",
        tries: "an unlisted method",
        judged: false,
      });
      const result = checkMethod(sent);
      const other = `a path that the document lists without GET answered ${statusOf(sent)}`;
      if (result === undefined) context.judge.notTried(requirement, because("permitted", other));
      else context.judge.record(requirement, result, [sent]);
      await context.judge.askAgain([requirement], [sent], ([changed = sent]) => checkMethod(changed));
    });
  });

/** @returns `undefined` if the answer says nothing of the method: a document may leave out operations */
const checkMethod = (sent: Exchange): CheckResult | undefined => {
  const status = statusOf(sent);
  if (status !== 405 && (status < 500 || status === 501 || status === 503)) return undefined;
  const isNamed = sent.response?.headers.allow !== undefined;
  return checkThat(status === 405 && isNamed, {
    pointer: status === 405 ? "allow" : "",
    message: `a method that the path does not list was answered with ${status}${status === 405 ? " without Allow" : ""}`,
    expected: "405, with the methods of the path in the header Allow",
    actual: `${status}`,
  });
};
