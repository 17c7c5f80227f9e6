/**
 * The sandbox of a service without handlers of its own. It has state by the conventions of paths: `POST /rooms` creates
 * a room, and `GET`, `PUT`, `PATCH` and `DELETE /rooms/{roomId}` read, change and remove it.
 */
import type {
  Contract,
  JsonSchema,
  Operation,
  Parameter,
  ResourcePlace,
  Service,
} from "../../../helpers/contract/contract.ts";
import { settingPrefix } from "../../../helpers/contract/services.ts";
import { type Answer, type Call, type Handler, refusalFor } from "../../../mocks/engine/call.ts";
import { restDropped } from "../../../mocks/engine/deviations/given-values.ts";
import { sentIn } from "../../../mocks/engine/sent-values.ts";
import type { Opening, OpenService, SandboxService } from "../../../mocks/engine/service.ts";
import { completerFor, type Identifiers } from "../../../mocks/engine/values/complete.ts";
import { type Fields, fieldsIn, isObject } from "../../../mocks/engine/values/fields.ts";
import { addressed, isAddressed } from "./address.ts";
import { completeFitting } from "./complete-fitting.ts";
import { resourcesSeen, successOf } from "./data.ts";
import { createKeys, TOKEN_PAGE } from "./keys.ts";
import { addTo, chosenItems, keptItems, listedPlace, noteGiven, withMentions } from "./lists.ts";
import { createRepeats } from "./repeats.ts";
import { createState, type State } from "./state.ts";
import { createTags } from "./tags.ts";

export const serviceByConvention = (
  service: Service,
  further: Partial<SandboxService> = {},
): SandboxService => {
  const own: SandboxService = {
    service,
    isByConvention: true,
    pages: [TOKEN_PAGE],
    open: async ({ contract, habits, data, baseUrl }) =>
      openByConvention(own, contract, { habits, data, baseUrl }),
    dataSeen: resourcesSeen,
    refuse: ({ status, cause, message }, at) => refusalOf(status, cause, message, at),
    statusesOf,
    deviations: [],
    unjudged: [],
    ...further,
  };
  return own;
};

/** A success, the refusals of a malformed request and of a call without credentials, and an unknown resource. */
const statusesOf = (operation: Operation): readonly number[] => {
  const [success = 200] = successOf(operation);
  const isAboutResource = operation.parameters.some((one) => one.in === "path" && one.resource !== undefined);
  return [
    success,
    invalidStatus(operation),
    ...(operation.security.length > 0 ? [401] : []),
    ...(isAboutResource ? [404] : []),
  ];
};

const invalidStatus = ({ responses }: Operation): number =>
  responses[400] === undefined && responses[422] !== undefined ? 422 : 400;

/** Returns a documented refusal with a body of its schema. */
const refusalOf = (
  given: number,
  cause: string,
  message: string,
  at: Parameters<SandboxService["refuse"]>[1],
): Answer => {
  const status = given === 400 && at !== undefined ? invalidStatus(at.operation) : given;
  const schema = at?.operation.responses[status]?.content["application/json"];
  if (at === undefined || schema === undefined) return { status, cause };
  const known = { message, status, code: String(status) };
  const json = completerFor(at.contract)(schema, known, cause);
  return { status, cause, json };
};

const openByConvention = (
  service: SandboxService,
  contract: Contract,
  { habits, data, baseUrl }: Pick<Opening, "habits" | "data" | "baseUrl">,
): OpenService => {
  const state = createState(contract, habits);
  for (const [resource, known] of Object.entries(data))
    for (const [id, fields] of Object.entries(fieldsIn(known))) state.of(resource).set(id, fieldsIn(fields));
  const keys = createKeys(contract);
  const repeated = createRepeats();
  const refuse = (status: number, cause: Parameters<typeof refusalFor>[0], operation: Operation) =>
    service.refuse({ ...refusalFor(cause), status }, { contract, operation });
  const missing = (call: Call) => refuse(404, "unknown-path", call.operation);
  const stale = (call: Call) => refuse(412, "invalid-parameter", call.operation);
  const tags = createTags(contract, (call) => handlers[call.operation.operationId]?.(call) ?? missing(call));
  const handlers: Readonly<Record<string, Handler>> = Object.fromEntries(
    contract.operations.map((operation) => {
      const own = handlerFor(operation, state, contract, { missing, stale, baseUrl, tags });
      return [
        operation.operationId,
        tags.tagged(operation, keys.givesToken(operation, repeated(operation, own))),
      ];
    }),
  );
  return {
    environment: (baseUrl) => ({
      [`${settingPrefix(contract.service)}BASE_URL`]: baseUrl,
      ...keys.settings(baseUrl),
      ...state.settings(),
    }),
    authenticate: (call) => (keys.lets(call) ? undefined : refuse(401, "malformed-request", call.operation)),
    pages: { [TOKEN_PAGE.name]: keys.grant },
    gave: (resource, id) => state.has(resource, id),
    handlers,
    situations: {},
  };
};

