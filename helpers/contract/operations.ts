/** OpenAPI paths -> operations. */
import type {
  Hazard,
  HttpMethod,
  JsonSchema,
  Level,
  MediaTypes,
  Operation,
  Parameter,
  RequestBody,
  Response,
  Schemas,
  Service,
} from "./contract.ts";
import { followed, type OpenApiDocument, objectAt, wrongAt } from "./documents/document.ts";
import { errorAt } from "./documents/locate.ts";
import { extensionsOf, namedRequirements } from "./extensions.ts";
import { defined, isObject, type Json } from "./json.ts";
import { JSON_TYPE, jsonTypeIn } from "./media-type.ts";
import { atPointer, escapeSegment } from "./pointer.ts";
import { partsOfResponse } from "./response-parts.ts";
import { fieldsIn } from "./schemas/form-fields.ts";
import type { SecurityScheme } from "./security-scheme.ts";
import { listedStatuses, NO_CAUSES, type Statuses } from "./statuses.ts";
import { writtenForm } from "./written-form.ts";

const METHODS = ["get", "post", "put", "delete", "patch", "head", "options"] as const;

/**
 * @param inherited the level of elements that state no level. It is absent if the document is our reading of a text: then
 * each parameter states its own level, because a level by default would be held against servers.
 * @param hasAnswers whether the document states the media types and headers of answers
 * @throws ContractError naming file, line and pointer of a missing element, or of a reference without a target
 */
export const operationsOf = (
  document: OpenApiDocument,
  service: Service,
  inherited?: Level,
  hasAnswers: boolean = document.root["x-answers"] === true,
): Operation[] => {
  const paths = document.root.paths;
  if (!isObject(paths)) {
    const hint = "List the operations under `paths`, as OpenAPI requires.";
    throw errorAt(document.main, "/paths", "`paths` is missing", hint);
  }
  return Object.entries(paths).flatMap(([path, raw]) => {
    const pointer = `/paths/${escapeSegment(path)}`;
    const item = dereference(document, raw, pointer);
    const [level, isReading] = [inherited ?? "documented", inherited === undefined] as const;
    const location = { document, service, level, isReading, hasAnswers };
    return METHODS.filter((method) => method in item).map((method) =>
      operation({ ...location, pointer: `${pointer}/${method}` }, path, method, item),
    );
  });
};

export const securitySchemesOf = (document: OpenApiDocument): SecurityScheme[] => {
  const schemes = (atPointer(document.root, "/components/securitySchemes") ?? {}) as Record<string, Json>;
  return Object.entries(schemes)
    .filter(([, { type, in: place }]) => type === "apiKey" && KEY_PLACES.includes(place))
    .map(([name, scheme]) => ({
      name,
      ...keyPlace(scheme),
      ...(typeof scheme["x-prefix"] === "string" && { prefix: scheme["x-prefix"] }),
      ...(isObject(scheme["x-grant"]) && {
        grant: scheme["x-grant"] as unknown as NonNullable<SecurityScheme["grant"]>,
      }),
      ...(typeof scheme["x-configuration"] === "string" && { configuration: scheme["x-configuration"] }),
    }));
};

const KEY_PLACES: readonly unknown[] = ["header", "query", "cookie"];

const keyPlace = ({ in: place, name }: Json): Pick<SecurityScheme, "header" | "place"> => {
  if (place !== "query" && place !== "cookie") return { header: String(name) };
  return { header: place === "cookie" ? "Cookie" : "", place: { in: place, name: String(name) } };
};

/** The position of the reader: its document, the level it inherits, and its pointer for errors. */
interface SchemaLocation {
  readonly document: OpenApiDocument;
  readonly service: Service;
  readonly level: Level;
  /** Whether the document is our reading of a text. */
  readonly isReading: boolean;
  readonly hasAnswers: boolean;
  readonly pointer: string;
}

