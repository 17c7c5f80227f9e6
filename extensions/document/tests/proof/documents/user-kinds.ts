/** Kinds about what only the server, the document or the client knows: values, names and identifiers. */
import type { Json } from "../server/files.ts";
import type { Draft, Kind } from "./kind.ts";
import { json, ref, refusals } from "./parts.ts";

const TEXT = { type: "string", minLength: 1, maxLength: 12 };

const GONE = { description: "Gone." };

const answered = (schema: Json, more: Json = {}) => ({ description: "", content: json(schema), ...more });

const reading = (draft: Draft, name: string, schema: Json): Json => ({
  parameters: [{ name, in: "path", required: true, schema: { type: "string" } }],
  get: { operationId: `read-${name}`, responses: { 200: answered(schema), ...refusals(draft, 404) } },
  delete: { operationId: `remove-${name}`, responses: { 204: GONE, ...refusals(draft, 404) } },
});

/** The server knows one of the texts that a schema allows, which the document states. */
const stated: Kind = (draft) => {
  const [word, field, component] = [draft.name("bids"), draft.name("currency"), draft.name("Bid")];
  const how = draft.random.one<Json>([{ example: "EUR" }, { default: "EUR" }]);
  draft.known[field] = "EUR";
  draft.schemas[component] = {
    type: "object",
    required: [field],
    properties: { [field]: { type: "string", ...how }, note: TEXT, id: { ...TEXT, readOnly: true } },
  };
  const made = answered(ref(component));
  const body = { required: true, content: json(ref(component)) };
  const responses = { 201: made, ...refusals(draft, 400) };
  draft.paths[`/${word}`] = { post: { operationId: `make-${word}`, requestBody: body, responses } };
  draft.paths[`/${word}/{${word}Id}`] = reading(draft, `${word}Id`, ref(component));
  const item = `/${word}/{${word}Id}`;
  draft.resources.push({ collection: `/${word}`, item, parameter: `${word}Id`, field: "id" });
};

/** A link states which member of an answer identifies what was created, and where. */
const linked: Kind = (draft) => {
  const [word, job] = [draft.name("print"), draft.name("job")];
  const item = `/${job}s/{${job}}`;
  const ticket = { type: "object", required: ["ticket"], properties: { ticket: TEXT } };
  const link = draft.random.one<Json>([
    { operationId: `read-${job}` },
    { operationRef: `#/paths/~1${job}s~1{${job}}/get` },
  ]);
  const links = { Look: { ...link, parameters: { [job]: "$response.body#/ticket" } } };
  draft.paths[`/${word}`] = {
    post: { operationId: `start-${word}`, responses: { 201: answered(ticket, { links }) } },
  };
  draft.paths[item] = reading(draft, job, { type: "object", required: ["text"], properties: { text: TEXT } });
  draft.resources.push({ collection: `/${word}`, item, parameter: job, field: "ticket" });
};

/** A client chooses the name under which a PUT creates something. */
const chosen: Kind = (draft) => {
  const floor = draft.name("floor");
  const schema = {
    type: "object",
    required: ["size"],
    properties: { size: { type: "integer", minimum: 1 } },
  };
  const item = `/${floor}s/{${floor}}`;
  const put = {
    operationId: `put-${floor}`,
    requestBody: { required: true, content: json(schema) },
    responses: { 201: answered(schema), 200: answered(schema), ...refusals(draft, 400) },
  };
  draft.paths[item] = { ...reading(draft, floor, schema), put };
  draft.resources.push({ ...{ collection: "/none", item, parameter: floor, field: "id" }, isChosen: true });
};

export const USER_KINDS: Readonly<Record<string, Kind>> = {
  "stated values": stated,
  "linked identifiers": linked,
  "chosen names": chosen,
};
