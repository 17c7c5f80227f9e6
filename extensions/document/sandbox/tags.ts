/** The entity tags of a service without handlers of its own, and the conditions about them (RFC 9110, 13.1). */
import type { Contract, Operation } from "../../../helpers/contract/contract.ts";
import { getOrInsert, memoize } from "../../../helpers/contract/memoize.ts";
import { isConditional, taggedReadOf } from "../../../helpers/contract/views.ts";
import type { Call, Handler } from "../../../mocks/engine/call.ts";
import { conditionIgnored } from "../../../mocks/engine/deviations/rows.ts";
import { completerFor } from "../../../mocks/engine/values/complete.ts";
import type { Fields } from "../../../mocks/engine/values/fields.ts";
import { hashOf } from "../../../mocks/engine/values/random.ts";

/** @param handle answers a call of another operation */
export const createTags = (contract: Contract, handle: (call: Call) => ReturnType<Handler>) => {
  const first = new Map<string, string>();
  /** Returns the tag of a read: it changes with its content. */
  const tagOf = ({ operation, path, query, faulty }: Call, json: unknown): string => {
    const tag = JSON.stringify(hashOf(JSON.stringify(json) ?? "").toString(16));
    if (!faulty(conditionIgnored(operation.operationId, "change"))) return tag;
    return getOrInsert(first, JSON.stringify([operation.operationId, path, query]), () => tag);
  };
  const presentTag = async (call: Call): Promise<string | undefined> => {
    const read = taggedReadOf(contract, call.operation);
    const answer =
      read && (await handle({ ...call, operation: read, query: {}, headers: {}, body: undefined }));
    return answer?.headers?.etag;
  };
  return {
    /** Handles a read, whose answer gets a tag, and no content if the call names this tag. */
    tagged:
      (operation: Operation, handler: Handler): Handler =>
      async (call) => {
        const answer = await handler(call);
        const headers = { ...answer.headers, etag: tagOf(call, answer.json) };
        if (!isTagged(operation) || answer.status >= 300 || !fits(call, headers.etag)) return answer;
        const condition = String(call.headers["if-none-match"] ?? "");
        const isAny = condition !== "" && call.faulty(conditionIgnored(operation.operationId, "every"));
        const names = condition.split(",").map((one) => one.trim().replace(/^W\//, ""));
        const isSame = isConditional(operation) && (isAny || names.includes(headers.etag));
        return isSame ? { status: 304, headers } : { ...answer, headers };
      },
    /**
     * Whether a condition names a state that the sandbox has not shown: neither in a header nor in a field. The header of an
     * operation without a read has one value for all states.
     */
    async isStale(call: Call, kept: Fields | undefined): Promise<boolean> {
      const { operation, headers, faulty } = call;
      const { operationId } = operation;
      const condition = String(headers["if-match"] ?? "*");
      const isOpen = operation.responses[412] === undefined || faulty(`stale-accepted-${operationId}`);
      if (isOpen || /^\s*\*\s*$/.test(condition)) return false;
      const fields = Object.values(kept ?? {}).map(String);
      const present = faulty(conditionIgnored(operationId, "present")) ? undefined : await presentTag(call);
      const shown = [
        present,
        ...tagsOf(contract),
        ...fields,
        ...fields.map((field) => JSON.stringify(field)),
      ];
      return !condition.split(",").some((one) => shown.includes(one.trim().replace(/^W\//, "")));
    },
  };
};

/** Whether the answers of a read have tags that a client uses. */
const isTagged = (operation: Operation): boolean =>
  operation.method === "GET" && (isConditional(operation) || tagIn(operation.responses) !== undefined);

const tagIn = (responses: Operation["responses"]) =>
  Object.values(responses)
    .filter(({ status }) => status < 300)
    .flatMap(({ headers = {} }) => Object.entries(headers))
    .find(([name]) => /^etag$/i.test(name))?.[1].schema;

const fits = ({ operation, validators }: Call, tag: string): boolean =>
  validators.answer(tagIn(operation.responses) ?? {})(tag).length === 0;

/** Returns the values of the entity tags in answers. */
const tagsOf = memoize((contract: Contract): string[] =>
  contract.operations.flatMap(({ responses }) =>
    Object.values(responses).flatMap(({ headers = {} }) =>
      Object.entries(headers)
        .filter(([name]) => /^etag$/i.test(name))
        .map(([name, { schema }]) => String(completerFor(contract)(schema, undefined, name))),
    ),
  ),
);
