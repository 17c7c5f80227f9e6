/** Derives other forms of answers from the assumed rules of a contract: fields are absent, or have other names, types or formats. */
import type { Contract, Operation, Rule } from "../../../helpers/contract/contract.ts";
import { groupBy, memoize } from "../../../helpers/contract/memoize.ts";
import { segmentsOf } from "../../../helpers/contract/pointer.ts";
import type { Edit } from "../values/pointer.ts";
import type { AnswerEffect, Difference } from "./deviation.ts";
import { edited } from "./rows.ts";

/** Each difference deviates from one rule, or several alike. */
export const otherForms = (contract: Contract, isAssumed: (requirement: string) => boolean): Difference[] => {
  const operations = new Map(contract.operations.map((operation) => [operation.operationId, operation]));
  const rules = contract.rules.filter(
    (rule) =>
      rule.direction === "response" &&
      isAssumed(rule.requirement) &&
      rule.alternative === undefined &&
      rule.pointer !== "",
  );
  const rows = rules.flatMap((rule) => formsOf(rule, operations.get(rule.operationId) as Operation));
  // Not every documented refusal can be caused, so a difference needs a success.
  const groups = [...groupBy(rows, ({ id }) => id)].filter(([, group]) => group.some(isOfSuccess));
  return groups.map(([id, group]): Difference => {
    const [{ rule, sentence, isNeeded }] = group as [OtherForm];
    const ids = [...new Set(group.map((row) => row.rule.operationId))];
    return {
      id,
      service: contract.service,
      violates: null,
      kind: "response",
      what: `${sentence} (${rule.requirement}).`,
      gaps: [],
      // The innermost first: a place inside a removed part can't be found any more.
      effects: [...group].sort((one, other) => depthOf(other) - depthOf(one)).flatMap(effectsOf),
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

interface OtherForm {
  readonly id: string;
  readonly rule: Rule;
  readonly sentence: string;
  readonly edit: Edit;
  readonly isNeeded: boolean;
}

const formsOf = (rule: Rule, operation: Operation): OtherForm[] => {
  const { keyword, requirement, pointer, schema } = rule;
  const isPart = PARTS.includes(schema.type) || schema.properties !== undefined || schema.items !== undefined;
  const isNeeded = placesOf(operation).some((place) => place === pointer || place.startsWith(`${pointer}/`));
  const place = isNeeded ? `${requirement}.${rule.status}-${segmentsOf(pointer).join("-")}` : requirement;
  const form = (name: string, sentence: string, edit: Edit): OtherForm => ({
    id: `${place}.${name}`,
    rule,
    sentence,
    edit,
    isNeeded,
  });
  if (keyword === "required") {
    const what = isPart ? "parts" : "fields";
    const absent = form(`${what}-absent`, "Fields are absent", { remove: true });
    const renamed = form(`${what}-renamed`, "Fields have other names", {
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
    return [form(name, "Fields have another type", { convert: "another-type" })];
  }
  // A longer address is another address.
  if (keyword === "maxLength" && schema.format === "uri") return [];
  if (keyword === "format" && !HAS_OTHER.test(String(rule.value))) return [];
  const [name, sentence, edit] = CONVERTED[keyword] ?? [];
  return name === undefined || sentence === undefined || edit === undefined
    ? []
    : [form(name, sentence, edit(rule))];
};

const IDENTIFIER = /id$/i;

const PARTS: readonly unknown[] = ["object", "array"];

/** Returns the places of an answer that lead to the next call. */
const placesOf = memoize(({ produces, finds, list, token, progress }: Operation): string[] =>
  [
    ...[...produces, ...finds].map(({ pointer }) => pointer),
    ...Object.values(list ?? {}),
    token ?? [],
    progress ?? [],
  ].flat(),
);

/** By keyword: the name, the sentence, and the change of values that keep their meaning in a form that it does not allow. */
const CONVERTED: Readonly<Record<string, [name: string, sentence: string, edit: (rule: Rule) => Edit]>> = {
  enum: ["other-spelling", "Values are spelled in another way", () => ({ convert: "other-spelling" })],
  format: ["another-format", "Values have another format", () => ({ convert: "another-format" })],
  maxLength: [
    "longer",
    "Texts are longer than assumed",
    ({ value }) => ({ lengthen: (value as number) + 1 }),
  ],
};

/** Formats of values that can be written in another way. */
const HAS_OTHER = /date|uuid/;

const nameOf = ({ pointer }: Rule): string => segmentsOf(pointer).findLast((token) => token !== "*") ?? "";

const isOfSuccess = ({ rule: { status = 0 } }: OtherForm): boolean => status < 300;

const depthOf = ({ rule }: OtherForm): number => segmentsOf(rule.pointer).length;

const effectsOf = ({ rule: { operationId, status, pointer }, edit }: OtherForm): AnswerEffect[] =>
  edited({ operationId, ...(status !== undefined && { status }) }, pointer, edit);
