/** A contract with everything that its trials share in a session: validator, arranged resources and access tokens. */
import fc from "fast-check";
import type { Contract, Operation } from "../contract/contract.ts";
import { isEmptyList } from "../contract/list-end.ts";
import { type Validator, validatorOf } from "../contract/schemas/schema-validator.ts";
import { isFromDocument } from "../contract/services.ts";
import { contentOf, type Exchange, statusOf } from "../exchange/exchange.ts";
import { readUntil } from "../flows/read-until.ts";
import { validValues } from "../generate/valid.ts";
import { type Access, createAccess } from "./access.ts";
import { type Arranger, type ArrangerOptions, createArranger, type SharedArranger } from "./arrange.ts";
import type { Call } from "./call.ts";
import { isChosen } from "./resource-providers.ts";
import { seedOf } from "./seed.ts";
import type { Sender } from "./sending.ts";
import type { SessionParts } from "./session-parts.ts";
import { sourcesOf } from "./sources.ts";
import { hasStatedValues, type ValueSource, validCalls } from "./valid-call.ts";

export interface Equipped extends Sender {
  readonly validator: Validator;
  readonly operations: ReadonlyMap<string, Operation>;
  readonly arrange: SharedArranger;
}

export const equipContract = (contract: Contract, parts: SessionParts): Equipped => {
  const { options, bindings, clock, recorder, sending, tokens } = parts;
  const { target, capabilities, tag } = options;
  const sources = sourcesOf(contract.service);
  const validator = validatorOf(contract);
  let access: Access | undefined;
  /** The ids of operations that found nothing when they were called again. */
  const fruitless = new Set<string>();
  const answerTo = async (operation: Operation, arrange: Arranger, draw: string, source?: ValueSource) => {
    const given = { contract, validator, arrange, tag };
    const { calls } = await validCalls(given, operation, undefined, source);
    // Other workers and earlier runs made resources of the same draw, and a name may be unique.
    const seed = seedOf(options.seed, `${draw}${tag ?? ""}`);
    const [call] = fc.sample(calls, { numRuns: 1, seed, unbiased: true });
    const send = () => sending.send(equipped, operation, call as Call);
    const { operationId } = operation;
    const isEarly = (exchange: Exchange): boolean => mayFindLater(operation, exchange, bindings);
    const exchange = await readUntil({ clock }, send, (one) => fruitless.has(operationId) || !isEarly(one));
    if (isEarly(exchange)) fruitless.add(operationId);
    return exchange;
  };
  const arranging: ArrangerOptions = {
    contract,
    target,
    sources,
    capabilities,
    bindings,
    call: async (operation, arrange, draw) => {
      const first = await answerTo(operation, arrange, draw);
      if (!isFromDocument() || !mayBeCreated(operation, first)) return first;
      // What an optional field needs, or has already, and which values there are may be known to the server only.
      const bare = await answerTo(operation, arrange, draw, "bare");
      return mayBeCreated(operation, bare) && hasStatedValues(operation, contract)
        ? answerTo(operation, arrange, draw, "stated")
        : bare;
    },
    choose: (resource, draw) => {
      const named = contract.operations
        .flatMap(({ parameters }) => parameters)
        .find((one) => one.in === "path" && one.resource === resource);
      if (named === undefined) return undefined;
      const seed = seedOf(options.seed, `${draw} ${resource} ${tag ?? ""}`);
      const names = validValues(named.schema, { schemas: contract.schemas, validator, resources: {}, tag });
      // Others may have chosen a short one.
      const drawn = fc.sample(names, { numRuns: 20, seed, unbiased: true }).map(String);
      return drawn.find((name) => isChosen(contract, resource, name));
    },
    prepare: async (resource, value) => {
      if (sources[resource]?.linked) await capabilities.linkAccounts?.(value);
    },
  };
  const equipped: Equipped = {
    contract,
    validator,
    operations: operationsOf(contract),
    arrange: createArranger(arranging),
    access: () => access,
  };
  access = createAccess({
    ...equipped,
    // The access token needs its own arranger, because the calls of the shared arranger wait for the token.
    arrange: createArranger(arranging),
    ...{ target, clock, bindings },
    send: (operation, call) => sending.logIn(contract, operation, call),
    tokens,
    learn: (token, exchange, field) => recorder.learn(token, "ACCESS_TOKEN", { exchange, field }),
  });
  return equipped;
};

/** Returns all operations by their ids. A run may call what only an earlier version of the document has. */
const operationsOf = ({ operations, changes }: Contract): ReadonlyMap<string, Operation> =>
  new Map([...(changes?.base.operations ?? []), ...operations].map((one) => [one.operationId, one]));

/** Whether a creation was refused or failed that may succeed with other fields. */
const mayBeCreated = ({ produces }: Operation, exchange: Exchange): boolean =>
  produces.length > 0 && ([400, 409, 422].includes(statusOf(exchange)) || statusOf(exchange) >= 500);

/** Whether another resource is not found, or has an empty list: it may be new, and show late. */
const mayFindLater = (
  { operationId, method, path, finds }: Operation,
  exchange: Exchange,
  bindings: SessionParts["bindings"],
): boolean =>
  path.includes("{") &&
  (statusOf(exchange) === 404 ||
    (method === "GET" &&
      finds.some(({ pointer }) => isEmptyList(contentOf(exchange), bindings[operationId] ?? pointer))));

/** All sessions of the process share the compiled schemas. */