const handlerFor = (
  operation: Operation,
  state: State,
  contract: Contract,
  {
    missing,
    stale,
    baseUrl,
    tags,
  }: Readonly<Record<"missing" | "stale", (call: Call) => Answer>> &
    Pick<Opening, "baseUrl"> & { readonly tags: ReturnType<typeof createTags> },
): Handler => {
  const [status = 200, schema] = successOf(operation);
  const named = operation.parameters.filter((one) => one.in === "path" && one.resource !== undefined);
  const last = named.find(({ name }) => operation.path.endsWith(`{${name}}`));
  const complete = completerFor(contract);
  return async (call) => {
    if (named.some((one) => !state.has(one.resource ?? "", call.path[one.name] ?? ""))) return missing(call);
    const kept = last && keptBy(state, call, last);
    if (await tags.isStale(call, kept)) return stale(call);
    const [created] = operation.produces;
    const key = `${operation.operationId} ${JSON.stringify(call.path)}`;
    // A resource that no operation creates stays, because nobody could replace it.
    if (operation.method === "DELETE" && last && canCreate(contract, last))
      state.of(last.resource ?? "").delete(call.path[last.name] ?? "");
    if (kept && /PUT|PATCH/.test(operation.method)) change(kept, call);
    const place = listedPlace(operation);
    const of = kept ? [kept] : place === undefined ? [] : [...state.of(place.resource).values()];
    const within = ids(call, named);
    const address = (resource: string, id: string) =>
      addressed(call, { contract, baseUrl: baseUrl(), state }, { resource, id, status });
    if (schema === undefined)
      return created ? located(call, state, created, { status }, { within, address }) : { status };
    const known = { ...kept, ...(last && { id: idIn(call, last) }), ...fieldsIn(sentIn(call, schema)) };
    const isFitting = (body: unknown): boolean => call.validators.answer(schema)(body).length === 0;
    const filled = (values: unknown, seed: string, identifiers?: Readonly<Record<string, string>>) =>
      completeFitting(complete, isFitting, {
        schema,
        known: values,
        key: seed,
        ...(identifiers && { named: identifiers }),
      });
    if (created === undefined) {
      const bodies = LISTED.map((most) => () => {
        const list = keptItems(call, schema, state, within, most);
        return filled(Array.isArray(list) ? list : { ...known, ...fieldsIn(list) }, key, within);
      });
      const whole = firstFitting(bodies, isFitting);
      const shown = withMentions(state, operation, of, whole);
      return { status, ...chosenItems(contract, call, shown, baseUrl()) };
    }
    if (!shows(call, schema, created))
      return located(call, state, created, { status, json: filled(known, key) }, { within, address });
    const field = created.pointer.slice(1);
    const id = state.freshId(created.resource, idSchema(call, schema, field));
    const json = filled({ ...known, [field]: id }, `${key} ${String(id)}`);
    addTo(state, { ...created, id: String(id) }, { ...fieldsIn(json) }, { body: call.body, within });
    const headers = isAddressed(call, status) ? address(created.resource, String(id)) : {};
    return { status, json, headers };
  };
};

/** How many items a list shows at most. What bodies gave may not fit in an answer: then it shows fewer. */
const LISTED = [5, 1, 0];

const firstFitting = (bodies: readonly (() => unknown)[], isFitting: (body: unknown) => boolean): unknown => {
  let last: unknown;
  for (const body of bodies) {
    last = body();
    if (isFitting(last)) break;
  }
  return last;
};

/** Changes what is kept. A partial change also leaves what it does not name of an object. */
const change = (kept: Fields, { operation: { operationId, method }, body, faulty }: Call): void => {
  const before = faulty(restDropped(operationId)) ? emptied(kept) : kept;
  const sent = fieldsIn(body);
  Object.assign(kept, method === "PATCH" ? merged(before, sent) : sent);
  noteGiven(kept, body);
};

/** Returns the object without its values. An answer leaves out what is known to have none. */
const emptied = (value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, emptied(one)]))
    : undefined;

const merged = (kept: unknown, sent: unknown): unknown =>
  isObject(kept) && isObject(sent)
    ? {
        ...kept,
        ...Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, merged(kept[name], value)])),
      }
    : sent;

const shows = ({ validators }: Call, schema: JsonSchema, { pointer }: ResourcePlace): boolean =>
  validators.flatten(schema, {}).properties?.has(pointer.slice(1)) === true;

/** Creates a resource whose identifier only its address shows. */
const located = (
  call: Call,
  state: State,
  { resource }: ResourcePlace,
  answer: Answer,
  {
    within,
    address,
  }: {
    readonly within: Identifiers;
    readonly address: (resource: string, id: string) => Answer["headers"];
  },
): Answer => {
  const id = String(state.freshId(resource, state.schemaOf(resource)));
  addTo(state, { resource, id }, { ...fieldsIn(call.body) }, { body: call.body, within });
  const headers = address(resource, id);
  return { ...answer, ...(headers && { headers }) };
};

const canCreate = ({ operations }: Contract, { resource }: Parameter): boolean =>
  operations.some(({ produces }) => produces.some((one) => one.resource === resource));

const keptBy = (state: State, call: Call, { resource = "", name }: Parameter): Fields | undefined =>
  state.of(resource).get(call.path[name] ?? "");

const idIn = (call: Call, { name }: Parameter): string => call.path[name] ?? "";

const ids = (call: Call, named: readonly Parameter[]): Record<string, string> =>
  Object.fromEntries(named.map(({ resource = "", name }) => [resource, call.path[name] ?? ""]));

const idSchema = ({ validators }: Call, schema: JsonSchema, field: string): JsonSchema =>
  (validators.flatten(schema, {}).properties?.get(field) ?? {}) as JsonSchema;
