/** Random changes of a provider's document: fields, enumerations, identifiers and operations. */
import type { Contract, Parameter } from "../../../helpers/contract/contract.ts";
import { loose } from "../../../helpers/contract/names.ts";
import { identifierSchemas } from "../../../helpers/contract/schemas/identifier-schemas.ts";
import type { Random } from "../../../mocks/engine/values/random.ts";
import { type Document, type Json, type OperationObject, ownDocument } from "./own-document.ts";

/** Changes the document in place. Returns what it changed, or `undefined` if it found nothing to change. */
type Change = (document: Document, random: Random, own: Contract) => string | undefined;

/** A field of a component schema. */
interface Field {
  readonly type: string;
  readonly schema: Json;
  readonly properties: Record<string, Json>;
  readonly name: string;
}

const fieldsOf = ({ components }: Document, fits: (field: Field) => boolean = () => true): Field[] =>
  Object.entries(components.schemas).flatMap(([type, schema]) => {
    const properties = (schema.properties ?? {}) as Record<string, Json>;
    return Object.keys(properties)
      .map((name): Field => ({ type, schema, properties, name }))
      .filter(fits);
  });

const requiredOf = ({ schema }: Field): string[] => (schema.required ?? []) as string[];
const isRequired = (field: Field): boolean => requiredOf(field).includes(field.name);
const schemaOf = ({ properties, name }: Field): Json => properties[name] ?? {};

/** @param change changes the chosen field, and returns a description */
const ofField =
  (fits: (field: Field) => boolean, change: (field: Field, random: Random) => string): Change =>
  (document, random) => {
    const fields = fieldsOf(document, fits);
    if (fields.length === 0) return undefined;
    const field = random.pick(fields);
    return `${field.type}.${field.name} ${change(field, random)}`;
  };

const rename = ofField(
  () => true,
  ({ schema, properties, name }, random) => {
    const other = random.pick([
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      `the${name}`,
      `${name}Value`,
    ]);
    const all = Object.entries(properties).map(([key, value]) => [key === name ? other : key, value]);
    schema.properties = Object.fromEntries(all);
    if (schema.required !== undefined)
      schema.required = (schema.required as string[]).map((one) => (one === name ? other : one));
    return `is renamed to ${other}`;
  },
);

const remove = ofField(
  (field) => !isRequired(field),
  ({ properties, name }) => {
    delete properties[name];
    return "is removed";
  },
);

const waive = ofField(isRequired, (field) => {
  field.schema.required = requiredOf(field).filter((one) => one !== field.name);
  return "becomes optional";
});

const require = ofField(
  (field) => !isRequired(field),
  (field) => {
    field.schema.required = [...requiredOf(field), field.name];
    return "becomes required";
  },
);

const NEW_FIELDS: readonly (readonly [string, Json])[] = [
  ["customerId", { type: "string" }],
  ["correlation", { type: "string", format: "uuid" }],
  ["grade", { type: "string", enum: ["A", "B", "C"] }],
  ["share", { type: "number", minimum: 0, exclusiveMaximum: 1 }],
  ["notes", { type: "array", items: { type: "string", maxLength: 5 }, minItems: 1 }],
  ["origin", { type: "object", properties: { place: { type: ["string", "null"] } }, required: ["place"] }],
  ["either", { oneOf: [{ type: "integer" }, { type: "boolean" }] }],
  ["always", { const: "yes" }],
];

const add: Change = (document, random) => {
  const types = Object.entries(document.components.schemas).filter(
    ([, { properties }]) => properties !== undefined,
  );
  if (types.length === 0) return undefined;
  const [type, schema] = random.pick(types);
  const [name, field] = random.pick(NEW_FIELDS);
  const properties = schema.properties as Record<string, Json>;
  if (properties[name] !== undefined) return undefined;
  properties[name] = field;
  const isNeeded = random.next() < 0.5;
  if (isNeeded) schema.required = [...((schema.required ?? []) as string[]), name];
  return `${type}.${name} is added${isNeeded ? " and required" : ""}`;
};

const hasEnum = (field: Field): boolean => Array.isArray(schemaOf(field).enum);

const respell = ofField(hasEnum, (field) => {
  const value = schemaOf(field);
  value.enum = (value.enum as unknown[]).map((one) => (typeof one === "string" ? one.toUpperCase() : one));
  return "gets upper-case values";
});

const extend = ofField(hasEnum, (field) => {
  const value = schemaOf(field);
  value.enum = [...(value.enum as unknown[]), "SOMETHING_ELSE"];
  return "gets another value";
});