const operation = (location: SchemaLocation, path: string, method: string, item: Json): Operation => {
  const { document, service, pointer } = location;
  const node = objectAt(document, item[method], pointer);
  const level = (node["x-level"] ?? location.level) as Level;
  const inner = { ...location, level };
  const body =
    node.requestBody === undefined
      ? undefined
      : dereference(document, node.requestBody, `${pointer}/requestBody`);
  return {
    operationId: String(node.operationId ?? `${method.toUpperCase()} ${path}`),
    service,
    method: method.toUpperCase() as HttpMethod,
    path,
    section: String(node["x-section"] ?? path),
    level,
    deprecated: node.deprecated === true,
    parameters: parametersOf(inner, item, node),
    ...(body && { requestBody: requestBody(inner, body) }),
    ...statusesOf(inner, node),
    security: securityOf(document, node),
    hazards: (node["x-hazards"] ?? []) as Hazard[],
    ...extensionsOf(node),
  };
};

/** Merges parameters. A parameter of the operation replaces a parameter of its path with the same name and location. */
const parametersOf = (location: SchemaLocation, item: Json, node: Json): Parameter[] => {
  const all = [item, node].flatMap((owner) =>
    listAt(location, owner.parameters).map((value, index) => parameter(location, value, index)),
  );
  return [...new Map(all.map((one) => [`${one.in} ${one.name}`, one])).values()];
};

const statusesOf = (location: SchemaLocation, node: Json): Pick<Operation, "responses" | "statusClasses"> => {
  const { document, pointer } = location;
  const given = Object.entries(objectAt(document, node.responses ?? {}, `${pointer}/responses`));
  const { responses, classes } = classedStatuses(given);
  const listed = Object.entries(responses);
  if (listed.length === 0)
    throw errorAt(document.main, pointer, "no response status is listed", "List one under `responses`.");
  const statusClasses = (node["x-status-classes"] ?? classes) as Record<string, string>;
  return {
    responses: Object.fromEntries(
      listed.map(([status, value]) => [
        status,
        response(location, dereference(document, value, `${pointer}/responses/${status}`), status),
      ]),
    ),
    ...(Object.keys(statusClasses).length > 0 && { statusClasses }),
  };
};

/** Lists the statuses of an operation, also those that stand for a class such as `4XX`, or for `default`. */
const classedStatuses = (responses: readonly (readonly [string, unknown])[]): Statuses => {
  const given = responses.map(([status, response]) => [status.toUpperCase(), response as Json] as const);
  return given.some(([status]) => CLASS.test(status))
    ? listedStatuses(new Map(given), NO_CAUSES)
    : { responses: Object.fromEntries(given.filter(([status]) => /^\d{3}$/.test(status))), classes: {} };
};

const CLASS = /^([1-5]XX|DEFAULT)$/;

const listAt = (location: SchemaLocation, value: unknown): unknown[] => {
  if (value === undefined || Array.isArray(value)) return value ?? [];
  throw wrongAt(
    location.document,
    `${location.pointer}/parameters`,
    "`parameters` is not a list",
    "Write it as a list.",
  );
};

/** Returns the object itself, or the target of its `$ref`, following references to the end. */
const dereference = (
  document: OpenApiDocument,
  value: unknown,
  pointer: string,
  entered: readonly string[] = [],
): Json => {
  const { $ref, ...siblings } = objectAt(document, value, pointer);
  if (typeof $ref !== "string") return siblings;
  const target = followed(document, $ref, pointer, entered, "Correct it or add what it names.");
  return { ...dereference(document, target, pointer, [...entered, $ref]), ...siblings };
};

const PLACES: readonly unknown[] = ["path", "query", "header", "cookie"];

const parameter = (location: SchemaLocation, raw: unknown, index: number): Parameter => {
  const pointer = `${location.pointer}/parameters/${index}`;
  const node = dereference(location.document, raw, pointer);
  if (typeof node.name !== "string" || !PLACES.includes(node.in)) {
    const hint = "Give it a `name`, and `in`: path, query, header or cookie.";
    throw errorAt(location.document.main, pointer, "a parameter without a name or a place", hint);
  }
  const media = Object.values((node.content ?? {}) as Record<string, Json>)[0];
  const schema = (node.schema ?? media?.schema ?? {}) as JsonSchema;
  if (location.isReading) assertLevel(location, pointer, node, schema);
  const resource = node["x-resource"] ?? schema["x-resource"];
  const data = node["x-data"] ?? schema["x-data"];
  const send = node["x-send"];
  return {
    name: node.name,
    in: node.in as Parameter["in"],
    required: node.required === true || node.in === "path",
    schema,
    level: (node["x-level"] ?? location.level) as Level,
    requirements: namedRequirements(location.service, schema, node),
    ...(typeof resource === "string" && { resource }),
    ...(typeof data === "string" && { data }),
    ...(node["x-example"] !== undefined && { example: node["x-example"] }),
    ...(send === "always" && { send }),
    ...formOf(location.document, node, schema),
  };
};

