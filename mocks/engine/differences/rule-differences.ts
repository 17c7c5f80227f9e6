/** Derives permitted differences from the assumed rules of a contract: each deviates from one rule, or several alike. */
import type { Contract, Operation, Rule } from "../../../helpers/contract/contract.ts";
import { grouped, oncePer } from "../../../helpers/contract/once.ts";
import { segmentsOf } from "../../../helpers/contract/pointer.ts";
import type { AnswerEffect, RequestEffect } from "../faults/fault.ts";
import { faultsOfRules } from "../faults/rule-faults.ts";
import { parametersOf } from "../validators.ts";
import type { Edit } from "../values/pointer.ts";
import type { Difference } from "./difference.ts";

/** Deviations that are not permitted differences, by id without the service. */
export interface ExcludedDeviations {
  /** The id of the documented requirement that forbids the deviation. */
  readonly forbidden?: Readonly<Record<string, string>>;
  /** Deviations in fields that no answer of the sandbox has, so that they would change nothing. */
  readonly unshown?: readonly string[];
}

/** @throws Error when an excluded deviation is unknown, or the requirement that forbids it is not documented */
export const differencesOfRules = (contract: Contract, excluded: ExcludedDeviations = {}): Difference[] => {
  const all = [...requestDifferences(contract), ...responseDifferences(contract)];
  const { forbidden = {}, unshown = [] } = excluded;
  const names = new Set([...Object.keys(forbidden), ...unshown]);
  // A provider's document names its fields otherwise.
  if (contract.provider === null) assertExcludable(contract, all, names, Object.values(forbidden));
  return all.filter(({ id }) => !names.has(id.slice(contract.service.length + 1)));
};

