/** Judges the answers of a server in recorded traffic, by the checks of a run against a service. */
import { createObserver } from "../helpers/behaviour/observer.ts";
import { hasCode } from "../helpers/contract/code.ts";
import type { Contract, Requirement, Service } from "../helpers/contract/contract.ts";
import { isObject } from "../helpers/contract/json.ts";
import { atPointer } from "../helpers/contract/pointer.ts";
import { createValidator } from "../helpers/contract/schemas/schema-validator.ts";
import type { CheckResult } from "../helpers/exchange/check-result.ts";
import type { Exchange } from "../helpers/exchange/exchange.ts";
import { isRedactedJson, roundNumbersIn } from "../helpers/exchange/placeholder.ts";
import type { Recorder } from "../helpers/exchange/recorder.ts";
import { because, type Reason } from "../helpers/reasons/reason.ts";
import type { Seen } from "../helpers/traffic/seen.ts";
import type { Policy } from "../helpers/trials/from-contract/policy.ts";
import { observeResponse } from "../helpers/trials/from-contract/responses.ts";
import { createJudge, type Judge } from "../helpers/trials/judge.ts";
import { OBLIGES, type TrialResult, withReasons } from "../helpers/trials/ledger.ts";
import { createOccasions } from "../helpers/trials/occasions/occasions.ts";
import type { ObservedContext } from "../helpers/trials/trial.ts";

export const openServiceJudge = async (contracts: readonly Contract[], recorder: Recorder) => {
  const services = new Map(
    await Promise.all(
      contracts.map(async (contract) => {
        const { service } = contract;
        const id = `answers of ${service}`;
        const observer = createObserver(contract, id, recorder);
        const judge = withoutRedacted(createJudge(contract, { id, service }, recorder, observer));
        const observe = observeResponse(await policyOf(service));
        const occasions = createOccasions(true).inTrial({ observe, runsAgain: false }, contract, judge);
        const validator = createValidator(contract);
        const context: ObservedContext = { contract, judge, validator, session: {}, capabilities: UNKNOWN };
        return [service, { judge, context, occasions }] as const;
      }),
    ),
  );
  return {
    see({ exchange, service, exercises }: Seen): void {
      const judged = services.get(service);
      // The answers of exercises are not the answers of the server.
      if (judged === undefined || exchange.operationId === "" || exercises.length > 0) return;
      judged.judge.count(exchange);
      judged.occasions.observe(exchange, judged.context);
    },
    results: (): TrialResult[] =>
      contracts.flatMap((contract) => {
        const { judge, occasions } = services.get(contract.service) ?? {};
        occasions?.close();
        return judge === undefined ? [] : [withReasons(judge.result(), contract, reasonOf)];
      }),
  };
};

/** Traffic does not show what its target offers. */
const UNKNOWN: ObservedContext["capabilities"] = { has: () => false };

const reasonOf = ({ subject }: Requirement): Reason =>
  subject === "service" ? because("not-in-traffic") : OBLIGES[subject];

/** Ignores violations by values that the recording redacted. */
const withoutRedacted = (judge: Judge): Judge => ({
  ...judge,
  record(requirement, result, exchanges, sequence) {
    if (result.holds) return judge.record(requirement, result, exchanges, sequence);
    const isRedacted = exchanges.some(
      ({ response }) => response !== undefined && isRedactedJson(response.body.toString("utf8")),
    );
    if (!isRedacted || isByShownValue(result, exchanges))
      judge.record(requirement, result, exchanges, sequence);
  },
});

/** Whether a violation is by a value of one answer, or by its absence, and the recording shows that place. */
const isByShownValue = ({ pointer }: CheckResult, exchanges: readonly Exchange[]): boolean => {
  const [{ request, response } = {}, ...others] = exchanges;
  if (!pointer.startsWith("/") || others.length > 0 || request?.url.includes("‹")) return false;
  const value = atPointer(response?.json, pointer);
  if (value === undefined)
    return isObject(atPointer(response?.json, pointer.slice(0, pointer.lastIndexOf("/"))));
  const text = JSON.stringify(value);
  const rounded = roundNumbersIn(response?.body.toString("utf8") ?? "");
  return !text.includes("‹") && !rounded.some((number) => text.includes(String(number)));
};

const policyOf = async (service: Service): Promise<Policy> => {
  const NONE: Policy = { service, refusal: { statuses: [] } };
  if (!hasCode(`fixtures/${service}/policy.ts`)) return NONE;
  return ((await import(`../fixtures/${service}/policy.ts`)) as { readonly policy: Policy }).policy;
};
