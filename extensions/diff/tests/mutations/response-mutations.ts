/** Mutations of responses, callbacks and discriminators. */
import { asRequest, asResponse, operation } from "../small-documents.ts";
import { BOTH, completed, type Json, type WireLine, type WireMutation, wireMutations } from "./mutation.ts";

const text = { type: "string" };
const json = (schema: unknown) => ({ "application/json": { schema } });
const answering = (...statuses: readonly string[]): Json =>
  operation({ responses: Object.fromEntries(statuses.map((status) => [status, { description: status }])) });
const ok = (more: Json): Json => operation({ responses: { "200": { description: "ok", ...more } } });
const header = (schema: unknown, more: Json = {}): Json => ok({ headers: { "X-Page": { schema, ...more } } });

const RESPONSES: readonly WireLine[] = [
  ["an error status is added", "status", "CC", answering("200"), answering("200", "409")],
  ["a server error is added", "status", "CC", answering("200"), answering("200", "503")],
  ["a range of errors is added", "status", "CC", answering("200"), answering("200", "4XX")],
  ["a default is added beside a success", "status", "CC", answering("200"), answering("200", "default")],
  ["a success status is added", "status", "BU", answering("200"), answering("200", "202")],
  ["a redirection is added", "status", "BC", answering("200"), answering("200", "303")],
  ["the only success status is removed", "status", "BB", answering("200", "404"), answering("404")],
  ["a success status is replaced", "status", "BB", answering("200"), answering("201")],
  ["a status of a range", "status", "CC", answering("2XX"), answering("2XX", "201")],
  ...completed((more: Json) => ok({ content: { ...json(text), ...more } }))([
    ["a media type is added", "response.mediaType", "BB", {}, { "text/csv": {} }],
  ]),
  ["a body is added", "response.content", "CB", ok({}), ok({ content: json(text) })],
  ["an optional header is added", "header", "CU", ok({}), header(text)],
  ["a required header is added", "header", "CB", ok({}), header(text, { required: true })],
  ...completed((more: Json) => header(text, more))([
    ["a response header becomes required", "header.required", "CB", {}, { required: true }],
  ]),
  ["a header gets more values", "value", "BC", header({ enum: ["a"] }), header({ enum: ["a", "b"] })],
  ...completed((name: string) => ok({ headers: { [name]: { schema: text } } }))([
    ["a header gets another name in another case", "none", "--", "X-Page", "x-page"],
  ]),
];

const callback = (schema: unknown, responses: Json = { "200": { description: "ok" } }): Json =>
  operation({
    callbacks: {
      done: {
        "{$request.body#/url}": {
          post: { requestBody: { required: true, content: json(schema) }, responses },
        },
      },
    },
  });

const LATER = { "200": { description: "ok" }, "202": { description: "later" } };

const CALLBACKS: readonly WireLine[] = [
  ["a callback is added", "delivery", "UU", operation({}), callback(text)],
  ["a callback sends more", "maxLength", "BC", callback({ ...text, maxLength: 4 }), callback(text)],
  ["a callback accepts fewer responses", "status", "BC", callback(text, LATER), callback(text)],
];

const pet = (kind: string, more: Json = {}): Json => ({
  type: "object",
  required: [kind],
  properties: { [kind]: text, ...more },
});
const PETS = { Cat: pet("kind"), Dog: pet("kind", { tail: text }), Cow: pet("type") };
const pets = (discriminator?: Json, schemas: Json = PETS, union = "oneOf") =>
  [
    {
      [union]: ["Cat", "Dog"].map((name) => ({ $ref: `#/components/schemas/${name}` })),
      ...(discriminator && { discriminator }),
    },
    { components: { schemas } },
  ] as const;
const ref = (name: string) => `#/components/schemas/${name}`;
const mapped = (cat: string, dog: string): Json => ({
  propertyName: "kind",
  mapping: { [cat]: ref("Cat"), [dog]: ref("Dog") },
});
const BOTH_NAMES = {
  Cat: { ...PETS.Cat, properties: { kind: text, type: text } },
  Dog: { ...PETS.Dog, properties: { kind: text, type: text, tail: text } },
};

const any = (discriminator?: Json) => pets(discriminator, PETS, "anyOf");

const CAT_AND_DOG = mapped("cat", "dog");
const CAT_AND_HOUND = mapped("cat", "hound");
const KIND = { propertyName: "kind" };
const TYPE = { propertyName: "type" };

const DISCRIMINATORS: readonly WireLine[] = [
  ...completed((one: Json | undefined) => asRequest(...any(one)))([
    ["a discriminator of a request goes", "discriminator", "CB", CAT_AND_DOG, undefined],
    ["a discriminator without a mapping goes", "discriminator", "CB", KIND, undefined],
  ]),
  ...completed((one: Json | undefined) => asResponse(...any(one)))([
    ["a discriminator of a response goes", "discriminator", "BC", CAT_AND_DOG, undefined],
  ]),
  ...completed((one: Json) => asRequest(...pets(one)))([
    ["a value of a request changes", "discriminator", "BB", CAT_AND_DOG, CAT_AND_HOUND],
    ["values that the names imply", "none", "--", KIND, mapped("Cat", "Dog")],
  ]),
  ...completed((one: Json) => asResponse(...pets(one)))([
    ["a value of a response changes", "discriminator", "BB", CAT_AND_DOG, CAT_AND_HOUND],
  ]),
  ...completed((one: Json) => asRequest(...pets(one, BOTH_NAMES)))([
    ["another property of a request", "discriminator", "BB", KIND, TYPE],
  ]),
  ...completed((one: Json) => asResponse(...pets(one, BOTH_NAMES)))([
    ["another property of a response", "discriminator", "BB", KIND, TYPE],
  ]),
];

export const RESPONSE_MUTATIONS: readonly WireMutation[] = [
  ...RESPONSES,
  ...CALLBACKS,
  ...DISCRIMINATORS,
].map(wireMutations(BOTH));