const assertExcludable = (
  { service, requirements }: Contract,
  all: readonly Difference[],
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

/** Returns a difference for each fault that does not enforce an assumed rule. */
const requestDifferences = (contract: Contract): Difference[] => {
  const assumed = assumedIn(contract);
  const outbound = new Set(contract.operations.flatMap((one) => (one.outbound ? [one.operationId] : [])));
  return faultsOfRules(contract).flatMap(({ id, violates, service, effects }): Difference[] => {
    const requests = effects.filter(
      (effect): effect is RequestEffect => effect.kind === "request" && !outbound.has(effect.of),
    );
    if (!assumed.has(violates) || requests.length === 0 || !LAX.test(id)) return [];
    return [
      {
        id,
        service,
        kind: "request",
        what: `Requests that break ${violates} are accepted.`,
        gaps: [],
        effects: requests,
        operations: [...new Set(requests.map(({ of }) => of.split("?")[0] ?? ""))],
        affects: [violates, ...namesakesOf(contract, requests).filter((namesake) => assumed.has(namesake))],
        silences: [],
      },
    ];
  });
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

const responseDifferences = (contract: Contract): Difference[] => {
  const assumed = assumedIn(contract);
  const operations = new Map(contract.operations.map((operation) => [operation.operationId, operation]));
  const rules = contract.rules.filter(
    (rule) =>
      rule.direction === "response" &&
      assumed.has(rule.requirement) &&
      rule.alternative === undefined &&
      rule.pointer !== "",
  );
  const rows = rules.flatMap((rule) => deviationsOf(rule, operations.get(rule.operationId) as Operation));
  // Not every documented refusal can be caused, so a difference needs a success.
  const groups = [...grouped(rows, ({ id }) => id)].filter(([, group]) => group.some(isOfSuccess));
  return groups.map(([id, group]): Difference => {
    const [{ rule, sentence, isNeeded }] = group as [Deviation];
    const ids = [...new Set(group.map((row) => row.rule.operationId))];
    return {
      id,
      service: contract.service,
      kind: "response",
      what: `${sentence} (${rule.requirement}).`,
      gaps: [],
      // The innermost first: a place inside a removed part can't be found any more.
      effects: [...group].sort((one, other) => depthOf(other) - depthOf(one)).map(effectOf),
      operations: ids,
      affects: [rule.requirement],
      silences: requirementsOf(contract, ids),
      ...(isNeeded && { isNeeded }),
    };
  });
};

/** Returns the ids of the requirements of these operations. */
const requirementsOf = ({ requirements }: Contract, operations: readonly string[]): string[] =>
  requirements
    .filter((requirement) => requirement.operations.some((operation) => operations.includes(operation)))
    .map(({ id }) => id);

const assumedIn = oncePer(
  ({ requirements }: Contract) =>
    new Set(requirements.filter(({ level }) => level === "assumed").map(({ id }) => id)),
);

interface Deviation {
  readonly id: string;
  readonly rule: Rule;
  readonly sentence: string;
  readonly edit: Edit;
  readonly isNeeded: boolean;
}

const deviationsOf = (rule: Rule, operation: Operation): Deviation[] => {
  const { keyword, requirement, pointer, schema } = rule;
  const isPart = PARTS.includes(schema.type) || schema.properties !== undefined || schema.items !== undefined;
  const isNeeded = placesOf(operation).some((place) => place === pointer || place.startsWith(`${pointer}/`));
  const place = isNeeded ? `${requirement}.${rule.status}-${segmentsOf(pointer).join("-")}` : requirement;
  const deviation = (name: string, sentence: string, edit: Edit): Deviation => ({
    id: `${place}.${name}`,
    rule,
    sentence,
    edit,
    isNeeded,
  });
  if (keyword === "required") {
    const what = isPart ? "parts" : "fields";
    const absent = deviation(`${what}-absent`, "Fields are absent", { remove: true });
    const renamed = deviation(`${what}-renamed`, "Fields have other names", {
      rename: `${nameOf(rule)}Value`,
    });
    // An operation that lists things lists them somewhere.
    return pointer === operation.list?.items ? [renamed] : [absent, renamed];
  }
  // Another form of a value that the next call sends back is a difference of the server as a whole.
  if (isNeeded) return [];
  // An id of another type is a difference of the server as a whole, too.
  if (keyword === "type" && IDENTIFIER.test(nameOf(rule))) return [];
  if (keyword === "type") {
    const name = isPart ? "parts-of-another-type" : "fields-of-another-type";
    return [deviation(name, "Fields have another type", { convert: "another-type" })];
  }
  // A longer address is another address.
  if (keyword === "maxLength" && schema.format === "uri") return [];
  const converted =
    keyword === "format" && !HAS_OTHER.test(String(rule.value)) ? undefined : CONVERTED[keyword];
  if (converted !== undefined) return [deviation(converted.name, converted.sentence, converted.edit(rule))];
  return [];
};

const IDENTIFIER = /id$/i;

const PARTS: readonly unknown[] = ["object", "array"];

/** Returns the places of an answer that lead to the next call. */
const placesOf = oncePer(({ produces, finds, list, token, reportStatus }: Operation): string[] =>
  [
    ...[...produces, ...finds].map(({ pointer }) => pointer),
    ...Object.values(list ?? {}),
    token ?? [],
    reportStatus ?? [],
  ].flat(),
);

interface Conversion {
  readonly name: string;
  readonly sentence: string;
  readonly edit: (rule: Rule) => Edit;
}

/** By keyword: values keep their meaning, in a form that the keyword does not allow. */
const CONVERTED: Readonly<Record<string, Conversion>> = {
  enum: {
    name: "other-spelling",
    sentence: "Values are spelled in another way",
    edit: () => ({ convert: "other-spelling" }),
  },
  format: {
    name: "another-format",
    sentence: "Values have another format",
    edit: () => ({ convert: "another-format" }),
  },
  maxLength: {
    name: "longer",
    sentence: "Texts are longer than assumed",
    edit: ({ value }) => ({ lengthen: (value as number) + 1 }),
  },
};

/** Formats of values that can be written in another way. */
const HAS_OTHER = /date|uuid/;

const nameOf = ({ pointer }: Rule): string => segmentsOf(pointer).findLast((token) => token !== "*") ?? "";

const isOfSuccess = ({ rule: { status = 0 } }: Deviation): boolean => status < 300;

const depthOf = ({ rule }: Deviation): number => segmentsOf(rule.pointer).length;

const effectOf = ({ rule: { operationId, status, pointer }, edit }: Deviation): AnswerEffect => ({
  kind: "json",
  when: { operationId, ...(status !== undefined && { status }) },
  pointer,
  edit,
});
