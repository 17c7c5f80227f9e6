/** Media types, and the ranges of them that a document names. */
import type { Random } from "../random.ts";

const essenceOf = (type: string): string => type.toLowerCase().split(";")[0]?.trim() ?? "";

/** Whether a documented media type or range of them covers a type. */
export const matchesType = (documented: string, type: string): boolean => {
  const [one, other] = [essenceOf(documented), essenceOf(type)];
  return one === "*/*" || one === other || (one.endsWith("/*") && other.startsWith(one.slice(0, -1)));
};

/** Returns a type that a documented range of types covers. */
export const concreteType = (random: Random, documented: string): string => {
  if (documented === "*/*" || documented === "application/*") return "application/json";
  return /json/.test(documented) && !documented.includes(";") && random.chance(30)
    ? `${documented}; charset=utf-8`
    : documented;
};
