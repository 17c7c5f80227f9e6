/** The names in paths, and the ids of operations. */
import type { Json } from "../../../helpers/contract/json.ts";

/** Returns the name of a path parameter with letters and digits only. Clients do not see it. */
export const plainName = (name: string): string =>
  name.replaceAll(/\W+(\w?)/g, (_, letter: string) => letter.toUpperCase());

export const plainPath = (path: string): string =>
  path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => `{${plainName(name)}}`);

export const namesIn = (path: string): string[] =>
  [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = ""]) => name);

/** Returns an id without characters that requirement ids cannot have. */
export const idOf = (node: Json, method: string, path: string): string => {
  const words = typeof node.operationId === "string" ? node.operationId : `${method} ${path}`;
  return words
    .replaceAll(/[{}]/g, "")
    .replaceAll(/[^\w-]+(\w?)/g, (_, letter: string) => letter.toUpperCase());
};

/** Returns what else selects an operation: its id as the document writes it, and its tags. */
export const aliasesOf = ({ operationId, tags }: Json): readonly string[] => [
  ...(typeof operationId === "string" ? [operationId] : []),
  ...(Array.isArray(tags) ? tags : []).map((tag) => `tag:${tag}`),
];
