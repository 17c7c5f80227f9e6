/** Kinds about resources: identifiers of their own and of others, fields of one direction, and statuses. */
import type { Json } from "../server/files.ts";
import type { Draft, Kind } from "./kind.ts";
import { addPost, json, ref, refusals } from "./parts.ts";

const IDENTIFIERS: readonly Json[] = [
  { type: "string", minLength: 1, maxLength: 20 },
  { type: "string", format: "uuid" },
  { type: "integer", minimum: 1, maximum: 99999999 },
  { type: "integer", format: "int64", minimum: 1 },
];

/** Adds `POST /things`, and `GET`, `PUT` and `DELETE /things/{id}`, with one component for both directions. */
const collection: Kind = (draft) => {
  const { random, paths, schemas } = draft;
  const word = draft.name(random.one(["rooms", "orders", "boxes"]));
  const parameter = random.one(["id", `${word}Id`]);
  const schema = random.one(IDENTIFIERS);
  const component = draft.name("Thing");
  schemas[component] = thing(draft, schema);
  const style = random.one([{}, {}, { style: "label" }, { style: "matrix" }]);
  const path = { name: parameter, in: "path", required: true, schema: withoutReadOnly(schema), ...style };
  const is = (verb: string) => ({ operationId: `${verb}-${word}` });
  const made = random.one(["201", "200", "2XX"]);
  paths[`/${word}`] = {
    post: {
      ...is("make"),
      requestBody: { required: true, content: json(ref(component)) },
      responses: { [made]: { description: "Made.", content: json(ref(component)) }, ...refusals(draft, 400) },
    },
    get: {
      ...is("list"),
      responses: { 200: { description: "All.", content: json({ type: "array", items: ref(component) }) } },
    },
  };
  const isConditional = random.chance(40);
  paths[`/${word}/{${parameter}}`] = {
    parameters: [path],
    get: {
      ...is("read"),
      responses: { 200: { description: "One.", content: json(ref(component)) }, ...refusals(draft, 404) },
    },
    ...(random.chance(60) && {
      put: {
        ...is("change"),
        ...(isConditional && { parameters: [IF_MATCH] }),
        requestBody: { required: true, content: json(ref(component)) },
        responses: {
          200: { description: "Changed.", content: json(ref(component)) },
          ...refusals(draft, 400, 404, ...(isConditional ? [412, 428] : [])),
        },
      },
    }),
    ...(random.chance(60) && {
      delete: { ...is("remove"), responses: { 204: { description: "Gone." }, ...refusals(draft, 404) } },
    }),
    ...(random.chance(40) && {
      head: { ...is("head"), responses: { 200: { description: "There." }, ...refusals(draft, 404) } },
    }),
  };
  draft.resources.push({
    ...{ collection: `/${word}`, item: `/${word}/{${parameter}}`, parameter },
    field: "id",
  });
};

const IF_MATCH = { name: "If-Match", in: "header", required: true, schema: { type: "string" } };

const withoutReadOnly = ({ readOnly: _, ...schema }: Json): Json => schema;

/** An object with fields of one direction, some of them in a part or an inner object. */
const thing = ({ random, schemas, name }: Draft, id: Json): Json => {
  const own = {
    type: "object",
    required: [
      "id",
      "name",
      ...(random.chance(50) ? ["secret"] : []),
      ...(random.chance(50) ? ["made"] : []),
    ],
    properties: {
      id: { ...id, readOnly: true },
      name: { type: "string", minLength: 1, maxLength: 20 },
      made: { type: "string", format: "date-time", readOnly: true },
      secret: { type: "string", minLength: 4, maxLength: 16, writeOnly: true },
      size: {
        type: "object",
        required: ["width", "area"],
        properties: {
          width: { type: "integer", minimum: 1, maximum: 50 },
          area: { type: "integer", minimum: 0, readOnly: true },
        },
      },
    },
  };
  if (random.chance(50)) return own;
  const base = name("BaseThing");
  const { required, ...properties } = own;
  schemas[base] = properties;
  return { allOf: [ref(base), { type: "object", required }] };
};

/** Adds a path with several identifiers that follow each other, which the server knows from the start. */
const given: Kind = (draft) => {
  const word = draft.name("repos");
  const [owner, repo] = [draft.name("owner"), draft.name("repo")];
  const parameter = (name: string) => ({ name, in: "path", required: true, schema: { type: "string" } });
  const item = draft.random.one([
    `/${word}/{${owner}}/{${repo}}`,
    `/${owner}s/{${owner}}/${repo}s/{${repo}}`,
  ]);
  draft.paths[item] = {
    get: {
      operationId: `read-${word}`,
      parameters: [parameter(owner), parameter(repo)],
      responses: {
        200: {
          description: "One.",
          content: json({ type: "object", required: ["stars"], properties: { stars: { type: "integer" } } }),
        },
        ...refusals(draft, 404),
      },
    },
  };
  draft.ids[owner] = "ann";
  draft.ids[repo] = "tool-1";
  draft.resources.push({
    collection: `/none/${word}`,
    item,
    parameter: repo,
    field: "id",
    known: [item.replace(`{${owner}}`, "ann").replace(`{${repo}}`, "tool-1")],
  });
};

/** Adds an operation whose schema is in another folder, in a file with merge keys, and contains itself. */
const files: Kind = (draft) => {
  draft.files["common/all types.yaml"] = `components:
  schemas:
    Named: &named { type: object, required: [name], properties: &properties { name: { type: string, minLength: 1, maxLength: 9 } } }
    Node: { <<: *named, properties: { <<: *properties, next: { $ref: "#/components/schemas/Node" }, size: { $ref: "sizes.yaml#/Size" } } }
`;
  draft.files["common/sizes.yaml"] = "Size: { type: integer, minimum: 1, maximum: 40 }\n";
  const node = { $ref: "../common/all%20types.yaml#/components/schemas/Node" };
  addPost(draft, "nodes", node, node);
};

export const RESOURCE_KINDS: Readonly<Record<string, Kind>> = {
  "fields of one direction": collection,
  "collection of resources": collection,
  "given identifiers": given,
  "several files": files,
};
