/** Groups what has one cause: a rule of one schema, which many operations use. */
import { groupBy } from "../../helpers/contract/memoize.ts";
import type { Certificate, CertifiedRequirement, Finding } from "../certificate/certificate.ts";
import { groupByTitle } from "../order.ts";

/** The first item of a cause, and the others. */
export interface Shown<Item> {
  readonly first: Item;
  readonly others: readonly Item[];
}

/**
 * Groups findings by cause, in the order of the first of each. Several examples of one requirement stay apart, and what
 * a rule tells of an answer is not told again for its whole body.
 */
export const findingsByCause = (certificate: Certificate, findings: readonly Finding[]): Shown<Finding>[] => {
  const tailOf = tails(certificate);
  const requirements = new Map(certificate.requirements.map((one) => [one.id, one]));
  const names = new Set(certificate.operations.map(({ operationId }) => operationId));
  const causeOf = ({ requirement, message, expected, accepted }: Finding): string => {
    const plain = message.replaceAll(/[\w-]+/g, (word) => (names.has(word) ? "…" : word));
    const source = requirements.get(requirement)?.source ?? "";
    return [tailOf(requirement), ruleIn(source, names), plain, expected, accepted === undefined].join("\n");
  };
  const ofRules = new Map(findings.filter(isOfRule).map((one) => [placeOf(one), one]));
  const told = (one: Finding): Finding | undefined => (isOfRule(one) ? undefined : ofRules.get(placeOf(one)));
  const same = groupBy(findings, told);
  const withSame = (one: Finding): Finding[] => [one, ...(same.get(one) ?? [])];
  const first = findings.filter((one) => told(one) === undefined);
  return groupByTitle(first, causeOf).flatMap(({ items }) => {
    const ids = new Set(items.map(({ requirement }) => requirement));
    return ids.size === items.length
      ? shown(items.flatMap(withSame))
      : items.flatMap((one) => shown(withSame(one)));
  });
};

/** Whether the requirement states nothing but the rule that was broken. */
const isOfRule = ({ promise }: Finding): boolean => promise === undefined;

/** What two findings share that show one answer at one place. */
export const placeOf = ({ operationId, pointer, expected, actual, accepted, exchanges }: Finding): string =>
  [operationId, pointer, expected, actual, accepted === undefined, exchanges[0]?.id].join("\n");

/** Groups requirements with the same verdict by the rule of the schema that they come from, in their order. */
export const requirementsByRule = (
  certificate: Certificate,
  requirements: readonly CertifiedRequirement[],
): Shown<CertifiedRequirement>[] => {
  const tailOf = tails(certificate);
  const names = new Set(certificate.operations.map(({ operationId }) => operationId));
  return groupByTitle(requirements, (one) => {
    const rule = one.findings.length === 0 ? ruleIn(one.source, names) : "";
    const last = tailOf(one.id).split(".").slice(-2).join(".");
    const isOfSchema = rule !== "" && /\.(?:request|response)\./.test(one.id);
    return isOfSchema ? [rule, last, one.level, one.verdict, one.reason].join("\n") : one.id;
  }).flatMap(({ items }) => shown(items));
};

const shown = <Item>([first, ...others]: readonly Item[]): Shown<Item>[] =>
  first === undefined ? [] : [{ first, others }];

/** Returns a function that cuts the service and the operation from an id. */
const tails = ({ operations }: Certificate): ((id: string) => string) => {
  const prefixes = operations.map(({ service, operationId }) => `${service}.${operationId}.`);
  const known = new Set(prefixes);
  return (id) => {
    const dots = [...id.matchAll(/\./g)].map(({ index }) => id.slice(0, index + 1));
    const prefix = dots.findLast((one) => known.has(one));
    return prefix === undefined ? id : id.slice(prefix.length);
  };
};

/** Returns the schema that a source names, `openapi.yaml, Parcel`; empty if it names an operation. */
const ruleIn = (source: string, operations: ReadonlySet<string>): string => {
  const [, name = ""] = /, ([^,;]+)$/.exec(source) ?? [];
  return operations.has(name) ? "" : source;
};
