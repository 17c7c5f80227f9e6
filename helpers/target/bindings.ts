/** Bindings: the places in responses of values for later calls, for names that the documents leave open. */
import { readFileSync } from "node:fs";
import { fileProblem } from "../contract/file-problem.ts";
import { ConfigurationError } from "./load-target.ts";
import type { Target } from "./target.ts";

/** JSON pointers into success bodies, by operationId; `*` matches any item of an array. */
export type Bindings = Readonly<Record<string, string>>;

/**
 * Reads the file that BINDINGS names; without it, there are no bindings.
 * @param known operationIds that may be bound; any by default
 * @throws ConfigurationError
 */
export const loadBindings = async (
  target: Pick<Target, "values">,
  known?: readonly string[],
): Promise<Bindings> => {
  const file = target.values.BINDINGS;
  if (file === undefined) return {};
  const rows = await rowsOf(file);
  for (const [operationId, pointer] of Object.entries(rows)) {
    if (typeof pointer !== "string" || (pointer !== "" && !pointer.startsWith("/"))) {
      throw new ConfigurationError(
        `BINDINGS: ${file}: ${operationId}: write a JSON pointer, as in "/plan/id".`,
      );
    }
    if (known !== undefined && !known.includes(operationId)) {
      throw new ConfigurationError(`BINDINGS: ${file}: there is no operation "${operationId}".`);
    }
  }
  return rows as Bindings;
};

/** Reads the rows of the file. Loads the YAML parser only when it is needed. */
const rowsOf = async (file: string): Promise<Record<string, unknown>> => {
  const { parse } = await import("yaml");
  let rows: unknown;
  try {
    rows = parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new ConfigurationError(`BINDINGS: ${file} can't be read: ${fileProblem(error)}`);
  }
  if (typeof rows !== "object" || rows === null || Array.isArray(rows)) {
    throw new ConfigurationError(`BINDINGS: ${file}: write lines of the form operationId: "/json/pointer".`);
  }
  return rows as Record<string, unknown>;
};
