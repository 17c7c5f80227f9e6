/**
 * Derives relations from the paths and names of a document. No document states them, so that they are assumed: who breaks
 * one deviates, and violates nothing.
 */
import type { ResourcePlace } from "../../../helpers/contract/contract.ts";
import { isObject, type Json } from "../../../helpers/contract/json.ts";
import { jsonTypeIn } from "../../../helpers/contract/media-type.ts";
import { groupBy } from "../../../helpers/contract/memoize.ts";
import { loose } from "../../../helpers/contract/names.ts";
import type { Relation } from "../../../helpers/contract/relations.ts";
import { inPlace, schemasAt, typesOf } from "../../../helpers/contract/schemas/schema-visitor.ts";
import { headersIn, successIn } from "../../../helpers/contract/statuses.ts";
import { KEY_NAME } from "../../../helpers/trials/fresh-keys.ts";
import { fieldsNamed, namesIn, schemasOfField } from "./item-fields.ts";
import { directionIn, pagesIn, SIZES, SORTS, windowIn } from "./list-parameters.ts";
import { METHODS, type Schemas } from "./resources.ts";

/** A relation of one operation, and what a server promises with it. */
export interface AssumedRelation extends Relation {
  readonly statement: string;
}

/** @param paths of a converted document: its operations state what they create, remove, show and list */
export const relationsIn = (schemas: Schemas, paths: Readonly<Record<string, Json>>): AssumedRelation[] => {
  const operations = operationsIn(paths);
  const made = new Set(operations.flatMap(({ node }) => resourcesAt(node["x-produces"])));
  const isMade = (resource: string): boolean => made.has(resource);
  const fields = fieldsShown(
    schemas,
    operations.map(({ node }) => node),
  );
  const ofResources = operations.flatMap(({ path, method, node }) => {
    if (method === "get") return ofList(schemas, node, isMade);
    const isGiven = (resource: string): boolean =>
      namesIn(schemas, [bodyOf(node)]).some((name) => fields.get(resource)?.has(name));
    const [created] = resourcesAt(node["x-produces"]);
    // What a call only starts goes on, so that a read may show other values. The answer tells which of both it did.
    const { "202": started, "201": done } = node.responses as Json;
    const isStarted = started !== undefined && done === undefined;
    if (created !== undefined)
      return isStarted
        ? []
        : [
            ...(isGiven(created) ? [assumed("given", node, GIVEN)] : []),
            ...(isLocated(node, created, operations) ? [assumed("located", node, LOCATED)] : []),
            ...(hasKey(node) ? [assumed("once", node, ONCE)] : []),
          ];
    const isRead = operations.some(
      (one) => one.path === path && one.method === "get" && one.node["x-shows"] !== undefined,
    );
    return isRead ? ofMember(method, node, isMade, isGiven) : [];
  });
  return [...ofResources, ...operations.flatMap((one) => ofConditions(one, operations))];
};

const operationsIn = (paths: Readonly<Record<string, Json>>) =>
  Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => (isObject(item[method]) ? [{ path, method, node: item[method] }] : [])),
  );

/** What conditions about the state of the resource at a path do (RFC 9110, 13.1). */
const ofConditions = (
  { path, method, node }: ReturnType<typeof operationsIn>[number],
  operations: ReturnType<typeof operationsIn>,
): AssumedRelation[] => {
  const has = (header: string, status: string): boolean => {
    const response = (node.responses as Json)[status];
    return (
      isObject(response) &&
      response["x-class"] === undefined &&
      (node.parameters as Json[]).some(
        ({ in: place, name }) => place === "header" && String(name).toLowerCase() === header,
      )
    );
  };
  if (method === "get") return has("if-none-match", "304") ? [assumed("fresh", node, FRESH)] : [];
  const isTagged = operations.some(
    (one) => one.path === path && one.method === "get" && headersIn(one.node.responses as Json).has("etag"),
  );
  return isTagged && has("if-match", "412") ? [assumed("current", node, CURRENT)] : [];
};

const FRESH = ["not-modified", "answers with its content if If-None-Match names another state."] as const;

