/** Parses YAML and JSON, and refuses what would keep a reader busy forever. */
import { CORE_SCHEMA, load, mergeTag, YAMLException } from "js-yaml";
import { isObject, type Json } from "../json.ts";
import { escapeSegment } from "../pointer.ts";
import { errorAt } from "./locate.ts";
import { ContractError, type SourceFile } from "./source-file.ts";
import { yaml } from "./yaml.ts";

/** The limit for nested values. Real documents need fewer, and recursive functions can follow as many. */
const MOST_LEVELS = 400;

/**
 * Parses one file.
 * @throws ContractError with line and column when the file is not YAML or JSON, or is not an object
 */
export const parseSource = (source: SourceFile): Json => {
  const value = parsed(source);
  if (!isObject(value))
    throw new ContractError(`${source.name}:1:1: the document must be an object with keys.`);
  refuseExpansion(source, value);
  return value;
};

/** Many documents share parts by merge keys (`<<`), which YAML 1.2 does not have. */
const MERGING = CORE_SCHEMA.withTags(mergeTag);

const parsed = (source: SourceFile): unknown => {
  try {
    return load(source.text, { schema: MERGING, maxDepth: MOST_LEVELS });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    return parsedLeniently(source, error);
  }
};

/** The limit of characters for the lenient parser, which is slow. */
const MOST_LENIENT = 8_000_000;

/**
 * Reads a document that closes a bracket too far to the left. Such a document is not YAML, but other tools read it.
 * @throws ContractError with the error of the first parser
 */
const parsedLeniently = (source: SourceFile, error: YAMLException): unknown => {
  if (error.reason === "deficient indentation" && source.text.length <= MOST_LENIENT) {
    const other = yaml().parseDocument(source.text, { prettyErrors: false, merge: true });
    if (other.errors.length === 0) return other.toJS({ maxAliasCount: 100 });
  }
  const { line = 0, column = 0 } = error.mark ?? {};
  const problem = error.reason.includes("maxDepth")
    ? `more than ${MOST_LEVELS} levels are nested`
    : error.reason;
  throw new ContractError(
    `${source.name}:${line + 1}:${column + 1}: ${problem}. Correct the syntax there; the file must be YAML or JSON.`,
  );
};

/** The limit for values that aliases repeat. */
const MOST_REPEATED = 1_000_000;

/** @throws ContractError for an alias that contains itself, or for aliases that repeat too many values */
const refuseExpansion = (source: SourceFile, root: Json): void => {
  const seen = new Set<unknown>();
  const entered = new Set<unknown>();
  let repeated = 0;
  const enter = (node: object, pointer: string): void => {
    if (entered.has(node))
      throw errorAt(source, pointer, "an alias contains itself", "Write the value instead of the alias.");
    if (seen.has(node)) repeated += 1;
    if (repeated > MOST_REPEATED)
      throw errorAt(source, pointer, "aliases repeat too many values", "Write fewer aliases within aliases.");
    if (entered.size > MOST_LEVELS)
      throw errorAt(source, pointer, `more than ${MOST_LEVELS} levels are nested`, "Write fewer levels.");
    seen.add(node);
    entered.add(node);
    for (const [key, value] of Object.entries(node))
      if (typeof value === "object" && value !== null) enter(value, `${pointer}/${escapeSegment(key)}`);
    entered.delete(node);
  };
  // Only aliases can make a value appear twice.
  if (source.text.includes("*")) enter(root, "");
};