const unite = ofField(
  (field) => schemaOf(field).$ref === undefined && typeof schemaOf(field).type === "string",
  (field, random) => {
    const value = schemaOf(field);
    const keyword = random.pick(["oneOf", "anyOf"]);
    field.properties[field.name] = { [keyword]: [value, { type: "null" }] };
    return "may also be null";
  },
);

const widen = ofField(
  (field) => typeof schemaOf(field).type === "string" && schemaOf(field).enum === undefined,
  (field) => {
    const value = schemaOf(field);
    value.type = [value.type, "null"];
    return "gets two types";
  },
);

/** The other forms of an identifier. */
const FORMS: readonly Json[] = [
  { type: "integer", format: "int64" },
  { type: "string", format: "uuid" },
  { type: "string", minLength: 18, maxLength: 18 },
  { type: "string", pattern: "^[A-Z]{3}[0-9]{8}$" },
];

/**
 * Changes all identifiers of one resource, in parameters and fields, and the identifiers of resources that have the same
 * parameter name. It starts the document again.
 */
const reform: Change = (document, random, own) => {
  const identifiers = [...identifierSchemas(own)].filter(
    ([resource]) => parametersOf(own, resource).length > 0,
  );
  if (identifiers.length === 0) return undefined;
  const [resource] = random.pick(identifiers);
  const form = random.pick(FORMS);
  const names = namesOf(own, resource);
  const alike = identifiers.filter(([other]) => [...namesOf(own, other)].some((name) => names.has(name)));
  const schemas = alike.flatMap(([, those]) => those);
  Object.assign(document, ownDocument(own, new Map(schemas.map((schema) => [schema, form]))));
  for (const field of fieldsOf(document, ({ name }) => names.has(loose(name))))
    field.properties[field.name] = form;
  return `${resource} has the form ${JSON.stringify(form)}`;
};

const namesOf = (own: Contract, resource: string): ReadonlySet<string> =>
  new Set(parametersOf(own, resource).map(({ name }) => loose(name)));

/** Returns the path parameters that identify the resource. */
const parametersOf = ({ operations }: Contract, resource: string): readonly Parameter[] =>
  operations.flatMap(({ parameters }) =>
    parameters.filter((one) => one.in === "path" && one.resource === resource),
  );

const addOperation: Change = (document, random) => {
  const parents = Object.keys(document.paths).filter((path) => path.endsWith("}"));
  const parent = random.pick(["", ...parents]);
  const path = `${parent}/extras${random.integer(1, 99)}`;
  const known = Object.values(document.paths[parent] ?? {})[0]?.parameters ?? [];
  const parameters = known.filter(({ in: place }) => place === "path");
  const [name, schema] = random.pick(NEW_FIELDS);
  const record = {
    type: "object",
    properties: { id: { type: "string" }, [name]: schema },
    required: ["id", name],
  };
  const content = { "application/json": { schema: record } };
  const method = random.pick(["get", "post", "put", "delete"]);
  const success = { description: "Done.", ...(method !== "delete" && { content }) };
  const operation: OperationObject = {
    operationId: `${method}Extras${random.integer(1, 999)}`,
    parameters,
    ...((method === "post" || method === "put") && { requestBody: { required: true, content } }),
    responses: {
      [method === "delete" ? "204" : "200"]: success,
      "400": { description: "Refused." },
      "401": { description: "Unknown." },
      ...(parameters.length > 0 && { "404": { description: "Not found." } }),
    },
  };
  document.paths[path] = { [method]: operation };
  return `${operation.operationId} is added at ${path}`;
};

const removeOperation: Change = (document, random) => {
  const path = random.pick(Object.keys(document.paths));
  if (Object.keys(document.paths).length < 2) return undefined;
  delete document.paths[path];
  return `${path} is removed`;
};

const FURTHER_CHANGES: readonly Change[] = [
  rename,
  remove,
  waive,
  require,
  add,
  respell,
  extend,
  unite,
  widen,
  addOperation,
  removeOperation,
];

const CHANGES: readonly Change[] = [...FURTHER_CHANGES, reform];

const MOST = 3;

/** Makes one to three changes, the first of another kind for each index. Returns their descriptions. */
export const changeSomewhere = (
  document: Document,
  random: Random,
  index: number,
  own: Contract,
): string[] => {
  const count = random.integer(1, MOST);
  const [first = rename] = CHANGES.slice(index % CHANGES.length);
  const chosen = [first, ...Array.from({ length: count - 1 }, () => random.pick(FURTHER_CHANGES))];
  return chosen.flatMap((change) => change(document, random, own) ?? []);
};
