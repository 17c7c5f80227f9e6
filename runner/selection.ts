/** What a run tries: the operations and requirements that the flags name. */
import type { Contract, Operation } from "../helpers/contract/contract.ts";
import { didYouMean } from "../helpers/contract/nearest.ts";
import { ConfigurationError } from "../helpers/target/load-target.ts";
import { isSelected, type Selection } from "../helpers/trials/run-info.ts";
import type { PlanFlags } from "./planned-run.ts";

/** @throws ConfigurationError for a name of nothing, and if nothing is left */
export const selectionOf = (flags: PlanFlags, contracts: readonly Contract[]): Selection | null => {
  const { requirement: requirements } = flags;
  const operations = operationsFor(flags, contracts);
  if (operations === undefined && requirements === undefined) return null;
  const known = contracts.flatMap((contract) => contract.requirements.map(({ id }) => id));
  const unknown = requirements?.find((id) => !known.includes(id));
  if (unknown !== undefined)
    throw new ConfigurationError(`There is no requirement "${unknown}".${didYouMean(unknown, known)}`);
  const excluded = flags.exclude && operationsNamed(flags.exclude, contracts);
  const selection = {
    ...(operations && { operations }),
    ...(excluded && { excluded }),
    ...(requirements && { requirements }),
  };
  const all = contracts.flatMap((contract) => contract.requirements);
  if (operations !== undefined && !all.some((one) => isSelected(selection, one)))
    throw new ConfigurationError(
      `None of the requirements is about ${operations.join(" or ") || "an operation that is left"}: leave out --operation, or select others.`,
    );
  return selection;
};

/** Returns the ids of the operations that --operation and --exclude leave; `undefined` if neither is given. */
export const operationsFor = (
  { operation, exclude = [] }: PlanFlags,
  contracts: readonly Contract[],
): readonly string[] | undefined => {
  if (operation === undefined && exclude.length === 0) return undefined;
  const excluded = operationsNamed(exclude, contracts);
  return operationsNamed(operation ?? ["*"], contracts).filter((id) => !excluded.includes(id));
};

/** @throws ConfigurationError for a text that names no operation */
const operationsNamed = (texts: readonly string[], contracts: readonly Contract[]): readonly string[] => {
  const all = contracts.flatMap(({ operations }) => operations);
  const ids = texts.flatMap((text) => {
    const named = all.filter((operation) => isNamed(text, operation));
    if (named.length > 0) return named.map(({ operationId }) => operationId);
    const known = [...new Set(all.flatMap(({ operationId, aliases }) => [operationId, ...aliases]))];
    throw new ConfigurationError(`There is no operation "${text}".${didYouMean(text, known)}`);
  });
  return [...new Set(ids)];
};

/** Whether a text names an operation by its id, tag, method or path, in which `*` stands for any text. */
const isNamed = (text: string, { operationId, aliases, method, path }: Operation): boolean => {
  const parts = text.split("*").map((part) => part.replaceAll(/[^\w\s]/g, "\\$&"));
  const pattern = new RegExp(`^${parts.join(".*")}$`);
  return [operationId, ...aliases, method, path, `${method} ${path}`].some((name) => pattern.test(name));
};
