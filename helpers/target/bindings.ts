/** Bindings: the places in responses of values for later calls, for names that the documents leave open. */
import type { Bindings } from "../contract/contract.ts";
import { parseSource } from "../contract/documents/parse.ts";
import { isObject } from "../contract/json.ts";
import type { LoadOptions } from "../contract/load.ts";
import { ConfigurationError, readGiven } from "./load-target.ts";
import type { Target } from "./target.ts";

/**
 * Reads the file that BINDINGS names: JSON pointers into success bodies, by operationId; `*` matches any item of an array.
 * Without a file, there are no bindings.
 * @param known operationIds that may be bound; any by default
 * @throws ConfigurationError
 */
export const loadBindings = async (
  target: Pick<Target, "values">,
  known?: readonly string[],
): Promise<Readonly<Record<string, string>>> => {
  const file = target.values.BINDINGS;
  if (file === undefined) return {};
  const rows = rowsOf(file);
  for (const [operationId, pointer] of Object.entries(rows)) {
    if (!isPlace(pointer) && !isCorrection(pointer)) {
      throw new ConfigurationError(
        `BINDINGS: ${file}: ${operationId}: write a JSON pointer, as in "/plan/id".`,
      );
    }
    if (known !== undefined && !known.includes(operationId)) {
      throw new ConfigurationError(`BINDINGS: ${file}: there is no operation "${operationId}".`);
    }
  }
  return Object.fromEntries(
    Object.entries(rows).filter(([, pointer]) => typeof pointer === "string"),
  ) as Record<string, string>;
};

/**
 * Reads the user's corrections of the bindings between a contract and a provider's document, as a run writes them.
 * @throws ConfigurationError
 */
const correctionsIn = (file: string): Bindings =>
  Object.fromEntries(Object.entries(rowsOf(file)).filter(([, row]) => isCorrection(row))) as Bindings;

/** Returns how a contract is loaded with a provider's document, if there is one. @throws ConfigurationError */
export const loadOptionsOf = (
  providerFile: string | undefined,
  bindings: string | undefined,
): LoadOptions => {
  if (providerFile === undefined) return {};
  const corrections = bindings === undefined ? {} : correctionsIn(bindings);
  return { providerFile, ...(Object.keys(corrections).length > 0 && { corrections }) };
};

const isPlace = (value: unknown): boolean =>
  typeof value === "string" && (value === "" || value.startsWith("/"));

const isCorrection = (value: unknown): boolean =>
  isObject(value) &&
  Object.entries(value).every(
    ([ours, theirs]) =>
      /^((request|response) \/|(path|query|header|cookie) )./.test(ours) &&
      typeof theirs === "string" &&
      theirs !== "",
  );

const rowsOf = (file: string): Readonly<Record<string, unknown>> =>
  parseSource({ name: `BINDINGS: ${file}`, text: readGiven("BINDINGS", file) });
