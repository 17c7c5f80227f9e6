/**
 * Finds resources whose members have a path of their own: `POST /shops/{shop}/orders` creates, and `GET /shops/{shop}/orders`
 * lists, what is at `/orders/{orderId}`. Names alone may mislead, so that the rest of the document has to agree.
 */
import type { ResourcePlace } from "../../../helpers/contract/contract.ts";
import { isObject, isSame, type Json } from "../../../helpers/contract/json.ts";
import { loose } from "../../../helpers/contract/names.ts";
import {
  innerSchemas,
  inPlace,
  partsOf,
  schemasAt,
} from "../../../helpers/contract/schemas/schema-visitor.ts";
import { successIn } from "../../../helpers/contract/statuses.ts";
import { namesIn } from "./item-fields.ts";
import { identifierName, indexOf, isScalar, type Resource, resourcesOf, type Schemas } from "./resources.ts";

/** A collection below one resource: `/shops/{shop}/orders`. */
const OWNED = /\}\/[^{}/]+$/;

/**
 * Returns the only resource that has the name of the collection at a path, with the answer of its read, if no other resource
 * than those in the path stands above its members.
 * @param all the resources of all paths of the document
 */
export const memberElsewhere = (
  path: string,
  all: readonly (readonly Resource[])[],
  paths: Readonly<Record<string, Json>>,
): { readonly member: Resource; readonly shown: unknown } | undefined => {
  if (!OWNED.test(path)) return undefined;
  const named = namedAfter(path, all);
  const [member] = named;
  if (member === undefined || named.some((one) => one.path !== member.path)) return undefined;
  const { name, collection } = member;
  const read = paths[member.path]?.get;
  const isApart =
    path !== collection &&
    path.startsWith(collection.slice(0, collection.lastIndexOf("/") + 1)) &&
    // A comment on a comment belongs to it in another way than an order to its shop.
    !resourcesOf(path).some((one) => one.name === name);
  return isApart && isObject(read) ? { member, shown: successIn(read.responses as Json).schema } : undefined;
};

/** Returns the resources that have the name of a collection. The parameter of a resource may show an irregular singular. */
const namedAfter = (path: string, all: Parameters<typeof memberElsewhere>[1]): readonly Resource[] => {
  const nameOf = (parameter: string) => resourcesOf(`${path}/{${parameter}}`).at(-1)?.name ?? "";
  const possible = IRREGULAR.test(path)
    ? all.flat()
    : (indexOf(all).byName.get(nameOf("id")) ?? []).map(({ resource }) => resource);
  return possible.filter(({ name, parameter }) => nameOf(parameter) === name);
};

const IRREGULAR = /ves$/i;

/** Returns the property that certainly identifies a member: by its name, or in the component that the read shows. */
export const certainName = (
  schemas: Schemas,
  schema: unknown,
  { member, shown }: NonNullable<ReturnType<typeof memberElsewhere>>,
): string | undefined => {
  const { name, parameter } = member;
  const own = identifierName(schemas, schema, member);
  if (own === undefined || !schemasAt(schemas, schema, `/${own}`).every((one) => isScalar(schemas, one)))
    return undefined;
  if (loose(own) === loose(`${name}id`)) return own;
  const isOfParameter =
    own === parameter || [name, `${name}id`, "id", "uuid"].map(loose).includes(loose(parameter));
  return isOfParameter && isAlike(schemas, schema, shown) ? own : undefined;
};

/** Whether one of two answers is, contains or extends the component of the other. */
const isAlike = (schemas: Schemas, one: unknown, other: unknown): boolean => {
  const has = (parts: readonly Json[], schema: unknown): boolean =>
    isObject(schema) && schema.$ref !== undefined && parts.some(({ $ref }) => $ref === schema.$ref);
  return (
    has([...partsOf(schemas, other)], one) ||
    has(inPlace(schemas, one, "always"), other) ||
    (isObject(one) && isSame(one, other))
  );
};

/**
 * Returns what a call creates that has its path elsewhere. A call that may name an existing member would only add it to the
 * resource above.
 */
export const createdElsewhere = (
  schemas: Schemas,
  { responses, ...sent }: Json,
  elsewhere: NonNullable<ReturnType<typeof memberElsewhere>>,
): ResourcePlace | undefined => {
  const { "201": created, ...others } = responses as Json;
  // Another success may mean that the call found what was there.
  if (created === undefined || Object.keys(others).some((status) => /^2/.test(status) && status !== "202"))
    return undefined;
  const { schema } = successIn({ 201: created });
  const own = certainName(schemas, schema, elsewhere);
  const { member } = elsewhere;
  if (own === undefined || namesMember(schemas, sent, member, namesIn(schemas, [schema]))) return undefined;
  return { resource: member.name, pointer: `/${own}` };
};

const namesMember = (
  schemas: Schemas,
  { parameters, requestBody }: Json,
  { name, parameter, collection }: Resource,
  answered: readonly string[],
): boolean => {
  const content = isObject(requestBody) ? ((requestBody.content ?? {}) as Record<string, Json>) : {};
  const bodies = Object.values(content).map(({ schema }) => schema);
  const top = bodies.flatMap((body) => innerSchemas(schemas, body));
  // An object inside another one, as in JSON:API.
  const inner = top.length === 1 ? top.flatMap((one) => innerSchemas(schemas, one.schema)) : [];
  const query = (parameters as Json[]).filter(({ in: place }) => place !== "path");
  const named = [...top, ...inner, ...query].map((one) => loose(String(one.name)));
  const segment = collection.slice(collection.lastIndexOf("/") + 1);
  // The text of a comment may be called comment: then the answer shows it, too.
  const words = [name, segment].filter((word) => !answered.some((one) => loose(one) === loose(word)));
  const identifiers = [parameter, `${name}id`, `${name}ids`, "id", "ids", "uuid", ...words].map(loose);
  return top.some(({ segment: at }) => at === "/*") || named.some((one) => identifiers.includes(one));
};
