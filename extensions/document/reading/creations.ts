/** Finds what a call creates: a member of the collection at its path, what it starts, or a member that has its path elsewhere. */
import type { ResourcePlace } from "../../../helpers/contract/contract.ts";
import { isObject, type Json } from "../../../helpers/contract/json.ts";
import { groupBy, memoize } from "../../../helpers/contract/memoize.ts";
import { namesCondition } from "../../../helpers/contract/operation-requirements.ts";
import { innerSchemas } from "../../../helpers/contract/schemas/schema-visitor.ts";
import { successIn } from "../../../helpers/contract/statuses.ts";
import { createdElsewhere, memberElsewhere } from "./elsewhere.ts";
import { identifierIn, type Resource, type Schemas, startedBy } from "./resources.ts";

/**
 * Returns the resource that a `post` creates, and where its answer shows the identifier.
 * @param every the resources of each path, outermost first
 * @param all the same without identifiers that are chosen from a few
 */
export const creationIn = (
  schemas: Schemas,
  path: string,
  post: Json,
  {
    every,
    all,
    paths,
  }: {
    readonly every: readonly (readonly Resource[])[];
    readonly all: readonly (readonly Resource[])[];
    readonly paths: Readonly<Record<string, Json>>;
  },
): ResourcePlace | undefined => {
  const responses = post.responses as Json;
  const { last, byCollection } = innermostOf(every);
  const [created = startedBy(responses, last, paths)] = byCollection.get(path) ?? [];
  if (created !== undefined) {
    const { schema, isLocated } = successIn(responses);
    // The address of what was created shows its identifier too.
    const pointer = identifierIn(schemas, schema, created) ?? (isLocated ? "/id" : undefined);
    return pointer === undefined ? undefined : { resource: created.name, pointer };
  }
  const elsewhere = memberElsewhere(path, all, paths);
  // A call at the collection creates members, so that this one may only add one of them.
  const isOnly = elsewhere !== undefined && !isObject(paths[elsewhere.member.collection]?.post);
  return isOnly ? createdElsewhere(schemas, post, elsewhere) : undefined;
};

/** Returns the resource that a `put` creates under a name that its client chooses: no `post` creates it, and 201 is listed. */
export const chosenBy = (
  path: string,
  { responses, parameters }: Json,
  resources: readonly Resource[],
  paths: Readonly<Record<string, Json>>,
): string | undefined => {
  const last = resources.at(-1);
  const isMember = last?.path === path && isObject((responses as Json)["201"]);
  // No new resource fulfils the condition of a state (RFC 9110, 13.1.1).
  const isOfState = (parameters as Json[]).some(
    ({ in: place, name, required }) => required === true && namesCondition(String(place), String(name)),
  );
  return isMember && !isOfState && !isObject(paths[last.collection]?.post) ? last.name : undefined;
};

const innermostOf = memoize((every: readonly (readonly Resource[])[]) => {
  const last = every.flatMap((one) => one.slice(-1));
  return { last, byCollection: groupBy(last, ({ collection }) => collection) };
});

/** Whether a `post` tells nothing of what it stores: it takes no body, and its answer shows no identifier. */
export const isAction = (schemas: Schemas, { requestBody, responses }: Json): boolean => {
  const { content = {} } = (requestBody ?? {}) as { readonly content?: Record<string, Json> };
  const { schema, isLocated } = successIn(responses as Json);
  const fields = innerSchemas(schemas, schema).flatMap((one) =>
    one.name === undefined ? innerSchemas(schemas, one.schema) : [one],
  );
  return (
    !Object.values(content).some((media) => media.schema !== undefined) &&
    !isObject((responses as Json)["201"]) &&
    !isLocated &&
    !fields.some(({ name = "" }) => /(^|[a-z_-])(id|uuid)$/i.test(name))
  );
};
