/**
 * Finds the operation of a request. Paths of a document may be the same but for the names of parameters, or but for a query
 * that is written in the path: `/jobs/{id}` and `/jobs/{name}`, `/?action=list` and `/?action=stop`.
 */
import type { Contract, Operation } from "../../helpers/contract/contract.ts";
import { groupBy } from "../../helpers/contract/memoize.ts";

/** The operations of one route, in the order of the contract. */
export interface Route {
  /** The path in the words of the router, whose parameters are `p1`, `p2`, … */
  readonly url: string;
  readonly method: Operation["method"];
  readonly operations: readonly [Operation, ...Operation[]];
}

/** @param mount the path of the service, before the paths of its operations */
export const routesOf = ({ operations }: Contract, mount: string): Route[] =>
  [...groupBy(operations, ({ method, path }) => `${method} ${urlOf(mount, path)}`).values()].map((all) => {
    const [{ method, path }] = all as [Operation];
    return { url: urlOf(mount, path), method, operations: all as Route["operations"] };
  });

/** Returns the path without the query and the fragment that are written in it: no server gets a fragment. */
export const barePath = (path: string): string => path.replace(/[?#].*$/s, "");

const urlOf = (mount: string, path: string): string => {
  let count = 0;
  const literal = `${mount}${barePath(path)}`.replaceAll(":", "::");
  return literal.replaceAll(/\{[^}]+\}(?=(.?))/g, (_, next: string) => {
    count += 1;
    // A parameter that is only a part of its segment needs an expression.
    return `:p${count}${next === "" || next === "/" ? "" : "(^[^/]+?)"}`;
  });
};

/** Gives the values of a route their names in the operation. */
export const namedValues = (
  { path }: Operation,
  values: Readonly<Record<string, string>>,
): Record<string, string> =>
  Object.fromEntries(
    [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = ""], index) => [name, values[`p${index + 1}`] ?? ""]),
  );

/**
 * Returns the operation of the route that a request means.
 * @param fit how well the request fits the parameters of an operation
 */
export const chosen = (
  { operations }: Route,
  query: Readonly<Record<string, unknown>>,
  fit: (operation: Operation) => number,
): Operation => {
  const [first] = operations;
  if (operations.length === 1) return first;
  const asked = operations
    .map((operation) => ({ operation, fixed: fixedQuery(operation) }))
    .filter(({ fixed }) => fixed.every(([name, value]) => [query[name]].flat().includes(value)))
    .sort((one, other) => other.fixed.length - one.fixed.length);
  const most = asked[0]?.fixed.length ?? 0;
  const named = asked.filter(({ fixed }) => fixed.length === most).map(({ operation }) => operation);
  const best = Math.max(...named.map(fit));
  return named.find((operation) => fit(operation) === best) ?? first;
};

const fixedQuery = ({ path }: Operation): [string, string][] => [
  ...new URLSearchParams(/\?([^#]*)/.exec(path)?.[1] ?? ""),
];