const CURRENT = ["current-condition", "accepts a call whose If-Match names the present state."] as const;

/** Returns the names of the fields that reads show of each resource. */
const fieldsShown = (schemas: Schemas, all: readonly Json[]): ReadonlyMap<string, ReadonlySet<string>> => {
  const shown = all.flatMap(({ "x-shows": places = [], responses }) =>
    (places as ResourcePlace[]).flatMap(({ resource, pointer }) => {
      const at = pointer.slice(0, pointer.lastIndexOf("/"));
      const about = schemasAt(schemas, successIn(responses as Json).schema, at);
      return namesIn(schemas, about).map((name) => [resource, name] as const);
    }),
  );
  const byResource = groupBy(shown, ([resource]) => resource);
  return new Map([...byResource].map(([resource, all]) => [resource, new Set(all.map(([, name]) => name))]));
};

const resourcesAt = (places: unknown): string[] =>
  places === undefined ? [] : ([places].flat() as Json[]).map(({ resource }) => String(resource));

const assumed = (
  kind: Relation["kind"],
  { operationId }: Json,
  [suffix, statement]: readonly [string, string],
  more: Partial<Relation> = {},
): AssumedRelation => ({
  ...{ kind, requirement: `${operationId}.${suffix}`, statement: `${operationId} ${statement}`, ...more },
  ...{ operations: [String(operationId)], guessed: true },
});

const GIVEN = ["shown-as-given", "gives values that reads show."] as const;

const ONCE = ["once-per-key", "creates one resource for calls with the same key and content."] as const;

const hasKey = ({ parameters }: Json): boolean =>
  (parameters as Json[]).some(({ in: place, name }) => place === "header" && KEY_NAME.test(String(name)));

const KEPT = ["others-kept", "leaves fields as they are that its body does not name."] as const;

const LOCATED = ["location-leads", "answers with a Location that leads to what it created."] as const;

/** Whether an answer has the address of what the call created, and a path ends with its identifier. */
const isLocated = (
  { responses }: Json,
  created: string,
  operations: ReturnType<typeof operationsIn>,
): boolean =>
  headersIn(responses as Json).has("location") &&
  operations.some(
    ({ path, method, node }) =>
      method === "get" && path.endsWith("}") && ownIn(node)?.["x-resource"] === created,
  );

const ownIn = ({ parameters }: Json): Json | undefined =>
  (parameters as Json[]).findLast(({ in: place }) => place === "path");

/** What changes or removes the resource in its path. */
const ofMember = (
  method: string,
  node: Json,
  isMade: (resource: string) => boolean,
  isGiven: (resource: string) => boolean,
): AssumedRelation[] => {
  const own = ownIn(node);
  const resource = own?.["x-resource"];
  if (typeof resource !== "string") return [];
  if (method === "delete" && node["x-removes"] !== undefined)
    return isMade(resource)
      ? [assumed("gone", node, ["gone", "removes what its path names."], { parameter: String(own?.name) })]
      : [];
  if (!/^(?:put|patch)$/.test(method) || !isGiven(resource)) return [];
  const given = assumed("given", node, GIVEN);
  return method === "put" ? [given] : [given, assumed("kept", node, KEPT)];
};

const bodyOf = ({ requestBody }: Json): unknown => {
  const content = isObject(requestBody) && isObject(requestBody.content) ? requestBody.content : {};
  const media = content[jsonTypeIn(Object.keys(content)) ?? ""];
  return isObject(media) ? media.schema : undefined;
};

/** What parameters do to a list. */
const ofList = (schemas: Schemas, node: Json, isMade: (resource: string) => boolean): AssumedRelation[] => {
  const { "x-list": list, responses } = node;
  if (!isObject(list)) return [];
  const items = schemasAt(schemas, successIn(responses as Json).schema, `${list.items}/*`);
  const beside = resourcesAt(node["x-shows"]).filter(isMade);
  const query = (node.parameters as Json[]).filter(({ in: place }) => place === "query");
  const pages = pagesIn(schemas, node, query);
  const rows = query.flatMap((parameter) => {
    if (parameter.name === pages?.parameter) return [];
    const found =
      windowIn(schemas, items, parameter, query) ??
      directionIn(schemas, items, parameter, query) ??
      ofParameter(schemas, items, parameter);
    return found === undefined ? [] : [{ parameter: String(parameter.name), ...found }];
  });
  return [...(pages === undefined ? [] : [pages]), ...rows].map(({ kind, statement, ...more }) => {
    const suffix = more.parameter === undefined ? "pages" : `parameter.${more.parameter}.obeyed`;
    return assumed(kind, node, [suffix, statement], { beside, ...more });
  });
};

