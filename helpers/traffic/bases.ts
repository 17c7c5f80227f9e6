/** Finds the base URLs that the exchanges of an archive use, from the paths of operations. */
import type { Contract, Operation, Service } from "../contract/contract.ts";

/** A path of an operation identifies its service only if it has this many fixed segments. */
const FIXED_SEGMENTS = 2;

/** Returns a function that counts a URL for each base URL that it may belong to, and returns the most frequent ones. */
export const createBaseFinder = (contracts: readonly Contract[]) => {
  const patterns = contracts.flatMap(({ service, basePath, operations }) =>
    operations
      .filter((operation) => !operation.outbound && isDistinct(basePath, operation))
      .map((operation) => ({
        service,
        method: operation.method,
        pattern: new RegExp(`^(.*${quoted(basePath)})${patternOf(operation.path)}$`),
      })),
  );
  const counts = new Map<Service, Map<string, number>>();
  return {
    add(method: string, url: URL): void {
      for (const { service, method: own, pattern } of patterns) {
        const prefix = own === method ? pattern.exec(url.pathname)?.[1] : undefined;
        if (prefix === undefined) continue;
        const of = counts.get(service) ?? new Map<string, number>();
        const base = `${url.origin}${prefix}`;
        counts.set(service, of.set(base, (of.get(base) ?? 0) + 1));
      }
    },
    found: (): Record<Service, string> =>
      Object.fromEntries(
        [...counts].map(([service, of]) => [service, [...of].sort(([, a], [, b]) => b - a)[0]?.[0] ?? ""]),
      ),
  };
};

const isDistinct = (basePath: string, { path }: Operation): boolean =>
  `${basePath}${path}`.split("/").filter((part) => part !== "" && !part.startsWith("{")).length >=
  FIXED_SEGMENTS;

const patternOf = (path: string): string =>
  path
    .split(/\{[^}]+\}/)
    .map(quoted)
    .join("[^/]+");

const quoted = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
