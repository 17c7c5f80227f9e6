/** Reads the syntax trees of code, for the rules about code. */
import { isObject, type Json } from "../../../helpers/contract/json.ts";

const childrenOf = (node: unknown): Json[] =>
  Object.values(node as object)
    .flat()
    .filter((child): child is Json => isObject(child) && typeof child.type === "string");

/** Returns the nodes below a node in the order of the text. @param enters whether to go into a node */
export const nodesIn = (node: unknown, enters: (node: Json) => boolean = () => true): Json[] =>
  childrenOf(node).flatMap((child) => [child, ...(enters(child) ? nodesIn(child, enters) : [])]);

/** Returns the name of a variable or, in `t.name`, of the property. */
export const nameOf = (node: unknown): string => {
  const { name, property } = node as Json;
  return String(name ?? (property as Json | undefined)?.name);
};