const ofParameter = (
  schemas: Schemas,
  items: readonly unknown[],
  { name, schema }: Json,
): Pick<AssumedRelation, "kind" | "shows" | "words" | "statement"> | undefined => {
  const plain = loose(String(name));
  const types = typesOf(schemas, schema);
  if (SIZES.test(plain))
    return types.includes("integer")
      ? { kind: "size", statement: `lists at most as many items as ${name} says.` }
      : undefined;
  if (SORTS.test(plain)) {
    const sorted = sortedBy(schemas, items, schema);
    return sorted && { kind: "sort", ...sorted, statement: `lists its items in the order of ${name}.` };
  }
  const field = /^filter\[([^\]]+)\]$/.exec(String(name))?.[1] ?? String(name);
  if (TRANSLATING.test(loose(field)) || !isText(schemas, [schema])) return undefined;
  const [shown] = fieldsNamed(schemas, items, field);
  if (shown === undefined || !isText(schemas, schemasOfField(schemas, items, shown))) return undefined;
  const isExact = inPlace(schemas, schema, "alternatives").some((part) =>
    ["enum", "const", "pattern", "format"].some((keyword) => part[keyword] !== undefined),
  );
  return isExact
    ? { kind: "filter", shows: [shown], statement: `lists only items whose ${shown} is ${name}.` }
    : { kind: "search", shows: [shown], statement: `does not list all items whatever ${name} is.` };
};

/** Names of parameters by which a server chooses the words of an answer, and not its items. */
const TRANSLATING = /^(?:lang|language|locale|currency|timezone|format|fields|include|expand|sort|order)$/;

const DATES: readonly unknown[] = ["date", "date-time", "time"];

/** Whether the schemas are of texts, without dates: how a server compares dates is open. */
const isText = (schemas: Schemas, all: readonly unknown[]): boolean =>
  all.length > 0 &&
  all.every((schema) => {
    const parts = inPlace(schemas, schema, "alternatives");
    const words = parts.flatMap((part) => (Array.isArray(part.enum) ? part.enum : []));
    const types = typesOf(schemas, schema);
    return (
      (types.length > 0 ? types.every((type) => type === "string") : words.length > 0) &&
      words.every((word) => word === null || typeof word === "string") &&
      parts.every(({ format }) => !DATES.includes(format))
    );
  });

/** Returns two words of a parameter that name one field in opposite directions, and the field. */
const sortedBy = (
  schemas: Schemas,
  items: readonly unknown[],
  schema: unknown,
): Required<Pick<Relation, "shows" | "words">> | undefined => {
  const words = [schema, ...schemasAt(schemas, schema, "/*")].flatMap((one) =>
    inPlace(schemas, one, "always").flatMap((part) =>
      Array.isArray(part.enum) ? part.enum.map(String) : [],
    ),
  );
  for (const word of words) {
    const [, field = "", end = ""] = /^\+?(\w+?)([:_ .]?(?:asc|ASC|Asc))?$/.exec(word) ?? [];
    const [shown] = fieldsNamed(schemas, items, field);
    const opposite = [`-${field}`, `${field}${end.replace(/asc$/i, (text) => DESCENDING[text] ?? "")}`];
    const other = words.find((one) => one !== word && opposite.includes(one));
    if (shown !== undefined && other !== undefined) return { shows: [shown], words: [word, other] };
  }
  return undefined;
};

const DESCENDING: Readonly<Record<string, string>> = { asc: "desc", ASC: "DESC", Asc: "Desc" };
