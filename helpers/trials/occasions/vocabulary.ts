/** The values that the enums of a contract list. */
import type { Contract } from "../../contract/contract.ts";
import { keptIn, oncePer } from "../../contract/once.ts";
import type { Vocabulary } from "./changes.ts";

export const vocabularyOf = oncePer(({ schemas, operations }: Contract): Vocabulary => {
  const others = new Map<string, Set<string>>();
  const read = (schema: unknown): void => {
    if (typeof schema !== "object" || schema === null) return;
    const { enum: values } = schema as { readonly enum?: unknown };
    const texts = Array.isArray(values) ? values.filter((value) => typeof value === "string") : [];
    for (const text of texts) {
      const known = keptIn(others, text.toLowerCase(), () => new Set<string>());
      for (const other of texts) if (other !== text) known.add(other);
    }
    for (const child of Object.values(schema)) read(child);
  };
  read(schemas);
  for (const { responses } of operations) {
    for (const { content } of Object.values(responses)) read(content);
  }
  return { othersLike: (value) => [...(others.get(value.toLowerCase()) ?? [])].slice(0, MOST_OTHERS) };
});

const MOST_OTHERS = 8;
