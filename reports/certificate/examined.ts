/** Tells which operations of a service a run examined: those that accepted a valid call. */
import type { Contract, Operation, Requirement } from "../../helpers/contract/contract.ts";
import { mayAlwaysRefuse } from "../../helpers/contract/lookups.ts";
import { because, type Reason, sentenceOf } from "../../helpers/reasons/reason.ts";
import type { OperationCount, TrialResult } from "../../helpers/trials/ledger.ts";
import type { RunInfo } from "../../helpers/trials/run-info.ts";
import { byText, groupByTitle, largestFirst } from "../order.ts";
import { counted, cut } from "../text.ts";
import type { RunFacts } from "./certificate.ts";

/** An operation that lacks a setting or a permission got no valid call: it is neither examined nor unexamined. */
export const examinationOf = (
  run: RunInfo,
  { service, operations }: Contract,
  trialResults: readonly TrialResult[],
  { traffic }: Pick<RunFacts, "traffic">,
) => {
  const results = trialResults.filter((result) => result.service === service);
  const counts = results.flatMap((result) => result.operations);
  const accepting = new Set(counts.filter(isAcceptance).map(({ operationId }) => operationId));
  const reasons = reasonsIn(results, counts);
  const meant = operations.filter((operation) => isMeant(run, operation));
  const examined = meant.filter(({ operationId }) => accepting.has(operationId)).length;
  const unexamined = new Map(
    meant.flatMap((operation) => {
      const { operationId } = operation;
      const reason = reasons.get(operationId);
      const isOut = accepting.has(operationId) || mayAlwaysRefuse(operation) || reason === undefined;
      return isOut ? [] : [[operationId, reason] as const];
    }),
  );
  // Traffic does not show what its client meant to call.
  const isRun = run.half === undefined && traffic === undefined;
  const isTried = unexamined.size > 0 || (isWhole(run) && results.some(hasPassed));
  const least = isRun ? Math.max(unexamined.size, 1) : 1;
  const isShown = run.half === "listener" || !isTried || examined >= least;
  return {
    /** Returns why a pass of the requirement shows nothing; `undefined` if it shows something. */
    doubtAbout({ kind, operations: ids }: Requirement): Reason | undefined {
      const [first] = ids.filter((id) => unexamined.has(id));
      // What refuses credentials is shown by the refusals themselves.
      if (!isRun || kind === "auth" || first === undefined || !ids.every((id) => unexamined.has(id)))
        return undefined;
      return because("no-valid-call", first, unexamined.get(first) ?? "");
    },
    // Why the service can't be certified.
    ...(!isShown && { problem: problemOf(service, examined, [...unexamined]) }),
  };
};

/** Whether a valid call was accepted, or redirected as the document says. */
const isAcceptance = ({ status, documented, valid = 0 }: OperationCount): boolean =>
  valid > 0 && status >= 200 && status < (documented ? 400 : 300);

/** Returns why operations accepted nothing, by operationId: what they answered, or what their calls lack. */
const reasonsIn = (
  results: readonly TrialResult[],
  counts: readonly OperationCount[],
): ReadonlyMap<string, string> => {
  const lacking = results.flatMap(({ unarranged }) =>
    (unarranged?.operations ?? []).map(
      (id) => [id, `was not called: ${unarranged && sentenceOf(unarranged.reason)}`] as const,
    ),
  );
  const refused = counts.flatMap(({ operationId, said }) =>
    said === undefined ? [] : [[operationId, `answered ${said}`] as const],
  );
  return new Map([...lacking, ...refused].sort(([, a], [, b]) => byText(b, a)));
};

/** A log-in is only the way to what a run is for, unless the user selected what it does. */
const isMeant = ({ selection }: RunInfo, { operationId, token }: Operation): boolean =>
  selection === null ? token === undefined : selection.operations?.includes(operationId) !== false;

const isWhole = ({ selection, shard }: RunInfo): boolean => selection === null && (shard?.total ?? 1) === 1;

const hasPassed = ({ entries }: TrialResult): boolean => entries.some(({ verdict }) => verdict === "passed");

/** Quotes the most frequent reason. @param unexamined operations and reasons */
const problemOf = (
  service: string,
  examined: number,
  unexamined: readonly (readonly [operationId: string, reason: string])[],
): string => {
  const [most] = groupByTitle(unexamined, ([, reason]) => reason).sort(largestFirst);
  const [first] = most?.items ?? [];
  if (first === undefined) return `No operation of ${service} accepted a valid call. Log-ins do not count.`;
  const meant = counted(examined + unexamined.length, "operation");
  return `${unexamined.length} of ${meant} of ${service} accepted no valid call: ${cut(first.join(" "), SHOWN)}`;
};

/** Characters. */
const SHOWN = 300;
