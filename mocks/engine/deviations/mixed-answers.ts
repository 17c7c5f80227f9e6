/** Faults of caches and races: a call gets the answer to another call of the same operation. */
import type { Operation } from "../../../helpers/contract/contract.ts";
import { getOrInsert } from "../../../helpers/contract/memoize.ts";
import type { Answer, Call, GeneralBehaviour } from "../call.ts";

/** @param tenant the owner of the answers: they do not leave it */
export const mixed = async (
  tenant: object,
  { operationId }: Operation,
  call: Call,
  handle: () => Answer | Promise<Answer>,
): Promise<Answer> => {
  const { faulty } = call;
  if (faulty(`simultaneous-answers-shared-${operationId}`)) return shared(tenant, operationId, handle);
  const answer = await withDeleted(tenant, call, handle);
  if (answer.status >= 300 || !faulty(`first-answer-repeated-${operationId}`)) return answer;
  // A cache whose key is the operation alone.
  return getOrInsert(
    getOrInsert(firstAnswers, tenant, () => new Map()),
    operationId,
    () => answer,
  );
};

const firstAnswers = new WeakMap<object, Map<string, Answer>>();

/** Gives calls that arrive before the answer to an earlier call the same answer. */
const shared = async (
  tenant: object,
  operationId: string,
  handle: () => Answer | Promise<Answer>,
): Promise<Answer> => {
  const pending = getOrInsert(pendingAnswers, tenant, () => new Map());
  const known = pending.get(operationId);
  if (known !== undefined) return known;
  const answer = new Promise((resolve) => setTimeout(resolve, OVERTAKING_MS)).then(handle);
  pending.set(operationId, answer);
  try {
    return await answer;
  } finally {
    pending.delete(operationId);
  }
};

const pendingAnswers = new WeakMap<object, Map<string, Promise<Answer>>>();

const OVERTAKING_MS = 30;

/** The name of the fault that a read, or a search by a parameter, shows what was deleted. */
export const shownAfterDeletion = (operationId: string, parameter?: string): GeneralBehaviour =>
  `shown-after-deletion-${operationId}${parameter === undefined ? "" : `-${parameter}`}`;

/** Repeats the answer from before a deletion, as an index does that the deletion does not reach. */
const withDeleted = async (
  tenant: object,
  { operation: { operationId, method }, path, query, faulty }: Call,
  handle: () => Answer | Promise<Answer>,
): Promise<Answer> => {
  const kept = getOrInsert(beforeDeletion, tenant, () => ({
    hasDeleted: false,
    answers: new Map<string, Answer>(),
  }));
  const isStale = [undefined, ...Object.keys(query)].some((name) =>
    faulty(shownAfterDeletion(operationId, name)),
  );
  const key = JSON.stringify([operationId, path, query]);
  const before = isStale && kept.hasDeleted ? kept.answers.get(key) : undefined;
  if (before !== undefined) return before;
  const answer = await handle();
  const isSuccess = answer.status < 300;
  kept.hasDeleted ||= isSuccess && method === "DELETE";
  if (isSuccess && isStale) kept.answers.set(key, answer);
  return answer;
};

const beforeDeletion = new WeakMap<object, { hasDeleted: boolean; readonly answers: Map<string, Answer> }>();
