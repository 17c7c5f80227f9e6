/**
 * Leaves out trials of a run at quick depth: what it tries at another place of a large document, because servers check a
 * component in one place of their code, and what finds the fewest kinds of faults for its requests. The trial of each whole
 * body tries fields of all components.
 */
import type { Contract, JsonSchema, Operation, Rule } from "../../contract/contract.ts";
import { requestRulesOf } from "../../contract/lookups.ts";
import { getOrInsert, groupBy } from "../../contract/memoize.ts";
import { because, type Reason } from "../../reasons/reason.ts";
import type { Trial } from "../trial.ts";
import { isRuleTrial } from "./rules.ts";

/** The number of trials of rules up to which a run of quick depth tries each rule at each place. */
const FEW = 500;

/** @param trials of a run at quick depth, without those that the user did not select */
export const withoutRepeated = (contract: Contract, trials: readonly Trial[]): readonly Trial[] => {
  const wanted = groupBy(trials.filter(isRuleTrial), ({ requirements: [id = ""] }) => id);
  if (wanted.size <= FEW) return trials;
  const tried = new Map<JsonSchema, Map<string, string>>();
  const elsewhere = new Map<string, string>();
  for (const operation of [...contract.operations].sort((one, other) => needsOf(one) - needsOf(other))) {
    const rules = groupBy(requestRulesOf(contract, operation.operationId), ({ requirement }) => requirement);
    for (const [id, own] of rules) {
      if (!wanted.has(id)) continue;
      const known = own.map((rule) => (isShared(rule) && tried.get(rule.schema)?.get(rule.keyword)) || "");
      const [first] = known;
      if (first && known.every((place) => place !== "")) elsewhere.set(id, first);
      else
        for (const rule of own.filter(isShared))
          getOrInsert(tried, rule.schema, () => new Map<string, string>()).set(rule.keyword, id);
    }
  }
  return trials.map((trial) => {
    const [id = ""] = trial.requirements;
    const place = isRuleTrial(trial) ? elsewhere.get(id) : undefined;
    return place === undefined ? trial : leftOut(trial, because("tried-elsewhere", place));
  });
};

/** @param left the ids of trials that find the fewest kinds of faults for their requests */
export const withoutLeast = (trials: readonly Trial[], left: ReadonlySet<string>): readonly Trial[] =>
  trials.map((trial) => (left.has(trial.id) ? leftOut(trial, because("left-out-by-depth")) : trial));

const leftOut = (trial: Trial, reason: Reason): Trial => ({
  ...trial,
  run: async ({ judge }) => {
    for (const id of trial.requirements) judge.notTried(id, reason);
  },
});

/** The calls that need the fewest resources are most likely to be arranged. */
const needsOf = ({ parameters }: Operation): number =>
  parameters.filter(({ resource }) => resource !== undefined).length;

const isShared = ({ schemaName, alternative, untried, parameter }: Rule): boolean =>
  schemaName !== undefined && alternative === undefined && untried === undefined && parameter === undefined;
