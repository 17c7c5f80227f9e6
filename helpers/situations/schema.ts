/** The JSON Schema of situations files, which follows from the situations of the services. */
import type { JsonSchema } from "../contract/contract.ts";
import type { SituationRow } from "./catalogue.ts";

/** What a file can state of a target in `capabilities`. */
export const STATED = {
  "disposable-partner": "tests may lock any partner of the target",
  "hosted-pages": "the hosted pages have the form of the sandbox's pages, so that they can be parsed",
} as const;

const refTo = (name: string): JsonSchema => ({ $ref: `#/definitions/${name}` });

const ID = refTo("id");
const HOOKS = { command: refTo("command"), http: refTo("http") };

/** What several situations share. No situation has one of these names. */
const SHARED: JsonSchema = {
  id: { type: ["string", "number"], minLength: 1 },
  command: {
    description:
      "A program and its arguments, which gets JSON on its standard input and prints JSON. It runs in the folder of this file.",
    type: "array",
    items: { type: "string" },
    minItems: 1,
  },
  http: {
    description: "An HTTP request with JSON. POST is the default, and gets the fields of body as well.",
    type: "object",
    properties: {
      url: { type: "string", pattern: "^https?://" },
      method: { type: "string" },
      headers: { type: "object", additionalProperties: { type: "string" } },
      body: { type: "object" },
    },
    required: ["url"],
    additionalProperties: false,
  },
};

const ONE_HOOK = [{ required: ["command"] }, { required: ["http"] }];

const hook = (description: string): JsonSchema => ({
  description,
  type: "object",
  properties: HOOKS,
  oneOf: ONE_HOOK,
  additionalProperties: false,
});

export const situationsSchema = (rows: readonly SituationRow[]): JsonSchema => ({
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "Situations of a target that no client can cause",
  type: "object",
  properties: {
    situations: {
      type: "object",
      properties: Object.fromEntries(rows.map((row) => [row.name, waysTo(row)])),
      additionalProperties: false,
    },
    clock: hook('Moves the clock of the target. Gets {"advance": seconds}.'),
    "linked-accounts": hook('Links test accounts to a customer. Gets {"customerId": id}.'),
    mail: hook('Prints the e-mails that the target has sent: [{"to": address, "link": URL}].'),
    capabilities: {
      description: Object.entries(STATED)
        .map(([name, meaning]) => `${name}: ${meaning}.`)
        .join(" "),
      type: "array",
      items: { enum: Object.keys(STATED) },
    },
  },
  additionalProperties: false,
  definitions: { ...SHARED, ...Object.fromEntries(rows.map((row) => [row.name, wayTo(row)])) },
});

/** One way, or a list of them. */
const waysTo = ({ name, meaning, once }: SituationRow): JsonSchema => ({
  description: `${meaning}${once ? " (each item serves one trial)" : ""}`,
  if: { type: "array" },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { items: refTo(name), minItems: 1 },
  else: refTo(name),
});

const wayTo = ({ ids, act, once, parameters }: SituationRow): JsonSchema => {
  const names = Object.keys(parameters);
  return {
    type: "object",
    properties: {
      ...(!act &&
        names.length > 0 && {
          with: {
            description: "The parameters for which this way serves.",
            type: "object",
            properties: Object.fromEntries(names.map((name) => [name, {}])),
            required: names,
            additionalProperties: false,
          },
        }),
      ...(!act && {
        ids: {
          type: "object",
          properties: Object.fromEntries(ids.map((id) => [id, ID])),
          required: ids,
          // More may be known, for example the institution of an account.
          additionalProperties: ID,
        },
      }),
      ...(once && { untouched: { type: "boolean" } }),
      ...HOOKS,
    },
    oneOf: [...(act ? [] : [{ required: names.length > 0 ? ["with", "ids"] : ["ids"] }]), ...ONE_HOOK],
    additionalProperties: false,
  };
};
