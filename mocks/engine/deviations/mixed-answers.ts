/** Faults of caches and races: a call gets the answer to another call of the same operation. */
import type { Operation } from "../../../helpers/contract/contract.ts";
import { keptIn } from "../../../helpers/contract/once.ts";
import type { Answer, Call } from "../call.ts";

/** @param tenant the owner of the answers: they do not leave it */
export const mixed = async (
  tenant: object,
  { operationId }: Operation,
  { faulty }: Pick<Call, "faulty">,
  handle: () => Answer | Promise<Answer>,
): Promise<Answer> => {
  if (faulty(`simultaneous-answers-shared-${operationId}`)) return shared(tenant, operationId, handle);
  const answer = await handle();
  if (answer.status >= 300 || !faulty(`first-answer-repeated-${operationId}`)) return answer;
  // A cache whose key is the operation alone.
  return keptIn(
    keptIn(firstAnswers, tenant, () => new Map()),
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
  const pending = keptIn(pendingAnswers, tenant, () => new Map());
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
