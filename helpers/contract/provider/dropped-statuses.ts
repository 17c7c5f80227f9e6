/** Requirements about a status that a provider's document no longer lists: two documents contradict each other. */
import type { Contract, Operation, Requirement } from "../contract.ts";

/** Returns the statuses and classes that a document lists for an operation. */
export const listedBy = ({ responses, statusClasses = {} }: Operation): string[] => [
  ...Object.keys(responses),
  ...Object.keys(statusClasses),
];

/** The status that a requirement of one operation is about: `SERVICE.OPERATION.203-mfa`. */
const STATUS = /\.([1-5])(\d\d)(?:-[a-z-]+)?$/;

/**
 * Whether the requirement demands a status that the provider's document does not list for its operation. Who breaks it
 * keeps one of the two documents.
 */
export const isDropped = (
  { id, operations }: Requirement,
  listed: Contract["differences"]["statuses"],
): boolean => {
  const [operationId = "", ...others] = operations;
  const [, first, rest] = STATUS.exec(id) ?? [];
  const statuses = listed[operationId];
  if (first === undefined || others.length > 0 || statuses === undefined) return false;
  return ![`${first}${rest}`, `${first}XX`].some((one) => statuses.includes(one));
};
