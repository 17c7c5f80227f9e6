/** Writes the types of a service for clients: of its requests, its answers and its events, from its contract. */

/** The keywords that decide types. */
const LISTS = ["allOf", "anyOf", "oneOf"];
const MAPS = ["properties", "patternProperties"];
const PLAIN = ["type", "required", "enum", "const", "description", "deprecated"];

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns a schema with the keywords that decide types. A reference stands alone, so that its type has one name. */
const typed = (schema) => {
  if (!isObject(schema)) return {};
  if (typeof schema.$ref === "string") return { $ref: schema.$ref.replace("#/components/schemas/", "#/$defs/") };
  const kept = Object.entries(schema).flatMap(([keyword, value]) => {
    if (PLAIN.includes(keyword)) return [[keyword, value]];
    if (LISTS.includes(keyword)) return [[keyword, value.map(typed)]];
    if (MAPS.includes(keyword)) return [[keyword, mapped(value, typed)]];
    if (keyword === "items") return [[keyword, typed(value)]];
    return keyword === "additionalProperties" ? [[keyword, isObject(value) ? typed(value) : value]] : [];
  });
  const isOpen = schema.type === "object" && kept.every(([keyword]) => ["type", "description"].includes(keyword));
  return { ...Object.fromEntries(kept), ...(isOpen && { additionalProperties: true }) };
};

const mapped = (record, change) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));

const closed = (properties, required = Object.keys(properties)) => ({
  type: "object",
  additionalProperties: false,
  properties,
  required,
});

const PLACES = { path: "path", query: "query", headers: "header" };

const operationSchema = ({ method, path, parameters, requestBody, responses }) => {
  const parts = Object.entries(PLACES).flatMap(([name, place]) => {
    const own = parameters.filter((one) => one.in === place);
    if (own.length === 0) return [];
    const required = own.filter((one) => one.required).map((one) => one.name);
    const properties = Object.fromEntries(own.map((one) => [one.name, typed(one.schema)]));
    return [[name, closed(properties, required), required.length > 0]];
  });
  const body = requestBody?.content["application/json"];
  if (body !== undefined) parts.push(["body", typed(body), requestBody.required]);
  const required = parts.filter(([, , isRequired]) => isRequired).map(([name]) => name);
  return {
    ...closed(
      {
        ...Object.fromEntries(parts),
        responses: closed(
          mapped(responses, ({ content }) =>
            content["application/json"] === undefined ? {} : typed(content["application/json"]),
          ),
        ),
      },
      [...required, "responses"],
    ),
    description: `${method} ${path}`,
  };
};

/** What the library says of each type. */
const REFERENCED =
  /(?:^\/\*\*\n| \*\s*\n(?= \* This))? \* This interface was referenced by .*\n \* via the `definition` .*\n(?: \*\/\n)?/gm;

/** Returns the declarations of the types of a contract. */
const typesOf = async ({ service, operations, schemas }) => {
  const { compile } = require("json-schema-to-typescript");
  const events = [...new Set(operations.flatMap(({ deliveries }) => (deliveries ? [deliveries] : [])))].sort();
  const root = closed({
    operations: { $ref: "#/$defs/Operations" },
    events: { $ref: "#/$defs/Events" },
  });
  const named = operations.map((operation) => [operation.operationId, operationSchema(operation)]);
  const definitions = {
    ...mapped(schemas, typed),
    Operations: {
      ...closed(Object.fromEntries(named)),
      description: "The requests and the answers by status, by operationId. An answer without a described body is unknown.",
    },
    Events: {
      ...closed(Object.fromEntries(events.map((name) => [name, { $ref: `#/$defs/${name}` }]))),
      description: "The bodies of the messages that the service sends.",
    },
  };
  const text = await compile({ ...root, $defs: definitions }, "Service", {
    additionalProperties: false,
    bannerComment: `/** The types of ${service}, generated from its contract. */`,
    format: true,
    ignoreMinAndMaxItems: true,
    unreachableDefinitions: false,
  });
  return text.replaceAll(REFERENCED, "");
};

module.exports = { typesOf };
