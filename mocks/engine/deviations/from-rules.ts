/**
 * Derives deviations from the rules of a contract: violations of each rule, of which some are permitted because the rule
 * is assumed, and other forms of answers that only assumed rules forbid.
 */
import type { Contract } from "../../../helpers/contract/contract.ts";
import { parametersOf } from "../parameters.ts";
import type { Deviation, Difference, Fault, RequestEffect } from "./deviation.ts";
import { otherForms } from "./other-forms.ts";
import { violationsOfRules } from "./rule-violations.ts";

/** Deviations that are not permitted differences, by id without the service. */
export interface ExcludedDeviations {
  /** The id of the documented requirement that forbids the deviation. */
  readonly forbidden?: Readonly<Record<string, string>>;
  /** Deviations in fields that no answer of the sandbox has, so that they would change nothing. */
  readonly unshown?: readonly string[];
}

/**
 * @param isFault whether a violation can be found
 * @throws Error when an excluded deviation is unknown, or the requirement that forbids it is not documented
 */
export const deviationsOfRules = (
  contract: Contract,
  { forbidden = {}, unshown = [] }: ExcludedDeviations,
  isFault: (violation: Fault) => boolean,
): Deviation[] => {
  const excluded = new Set([...Object.keys(forbidden), ...unshown]);
  const isExcluded = ({ id }: Deviation) => excluded.has(id.slice(contract.service.length + 1));
  const isAssumed = assumedIn(contract);
  const violations = violationsOfRules(contract).map((violation) => ({
    violation,
    permitted: isAssumed(violation.violates) && permittedAs(violation, contract, isAssumed),
  }));
  const forms = otherForms(contract, isAssumed);
  // A provider's document names its fields otherwise.
  if (contract.provider === null) {
    const permitted = violations.flatMap((one) => (one.permitted ? [one.violation] : []));
    assertExcludable(contract, [...permitted, ...forms], excluded, Object.values(forbidden));
  }
  return [
    ...violations.flatMap(({ violation, permitted }): Deviation[] => {
      const violates = isFault(violation) ? violation.violates : null;
      if (permitted && !isExcluded(violation)) return [{ ...violation, violates, ...permitted }];
      return violates === null ? [] : [violation];
    }),
    ...forms.filter((form) => !isExcluded(form)),
  ];
};

const assumedIn = ({ requirements }: Contract): ((requirement: string) => boolean) => {
  const assumed = new Set(requirements.flatMap(({ id, level }) => (level === "assumed" ? [id] : [])));
  return (requirement) => assumed.has(requirement);
};

const assertExcludable = (
  { service, requirements }: Contract,
  all: readonly Deviation[],
  names: ReadonlySet<string>,
  forbidding: readonly string[],
): void => {
  const known = new Set(all.map(({ id }) => id));
  const stated = new Set(requirements.flatMap(({ id, level }) => (level === "assumed" ? [] : [id])));
  const unknown =
    [...names].find((name) => !known.has(`${service}.${name}`)) ??
    forbidding.find((requirement) => !stated.has(`${service}.${requirement}`));
  if (unknown !== undefined) throw new Error(`${service} has no ${unknown}, which excludes a difference.`);
};

/** Describes a violation that only accepts more requests; `undefined` if it refuses some, or changes answers. */
const permittedAs = (
  { id, violates, effects }: Fault,
  contract: Contract,
  isAssumed: (requirement: string) => boolean,
): Omit<Difference, keyof Deviation> | undefined => {
  const isOutbound = (of: string) =>
    contract.operations.some(({ outbound, operationId }) => outbound && operationId === of);
  const requests = effects.filter(
    (effect): effect is RequestEffect => effect.kind === "request" && !isOutbound(effect.of),
  );
  if (requests.length === 0 || !LAX.test(id)) return undefined;
  return {
    kind: "request",
    what: `Requests that break ${violates} are accepted.`,
    gaps: [],
    operations: [...new Set(requests.map(({ of }) => of.split("?")[0] ?? ""))],
    affects: [violates, ...namesakesOf(contract, requests).filter(isAssumed)],
    silences: [],
  };
};

/** Returns the requirements of the parameters that the effects change because a field of the body has the same name. */
const namesakesOf = ({ rules }: Contract, effects: readonly RequestEffect[]): string[] =>
  rules.flatMap(({ operationId, place, parameter, requirement }) =>
    place !== undefined &&
    effects.some(({ of, pointer }) => of === parametersOf(operationId, place) && pointer === `/${parameter}`)
      ? [requirement]
      : [],
  );

const LAX = /[.-](not-enforced|longer-accepted|shorter-accepted)$/;
