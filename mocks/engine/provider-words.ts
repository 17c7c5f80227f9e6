/**
 * Translates between a provider's document and the handlers: names and places of fields and parameters, and the form of
 * identifiers.
 */
import type { Contract, JsonSchema, Operation } from "../../helpers/contract/contract.ts";
import { segmentsOf } from "../../helpers/contract/pointer.ts";
import { ALIASES, type Aliases, aliasesOf } from "./aliases.ts";
import type { Answer, Call, Handler } from "./call.ts";
import type { Delivery } from "./deliveries/deliveries.ts";
import type { Opening, OpenService, SandboxService, Situation } from "./service.ts";
import { type Completer, completerFor } from "./values/complete.ts";
import { type Fields, fieldsIn, isObject } from "./values/fields.ts";
import { type Flatten, flattener } from "./values/flat-schema.ts";
import { partsOf } from "./values/visit.ts";

interface Words {
  readonly flatten: Flatten;
  readonly aliases: Aliases;
  /** Absent if the handlers complete their answers themselves. */
  readonly complete?: Completer;
}

/** Opens the service for clients that follow the provider's document, if there is one. */
export const openInProviderWords = async (
  { open: start, completesAnswers }: SandboxService,
  opening: Opening,
): Promise<OpenService> => {
  const { contract, deliveries } = opening;
  if (contract.provider === null) return start(opening);
  const complete = completerFor(contract);
  const words: Words = {
    flatten: flattener(contract.schemas),
    aliases: aliasesOf(contract, fieldsIn(opening.data[ALIASES]) as Record<string, string>),
    ...(completesAnswers !== true && { complete }),
  };
  const schema = outboundSchema(contract);
  const sent = (delivery: Delivery): Delivery => {
    const body = words.aliases.outByName(delivery.body, schema);
    return {
      ...delivery,
      body: schema === undefined ? body : complete(schema, body, delivery.kind, "required"),
    };
  };
  const open = await start({
    ...opening,
    allows: words.aliases.keeps,
    deliveries: {
      ...deliveries,
      send: (delivery) => deliveries.send(sent(delivery)),
      note: (delivery) => deliveries.note(sent(delivery)),
    },
  });
  const { aliases } = words;
  const { link, dump } = open;
  return {
    ...open,
    authenticate: (call) => {
      const refusal = isPublic(call.operation) ? undefined : open.authenticate(call);
      return refusal && asTheirs(words, call.operation, refusal);
    },
    stores: () => ({
      ...open.stores?.(),
      ...Object.fromEntries(
        Object.entries(aliases.stores).map(([name, store]) => [`aliases-${name}`, store]),
      ),
    }),
    ...(dump && { dump: () => ({ ...dump(), [ALIASES]: aliases.known() }) }),
    gave: aliases.wasGiven,
    inWords: (answer, operation) => asTheirs(words, operation, answer),
    environment: (baseUrl) => aliases.outOfEnvironment(open.environment(baseUrl)),
    handlers: mapped(open.handlers, (handle) => translated(words, handle)),
    situations: mapped(
      open.situations,
      (arrange): Situation =>
        async (parameters) =>
          aliases.outOfEnvironment(await arrange(aliases.into(parameters) as Fields)),
    ),
    ...(link && {
      link: (parameters) => aliases.outByName(link(aliases.into(parameters) as Fields)) as Fields,
    }),
  };
};

/** Returns the schema of the calls that the service makes, if there is only one operation for them. */
const outboundSchema = ({ operations }: Contract): JsonSchema | undefined => {
  const [only, ...others] = operations.filter(({ outbound }) => outbound);
  return others.length === 0 ? only?.requestBody?.content["application/json"] : undefined;
};

/** Whether only the provider's document has the operation, and demands no credentials. */
const isPublic = ({ level, security }: Operation): boolean => level === "provider" && security.length === 0;

const mapped = <Value>(
  table: Readonly<Record<string, Value>>,
  change: (value: Value) => Value,
): Record<string, Value> =>
  Object.fromEntries(Object.entries(table).map(([name, value]) => [name, change(value)]));

const translated =
  (words: Words, handle: Handler): Handler =>
  async (call) => {
    const { operation } = call;
    const { aliases } = words;
    const body = aliases.into(
      asOurs(words.flatten, operation.requestBody?.content["application/json"], call.body),
    );
    const own: Call = {
      ...call,
      path: aliases.into(ourNames(operation, "path", call.path)) as Call["path"],
      query: aliases.into(ourNames(operation, "query", call.query)) as Fields,
      body,
    };
    return asTheirs(words, operation, await handle(own));
  };

/** Adds the contract's names to the parameters. */
const ourNames = <Value>(
  { parameters }: Operation,
  place: "path" | "query",
  given: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value>> => {
  const renamed = parameters.flatMap(({ in: where, name, ours }) => {
    const value = given[name];
    return where === place && ours !== undefined && value !== undefined ? [[ours, value] as const] : [];
  });
  return renamed.length === 0 ? given : { ...given, ...Object.fromEntries(renamed) };
};

/** Adds the values at the contract's places to a body. */
const asOurs = (flatten: Flatten, schema: JsonSchema | undefined, body: unknown): unknown => {
  if (schema === undefined || typeof body !== "object" || body === null) return body;
  const copy: unknown = structuredClone(body);
  addOurPlaces(flatten, schema, copy, copy);
  return copy;
};

const addOurPlaces = (flatten: Flatten, schema: JsonSchema, value: unknown, scope: unknown): void => {
  const isList = Array.isArray(value);
  for (const [part, inner] of partsOf(flatten(schema, value), value)) {
    addOurPlaces(flatten, inner, part, isList ? part : scope);
    const places = isList ? [] : (flatten(inner, part).ours ?? []);
    for (const pointer of places) setAt(scope, segmentsOf(pointer), part);
  }
};

/** Sets a value at a place that has none. */
const setAt = (target: unknown, [segment, ...rest]: readonly string[], value: unknown): void => {
  if (!isObject(target) || segment === undefined) return;
  if (rest.length === 0) target[segment] ??= value;
  else {
    target[segment] ??= {};
    setAt(target[segment], rest, value);
  }
};

const asTheirs = ({ aliases, complete }: Words, operation: Operation, answer: Answer): Answer => {
  const schema = operation.responses[answer.status]?.content["application/json"];
  if (answer.json === undefined) return answer;
  const { written: _, ...rest } = answer;
  const known = aliases.out(answer.json, schema, operation);
  const whole =
    complete === undefined || schema === undefined
      ? known
      : complete(schema, known, operation.operationId, "required");
  return whole === answer.json ? answer : { ...rest, json: whole };
};