/** @throws ContractError unless the parameter states its level, and the words that a documented one rests on */
const assertLevel = ({ document }: SchemaLocation, pointer: string, node: Json, schema: JsonSchema): void => {
  const { "x-level": level, "x-sentence": sentence } = node;
  // The path names it, and allows each text.
  if (node.in === "path" && level === undefined && Object.keys(schema).every((key) => key === "type")) return;
  if (level === "assumed" || (level === "documented" && typeof sentence === "string")) return;
  const problem = level === "documented" ? "documented without a sentence" : "a parameter without a level";
  const hint =
    "Write `x-level: assumed`, or `x-level: documented` and in `x-sentence` the words of the document that name it. If this document itself is the promise, write `x-level: documented` at its top.";
  throw errorAt(document.main, pointer, `${String(node.name)}: ${problem}`, hint);
};

const formOf = (document: OpenApiDocument, node: Json, schema: JsonSchema): Pick<Parameter, "written"> => {
  const { type, properties } = typeof schema.$ref === "string" ? dereference(document, schema, "") : schema;
  const types = [type].flat();
  const isObject = types.includes("object") || properties !== undefined;
  const written = writtenForm(node, isObject ? "object" : types.includes("array") ? "array" : "scalar");
  return written === undefined ? {} : { written };
};

const requestBody = ({ document, level: inherited, service }: SchemaLocation, node: Json): RequestBody => {
  const level = (node["x-level"] ?? inherited) as Level;
  const schemas = (atPointer(document.root, "/components/schemas") ?? {}) as Schemas;
  const content = (node.content ?? {}) as Record<string, Json>;
  const { "x-example": example } = content[jsonTypeIn(Object.keys(content)) ?? ""] ?? {};
  return {
    required: node.required === true,
    ...mediaTypes(node),
    level,
    ...fieldsIn(content, schemas, level),
    ...defined({
      requirement: requirementOf(node, "required", service),
      schemaRequirement: requirementOf(node, "schema", service),
      optionalRequirement: requirementOf(node, "optional", service),
    }),
    ...(node["x-send"] === "always" && { send: "always" }),
    ...(example !== undefined && { example }),
  };
};

const response = (
  { document, level: inherited, service, pointer, hasAnswers }: SchemaLocation,
  node: Json,
  status: string,
): Response => ({
  status: Number(status),
  ...mediaTypes(node),
  ...(hasAnswers &&
    partsOfResponse(node, (header, name) =>
      dereference(document, header, `${pointer}/responses/${status}/headers/${escapeSegment(name)}`),
    )),
  level: (node["x-level"] ?? inherited) as Level,
  ...defined({
    ofClass: node["x-class"] as string | undefined,
    requirement: requirementOf(node, "body", service),
  }),
});

const requirementOf = (node: Json, key: string, service: Service): string | undefined => {
  const id = (node["x-requirements"] as Json | undefined)?.[key];
  return typeof id === "string" ? `${service}.${id}` : undefined;
};

const mediaTypes = (node: Json): { readonly content: MediaTypes; readonly jsonType?: string } => {
  const content = Object.entries((node.content ?? {}) as Record<string, Json>);
  // A range of types for a file does not promise JSON.
  const others = content.filter(([type, { schema }]) => !(type.includes("*") && isFile(schema)));
  const json = jsonTypeIn(others.map(([type]) => type));
  return {
    content: Object.fromEntries(
      content.map(([type, { schema }]) => [type === json ? JSON_TYPE : type, (schema ?? {}) as JsonSchema]),
    ),
    ...(json !== undefined && json !== JSON_TYPE && !json.includes("*") && { jsonType: json }),
  };
};

const isFile = (schema: unknown): boolean => isObject(schema) && schema.format === "binary";

const securityOf = (document: OpenApiDocument, node: Json): string[] => {
  const alternatives = (node.security ?? document.root.security ?? []) as Json[];
  return [...new Set(alternatives.flatMap((requirement) => Object.keys(requirement)))];
};
