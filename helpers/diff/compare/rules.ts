/** Every rule of the diff: a row on the axes place, keyword and nature. Class and text follow from the row. */

import type { Sender } from "../document/model.ts";
import type { Action, Effect } from "./effect.ts";

/**
 * `demand`: something messages have to keep, so that more of it allows less; `choice`: one of several that messages may
 * take, so that more of them allow more; `meaning`: what is allowed stays the same and means something else;
 * `notice`: nothing changes yet.
 */
export type Nature = "demand" | "choice" | "meaning" | "notice";

export interface Rule {
  readonly place: "schema" | "parameter" | "body" | "response" | "operation" | "component";
  readonly nature: Nature;
  /** What changed, for the text: `longest length`. */
  readonly words: string;
  /** Keywords of the validator's complaint by which a witness shows this change; any where absent. */
  readonly shownBy?: readonly string[];
  /** Why it stays undecided where nothing allowed is refused; absent where it then harms nobody. */
  readonly open?: Partial<Record<Sender, Partial<Record<Action, string>>>>;
}

const UNNAMED_REQUEST =
  "the new document no longer names it: a request may still carry it, and no schema shows whether it counts";
const UNNAMED_RESPONSE =
  "a response without it was always allowed, so no response shows the loss; whoever reads it gets nothing";
const NO_JUDGE = "no validator judges it";
type Open = NonNullable<Rule["open"]>;

const whenever = (reason: string) => ({ added: reason, removed: reason, changed: reason });
const both = (reason: string): Open => ({ caller: whenever(reason), service: whenever(reason) });
const removed = (caller: string, service: string): Open => ({
  caller: { removed: caller },
  service: { removed: service },
});

const row =
  (place: Rule["place"]) =>
  (nature: Nature, words: string, open?: Open, shownBy?: readonly string[]): Rule => ({
    place,
    nature,
    words,
    ...(shownBy && { shownBy }),
    ...(open && { open }),
  });

const schema = (nature: Nature, words: string, shownBy?: readonly string[], open?: Open): Rule =>
  row("schema")(nature, words, open, shownBy);
const parameter = row("parameter");
const body = row("body");
const response = row("response");
const operation = row("operation");
const component = row("component");

export const RULES = {
  type: schema("demand", "type", ["type"]),
  null: schema("choice", "null", ["type", "enum", "anyOf", "oneOf"]),
  enum: schema("demand", "list of values", ["enum", "const"]),
  value: schema("choice", "value", ["enum", "const"]),
  minimum: schema("demand", "lower limit", ["minimum", "exclusiveMinimum"]),
  maximum: schema("demand", "upper limit", ["maximum", "exclusiveMaximum"]),
  multipleOf: schema("demand", "step", ["multipleOf"]),
  minLength: schema("demand", "shortest length", ["minLength"]),
  maxLength: schema("demand", "longest length", ["maxLength"]),
  pattern: schema("demand", "pattern", ["pattern"]),
  format: schema("demand", "format", ["format"]),
  hint: schema("meaning", "format", undefined, both(NO_JUDGE)),
  minItems: schema("demand", "fewest items", ["minItems"]),
  maxItems: schema("demand", "most items", ["maxItems"]),
  uniqueItems: schema("demand", "items must differ", ["uniqueItems"]),
  items: schema("demand", "schema of the items"),
  contains: schema("demand", "item that must be among them", ["contains"]),
  minContains: schema("demand", "fewest such items", ["contains", "minContains"]),
  maxContains: schema("demand", "most such items", ["contains", "maxContains"]),
  minProperties: schema("demand", "fewest properties", ["minProperties"]),
  maxProperties: schema("demand", "most properties", ["maxProperties"]),
  property: schema("choice", "property", undefined, removed(UNNAMED_REQUEST, UNNAMED_RESPONSE)),
  required: schema("demand", "required property", ["required"]),
  additionalProperties: schema("demand", "schema of other properties"),
  patternProperties: schema("demand", "schema of properties by pattern"),
  propertyNames: schema("demand", "schema of property names"),
  dependentRequired: schema("demand", "properties that another one requires", ["dependentRequired"]),
  dependentSchemas: schema("demand", "schema that a property brings"),
  unevaluatedProperties: schema("demand", "schema of all other properties"),
  unevaluatedItems: schema("demand", "schema of all other items"),
  not: schema("demand", "excluded schema"),
  if: schema("demand", "condition"),
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: schema("demand", "schema where the condition holds"),
  else: schema("demand", "schema where the condition fails"),
  anyOf: schema("demand", "alternatives"),
  oneOf: schema("demand", "exclusive alternatives"),
  alternative: schema("choice", "alternative", ["anyOf", "oneOf", "type", "discriminator"]),
  discriminator: schema("demand", "discriminator", undefined, both("no value of it is listed")),
  default: schema("meaning", "default", undefined, {
    caller: whenever("what a request without it means has changed, and no schema shows it"),
  }),
  contentEncoding: schema("meaning", "encoding", undefined, both(NO_JUDGE)),
  contentMediaType: schema("meaning", "media type of the text", undefined, both(NO_JUDGE)),
  "schema.deprecated": schema("notice", "deprecation"),

  parameter: parameter("choice", "parameter", removed(UNNAMED_REQUEST, UNNAMED_REQUEST)),
  "parameter.in": parameter(
    "choice",
    "place",
    both("the old place is no longer described, and no schema shows whether it still counts"),
  ),
  "parameter.required": parameter("demand", "required parameter"),
  "parameter.style": parameter(
    "demand",
    "style",
    both("a text that both allow may be read as another value"),
  ),
  "parameter.deprecated": parameter("notice", "deprecation"),

  body: body("choice", "request body", removed(UNNAMED_REQUEST, UNNAMED_RESPONSE)),
  "body.required": body("demand", "required request body"),
  "request.mediaType": body("choice", "media type"),

  status: response("choice", "status"),
  "response.mediaType": response("choice", "media type", {
    service: { removed: "whether a request that asks for it with Accept is refused, no schema shows" },
  }),
  "response.content": response("demand", "response body"),
  header: response("choice", "header", removed(UNNAMED_REQUEST, UNNAMED_RESPONSE)),
  "header.required": response("demand", "required header"),

  operation: operation("choice", "operation"),
  delivery: operation(
    "meaning",
    "delivery",
    both("whether a listener gets it, or counts on it, no document says"),
  ),
  path: operation("choice", "path"),
  operationId: operation("notice", "operationId"),
  "operation.deprecated": operation("notice", "deprecation"),
  limit: operation("meaning", "limit", both("only many requests show it")),
  credentials: operation("choice", "accepted credentials"),
  securityScheme: component(
    "meaning",
    "security scheme",
    both("it concerns how a credential is got, which no request to the service shows"),
  ),
  server: operation("choice", "server"),
  component: component("notice", "component that no operation uses"),
} as const satisfies Record<string, Rule>;

export type RuleName = keyof typeof RULES;

export const ruleOf = (name: RuleName): Rule => RULES[name];

/** What follows for messages from the nature of a rule and what was done. */
export const effectOf = (name: RuleName, action: Action): Effect => {
  const { nature } = ruleOf(name);
  if (nature === "meaning" || nature === "notice") return { narrows: false, widens: false };
  if (action === "changed") return { narrows: true, widens: true };
  if (action === "narrowed" || action === "widened")
    return { narrows: action === "narrowed", widens: action === "widened" };
  const more = action === "added";
  return { narrows: more === (nature === "demand"), widens: more === (nature === "choice") };
};
