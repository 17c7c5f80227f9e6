/** The fault that a read finds a resource below any parent: it answers as below the one that it belongs to. */
import { getOrInsert } from "../../../helpers/contract/memoize.ts";
import type { Answer, Call } from "../call.ts";
import { belowAnyParent } from "./rows.ts";

export const withAnyParent = async (
  tenant: object,
  call: Call,
  handle: (call: Call) => Promise<Answer>,
): Promise<Answer> => {
  const { operation, path, faulty } = call;
  if (!faulty(belowAnyParent(operation.operationId))) return handle(call);
  const known = getOrInsert(knownPaths, tenant, () => new Map<string, Call["path"]>());
  const child = JSON.stringify([operation.operationId, ...Object.values(path).slice(1)]);
  const answer = await handle(call);
  if (answer.status < 300) known.set(child, path);
  return answer.status < 300 ? answer : handle({ ...call, path: known.get(child) ?? path });
};

const knownPaths = new WeakMap<object, Map<string, Call["path"]>>();
