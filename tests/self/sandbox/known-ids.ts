/** Identifiers of resources that exist, by what they identify, so that random requests reach these resources. */
import { getOrInsert } from "../../../helpers/contract/memoize.ts";

export interface KnownIds {
  /** Reads the identifiers in data or in an answer. @param kind what a field `id` identifies, for example `customers` */
  learn(value: unknown, kind?: string): void;
  /** @param name of a path parameter, for example `customerId` or `customer_id` */
  of(name: string): readonly string[];
  all(): readonly string[];
}

const IN_A_PATH = /^[\w.~-]+$/;

/** How many are kept of a kind: the newest. */
const KEPT = 40;

export const knownIds = (): KnownIds => {
  const byKind = new Map<string, string[]>();
  const add = (kind: string, id: string): void => {
    const ids = getOrInsert(byKind, kind, () => []);
    if (ids.includes(id)) return;
    ids.push(id);
    if (ids.length > KEPT) ids.shift();
  };
  const learn = (value: unknown, kind = ""): void => {
    if (Array.isArray(value)) {
      for (const item of value) learn(item, kind);
    } else if (typeof value === "object" && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        if (!/id$/i.test(name) || typeof inner === "object") learn(inner, name);
        else if (IN_A_PATH.test(String(inner))) add(kindOf(name) || kindOf(kind), String(inner));
      }
    }
  };
  return {
    learn,
    of: (name) => byKind.get(kindOf(name)) ?? [],
    all: () => [...byKind.values()].flat(),
  };
};

/** `customerId`, `customer_id` and `customers` name the same kind. */
const kindOf = (name: string): string =>
  name
    .replaceAll(/[^a-z]/gi, "")
    .toLowerCase()
    .replace(/id$/, "")
    .replace(/ies$/, "y")
    .replace(/s$/, "");
