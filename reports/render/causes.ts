/** Groups what has one cause: a rule of one schema, which many operations use. */
import type { Certificate, CertifiedRequirement, Finding } from "../certificate/certificate.ts";
import { groupByTitle } from "../order.ts";

/** The first item of a cause, and the others. */
export interface Shown<Item> {
  readonly first: Item;
  readonly others: readonly Item[];
}

/** Groups findings by cause, in the order of the first of each. Several examples of one requirement stay apart. */
export const findingsByCause = (certificate: Certificate, findings: readonly Finding[]): Shown<Finding>[] => {
  const tailOf = tails(certificate);
  const requirements = new Map(certificate.requirements.map((one) => [one.id, one]));
  const names = new Set(certificate.operations.map(({ operationId }) => operationId));
  const causeOf = ({ requirement, message, expected, accepted }: Finding): string => {
    const plain = message.replaceAll(/[\w-]+/g, (word) => (names.has(word) ? "…" : word));
    const source = requirements.get(requirement)?.source ?? "";
    return [tailOf(requirement), ruleIn(source, names), plain, expected, accepted === undefined].join("\n");
  };
  return groupByTitle(findings, causeOf).flatMap(({ items }) => {
    const ids = new Set(items.map(({ requirement }) => requirement));
    return ids.size === items.length ? shown(items) : items.flatMap((one) => shown([one]));
  });
};

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
