/** Matches URLs with the operations of contracts. */
import type { Contract, Operation, Service } from "../contract/contract.ts";
import { getOrInsert } from "../contract/memoize.ts";
import { percentDecoded } from "../contract/pointer.ts";

/** The target of a request. The security schemes have the names of headers that the contract of the service states. */
export interface Match extends Pick<Contract, "securitySchemes"> {
  readonly service: Service;
  /** `undefined` when the contract has no operation with this method and path. */
  readonly operation: Operation | undefined;
  /** Decoded path parameters by name. */
  readonly path: Readonly<Record<string, string>>;
}

interface Node {
  readonly literals: Map<string, Node>;
  /** The segments that are parameters, or contain some: `{id}`, `{name}.json`. The former are the last. */
  readonly parameters: { readonly template: string; readonly pattern: RegExp; readonly node: Node }[];
  /** By method. Several operations may share a path, if their paths state a query, or give parameters other names. */
  readonly operations: Map<string, Operation[]>;
}

/**
 * @param baseUrls addresses of the services that clients use
 * @returns a function that returns `undefined` when the URL is below no base URL of a service
 */
export const createMatcher = (
  contracts: readonly Contract[],
  baseUrls: Readonly<Record<Service, string>>,
): ((method: string, url: URL) => Match | undefined) => {
  const places = contracts
    .filter(({ service }) => baseUrls[service] !== undefined)
    .map((contract) => ({
      service: contract.service,
      securitySchemes: contract.securitySchemes,
      base: new URL(baseUrls[contract.service] ?? ""),
      tree: treeOf(contract),
    }))
    // The longer one of two base URLs with one origin is more specific.
    .sort((a, b) => b.base.pathname.length - a.base.pathname.length);
  return (method, url) => {
    let below: Match | undefined;
    for (const { service, securitySchemes, base, tree } of places) {
      const rest = base.origin === url.origin ? pathBelow(base.pathname, url.pathname) : undefined;
      if (rest === undefined) continue;
      const found = find(tree, rest.split("/"));
      const operation = chosen(found?.node.operations.get(method.toUpperCase()), url);
      const path = operation ? namedPath(operation, found?.values ?? []) : {};
      const match = { service, securitySchemes, operation, path };
      if (operation !== undefined) return match;
      below ??= match;
    }
    return below;
  };
};

const pathBelow = (base: string, path: string): string | undefined => {
  const prefix = base.replace(/\/+$/, "");
  if (path === prefix) return "/";
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : undefined;
};

/** Returns the operation whose path states the most of the query. */
const chosen = (operations: readonly Operation[] = [], { searchParams }: URL): Operation | undefined => {
  if (operations.length < 2) return operations[0];
  const stated = operations
    .map((operation) => ({ operation, query: queryIn(operation) }))
    .filter(({ query }) => query.every(([name, value]) => searchParams.getAll(name).includes(value)));
  return stated.sort((one, other) => other.query.length - one.query.length)[0]?.operation;
};

const queryIn = ({ path }: Operation): [string, string][] => [
  ...new URLSearchParams(/\?([^#]*)/.exec(path)?.[1] ?? ""),
];

const emptyNode = (): Node => ({ literals: new Map(), parameters: [], operations: new Map() });

const treeOf = ({ operations }: Contract): Node => {
  const root = emptyNode();
  for (const operation of operations) {
    let node = root;
    const [path = ""] = operation.path.split(/[?#]/);
    for (const segment of path.split("/").slice(1)) node = childOf(node, segment);
    getOrInsert(node.operations, operation.method, () => []).push(operation);
  }
  return root;
};

const childOf = (node: Node, segment: string): Node => {
  if (!segment.includes("{")) return getOrInsert(node.literals, segment, emptyNode);
  const template = segment.replaceAll(/\{[^}]*\}/g, "{}");
  const found = node.parameters.find((one) => one.template === template);
  if (found !== undefined) return found.node;
  const child = { template, pattern: patternOf(template), node: emptyNode() };
  node.parameters.push(child);
  node.parameters.sort((one, other) => other.template.length - one.template.length);
  return child.node;
};

const patternOf = (template: string): RegExp =>
  new RegExp(
    `^${template
      .split("{}")
      .map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join("(.+?)")}$`,
    "s",
  );

/** Searches from the segment with this index. */
const find = (
  node: Node,
  segments: readonly string[],
  at = 1,
  values: readonly string[] = [],
): { readonly node: Node; readonly values: readonly string[] } | undefined => {
  const segment = segments[at];
  if (segment === undefined) return node.operations.size > 0 ? { node, values } : undefined;
  const literal = node.literals.get(segment);
  const exact = literal && find(literal, segments, at + 1, values);
  if (exact !== undefined) return exact;
  for (const { pattern, node: inner } of node.parameters) {
    const [, ...parts] = pattern.exec(segment) ?? [];
    const found =
      parts.length === 0
        ? undefined
        : find(inner, segments, at + 1, [...values, ...parts.map(percentDecoded)]);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** A malformed segment stays as it is. */
const namedPath = ({ path }: Operation, values: readonly string[]): Record<string, string> =>
  Object.fromEntries(namesIn(path).map((name, index) => [name, values[index] ?? ""]));

/** Returns the names of the parameters in a path template. Templates are few. */
const namesIn = (path: string): readonly string[] =>
  getOrInsert(known, path, () => [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = ""]) => name));

const known = new Map<string, readonly string[]>();
