/** Repeated calls of a service without handlers of its own: a creation with a known idempotency key gets the first answer. */
import type { Operation } from "../../../helpers/contract/contract.ts";
import { creates } from "../../../helpers/contract/lookups.ts";
import type { Answer, Handler } from "../../../mocks/engine/call.ts";
import { keyIgnored } from "../../../mocks/engine/deviations/rows.ts";

/** @returns a function that adds this to a handler */
export const createRepeats = () => {
  const answers = new Map<string, Answer>();
  return (operation: Operation, handle: Handler): Handler => {
    const { operationId, parameters } = operation;
    const key = parameters.find(({ in: place, name }) => place === "header" && /idempotency/i.test(name));
    if (key === undefined || !creates(operation)) return handle;
    return async (call) => {
      const value = call.headers[key.name.toLowerCase()];
      if (value === undefined || call.faulty(keyIgnored(operationId))) return handle(call);
      const { path, query, body } = call;
      const name = JSON.stringify([operationId, value, path, query, body]);
      const answer = answers.get(name) ?? (await handle(call));
      if (answer.status < 300) answers.set(name, answer);
      return answer;
    };
  };
};
