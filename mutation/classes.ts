/**
 * Groups the faults. The faults of one class violate the same kind of requirement, in the same way, at the same kind of
 * place, of the same kind of operation. What finds one of them is likely to find the others, so that a run with a budget
 * looks for classes first.
 */
import type { Contract, Operation } from "../helpers/contract/contract.ts";
import { isObject } from "../helpers/contract/json.ts";
import { memoize } from "../helpers/contract/memoize.ts";
import { levelOf } from "../helpers/trials/from-contract/rule-kinds.ts";
import { kindOf } from "../helpers/trials/from-contract/turns.ts";
import type { Effect, Fault } from "../mocks/engine/deviations/deviation.ts";

/** Returns the name of the class of a fault: the four kinds, separated by ` / `. */
export const classOf = (contract: Contract, fault: Fault): string => {
  const { service, id, violates, effects } = fault;
  const own = id.slice(violates.length + 1);
  const rule = violates.slice(service.length + 1);
  const operation =
    operationBefore(contract, rule, ".") ??
    operationBefore(contract, own, "-") ??
    operationIn(contract, effects);
  const kind = kindOfRule(withoutStart(rule, operation, "."));
  const [keyword, place] = wayOf(contract, effects, withoutStart(own, operation, "-"));
  return [service, kind, keyword, place, operation ? kindOf(operation) : "any operation"].join(" / ");
};

const operationBefore = ({ operations }: Contract, text: string, separator: string): Operation | undefined =>
  operations.find(({ operationId }) => `${text}${separator}`.startsWith(`${operationId}${separator}`));

const operationIn = ({ operations }: Contract, effects: readonly Effect[]): Operation | undefined => {
  const named = effects.map((effect) => ("when" in effect ? effect.when.operationId : undefined));
  return operations.find(({ operationId }) => named.includes(operationId));
};

const withoutStart = (text: string, operation: Operation | undefined, separator: string): string => {
  const start = `${operation?.operationId}${separator}`;
  return text.startsWith(start) ? text.slice(start.length) : text;
};

/** Leaves out the names of parameters and of fields. */
const kindOfRule = (rule: string): string => {
  const [section = "", ...rest] = rule.split(".");
  if (section.startsWith("unknown-")) return "unknown-id";
  const isNamed = /^(?:parameter|path-parameter|request|response)$/.test(section) && rest.length > 1;
  return isNamed ? `${section}.${rest.at(-1)}` : rule;
};

/** Returns the keyword, and the place in a body or in the answer. */
const wayOf = (contract: Contract, effects: readonly Effect[], name: string): readonly [string, string] => {
  const [effect] = effects;
  if (effect === undefined || effect.kind === "behaviour" || effect.kind === "habit")
    return [name, "behaviour"];
  if (!("pointer" in effect)) return [name, effect.kind];
  const fields = fieldsOf(contract);
  const keyword = name.split("-").filter((word) => word !== "items" && !fields.has(word));
  return [keyword.join("-"), `${effect.kind} ${levelOf(effect.pointer)}`];
};

/** All names of fields in the schemas of a contract. */
const fieldsOf = memoize((contract: Contract): ReadonlySet<string> => {
  const names = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isObject(value)) return;
    if (isObject(value.properties)) for (const name of Object.keys(value.properties)) names.add(name);
    Object.values(value).forEach(visit);
  };
  visit([contract.schemas, contract.operations]);
  return names;
});
