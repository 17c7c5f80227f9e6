/** Schemas -> rules: each keyword at each place of a body or parameter, with the id of its requirement. */
import type {
  Contract,
  JsonSchema,
  MediaTypes,
  Operation,
  Parameter,
  Response,
  Rule,
  Service,
} from "./contract.ts";
import { jsonIn } from "./media-type.ts";
import { getOrInsert } from "./memoize.ts";
import { isInForm } from "./operation-requirements.ts";
import { textsIn } from "./response-parts.ts";
import { formIn } from "./schemas/form-fields.ts";
import { type Place, type RuleIds, resolveRef, rulesIn } from "./schemas/rule-walk.ts";
import { inPlace } from "./schemas/schema-visitor.ts";

export interface RuleSource {
  readonly service: Service;
  readonly operations: readonly Operation[];
  /** Component schemas; every `$ref` names one of them: `#/components/schemas/…`. */
  readonly schemas: Contract["schemas"];
  readonly ruleIds: Readonly<Record<Rule["direction"], RuleIds>>;
}

/** Returns the rules of each operation: of its request body, its response bodies and its parameters. */
export const rulesOf = (source: RuleSource): Rule[] =>
  source.operations.flatMap((operation) => [
    ...requestSchemasOf(operation).flatMap((schema) =>
      walkBody(source, schema, { operation, direction: "request" }),
    ),
    ...rulesOfOtherBody(source, operation),
    ...Object.values(operation.responses)
      .filter(({ status }) => status < 400 || source.ruleIds.response.refusals !== false)
      .flatMap((response) => rulesOfResponse(source, operation, response)),
    ...operation.parameters.flatMap((parameter) => walkParameter(source, operation, parameter)),
  ]);

/** Returns the schemas of the JSON that the operation takes. Media types of one schema have the same rules. */
const requestSchemasOf = ({ requestBody }: Operation): JsonSchema[] => {
  const schemas = jsonIn(requestBody).map(([, schema]): [string, JsonSchema] => [
    JSON.stringify(schema),
    schema,
  ]);
  return [...new Map(schemas).values()];
};

/** Separates the rules that the document itself contradicts. */
export const splitRules = (all: readonly Rule[]): Pick<Contract, "rules" | "contradicted"> => ({
  rules: all.filter(({ contradicted }) => contradicted === undefined),
  contradicted: all.filter(({ contradicted }) => contradicted !== undefined),
});

/** Whether the probes of a rule show its keyword. Another number of items may also break what the items must be. */
const isNamed = ({ alternative, keyword, schema }: Rule): boolean =>
  alternative === undefined &&
  !(/^m..Items$/.test(keyword) && (schema.contains !== undefined || schema.prefixItems !== undefined));

/** The keyword of the rule that a body fits its schema, also for keywords that have no rule of their own. */
export const WHOLE_BODY = "whole-body";

const rulesOfResponse = (source: RuleSource, operation: Operation, response: Response): Rule[] => {
  const all = jsonIn(response);
  return all.flatMap(([mediaType, schema]) =>
    walkBody(source, schema, {
      operation,
      direction: "response",
      status: response.status,
      ...(all.length > 1 && { mediaType }),
    }),
  );
};

/** Returns the id of the requirement that rules of one body share, if the contract derives no others for them. */
export const sharedRequirement = (
  { service, ruleIds }: Pick<RuleSource, "service" | "ruleIds">,
  { operationId, direction }: Rule,
): string | undefined => {
  const { base, other, alternative } = ruleIds[direction];
  const shared = base === undefined ? other : alternative;
  return shared === undefined ? undefined : filler(service, operationId)(shared);
};

/** Whether the requirement is about the whole body of an answer. */
export const isWholeAnswer = (
  { service, ruleIds }: Pick<RuleSource, "service" | "ruleIds">,
  { operationId, direction, requirement }: Rule,
): boolean =>
  direction === "response" && requirement === filler(service, operationId)(ruleIds.response.other);

const filler = (service: Service, operationId: string, status?: number): ((id: string) => string) => {
  const filled = new Map<string, string>();
  const fill = (id: string): string =>
    `${service}.${id}`.replaceAll("{operationId}", operationId).replaceAll("{status}", String(status ?? ""));
  return (id) => getOrInsert(filled, id, () => fill(id));
};

/** Returns a rule about a whole body or parameter. */
const wholeRule = (
  fixed: Place["fixed"],
  requirement: string,
  own: Pick<Rule, "keyword" | "level"> & Partial<Rule>,
): Rule => ({ ...fixed, requirement, pointer: "", value: true, schema: {}, ...own });

const walkBody = (
  { service, schemas, ruleIds }: RuleSource,
  schema: JsonSchema,
  body: { readonly operation: Operation } & Pick<Rule, "direction" | "status" | "mediaType">,
): Rule[] => {
  const { operation, ...place } = body;
  const ids = ruleIds[place.direction];
  const { operationId, level } = operation;
  const fixed = { operationId, ...place };
  const fill = filler(service, operationId, place.status);
  const sharedLevel = level === "documented" && ids.base === undefined ? "assumed" : level;
  const rules = rulesIn({ schemas, fill, ids }, schema, { level, sharedLevel, fixed });
  const whole = fill(ids.other);
  const resolved = resolveRef(schemas, schema);
  // A body of a document has to fit its schema, also if no rule of it says so.
  const isUnsaid = ids.other === WHOLE_ANSWER && !rules.some(({ requirement }) => requirement === whole);
  if (isUnsaid && Object.keys(resolved).length > 0)
    rules.push(wholeRule(fixed, whole, { keyword: "schema", schema: resolved, level }));
  if (ids.whole !== undefined) {
    const value = rules.filter(isNamed).map(({ pointer, keyword }) => `${pointer} ${keyword}`);
    const about = (keyword: string, more: Partial<Rule> = {}): Rule =>
      wholeRule(fixed, fill(ids.whole as string), { keyword, schema: resolved, level, ...more });
    const isRequired = operation.requestBody?.required === true;
    rules.unshift(about(WHOLE_BODY, { value }), ...(isRequired ? [about("required")] : []));
  }
  if (ids.alternative === undefined) return rules;
  const requirement = fill(ids.alternative);
  return rules.map((rule) => (rule.alternative === undefined ? rule : { ...rule, requirement }));
};

/** Returns the rules of a body that is a form or a text, and of what the suite does not try of it. */
const rulesOfOtherBody = (source: RuleSource, operation: Operation): Rule[] => {
  const { service, schemas, ruleIds } = source;
  const { operationId, level, requestBody } = operation;
  const ids = ruleIds.request;
  const { base, whole } = ids;
  if (requestBody === undefined || base === undefined || whole === undefined) return [];
  const { content, fields = [], required } = requestBody;
  const fill = filler(service, operationId);
  const fixed = { operationId, direction: "request" } as const;
  const isJson = jsonIn(requestBody).length > 0;
  const [mediaType = ""] = Object.keys(content);
  const texts = isJson || formIn(content, "form") !== undefined ? [] : textsIn(content).slice(0, 1);
  const ofText = texts.flatMap(([textType, text]) =>
    rulesIn({ schemas, fill, ids }, text, { level, fixed: { ...fixed, mediaType: textType } }),
  );
  return [
    ...(required && !isJson
      ? [wholeRule({ ...fixed, mediaType }, fill(whole), { keyword: "required", level })]
      : []),
    ...fields.flatMap((field) => walkParameter(source, operation, field)),
    ...ofText.filter(({ keyword }) => [...OF_TEXTS, "enum", "const"].includes(keyword)),
    ...untriedIn(schemas, content).map(([keyword, untried]) =>
      wholeRule(fixed, fill(`${base}.fields`), { keyword, untried, level }),
    ),
  ];
};

/** Returns the keywords of forms that nobody tries: only whole bodies of JSON are tried. */
const untriedIn = (schemas: Contract["schemas"], content: MediaTypes): [keyword: string, why: string][] => {
  const [, form = {}] = formIn(content, "form") ?? [];
  const hasParts = Object.keys(content).some((type) => /^multipart\//i.test(type));
  const untried = aboutSeveral(schemas, form).map((one) => [one, "it is about several fields of a form"]);
  if (hasParts) untried.push([PARTS, "files, and media types of parts of a multipart body"]);
  return untried as [string, string][];
};

/** The keyword of the rule about all parts of a form together. Only callers are judged by it. */
export const PARTS = "properties";

/** Returns the keywords of an object that are about several of its fields. */
const aboutSeveral = (schemas: Contract["schemas"], schema: JsonSchema): string[] => {
  const parts = inPlace(schemas, schema, "always");
  return OF_OBJECTS.filter((keyword) =>
    parts.some((part) => !ALLOWS_ALL.test(JSON.stringify(part[keyword] ?? {}))),
  );
};

const ALLOWS_ALL = /^(?:true|\{\})$/;

const OF_OBJECTS = [
  ...["additionalProperties", "unevaluatedProperties", "propertyNames", "patternProperties"],
  ...["minProperties", "maxProperties", "dependentRequired", "dependentSchemas"],
  ...["anyOf", "oneOf", "not", "if"],
];

/** The id of the requirement of a whole body, if the contract is made from a document. */
const WHOLE_ANSWER = "{operationId}.response.body";

/** Whether the value is an object. */
export const isObjectParameter = ({ schema }: Parameter, schemas: Contract["schemas"]): boolean => {
  const { type, properties } = resolveRef(schemas, schema);
  return [type].flat().includes("object") || properties !== undefined;
};

/** Whether nobody can tell from a part more than that it is there. */
const isOpaque = ({ in: place, written }: Parameter): boolean =>
  place === "part" && (written === "file" || written === "unclear");

/** Returns the keywords of which a text can state a violation within an object. Some texts could be read otherwise. */
const statedIn = ({ written }: Parameter): readonly string[] => {
  if (written === undefined || written === "unclear") return [];
  return ["properties", "deep-object", "json"].includes(written) ? [...PLAIN, ...OF_TEXTS] : PLAIN;
};

const PLAIN = [
  "required",
  "type",
  "enum",
  "const",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
];
const OF_TEXTS = ["pattern", "format", "minLength", "maxLength", "multipleOf"];

const UNBREAKABLE_FORMATS: readonly unknown[] = ["int32", "int64", "float", "double"];

const walkParameter = (
  { service, schemas }: RuleSource,
  { operationId }: Operation,
  parameter: Parameter,
): Rule[] => {
  const { name, in: place, level, requirements } = parameter;
  const [isObject, isJson] = [isObjectParameter(parameter, schemas), parameter.written === "json"];
  // Types that no text violates: unless it is JSON, any value is a string or a list.
  const unbreakable: readonly unknown[] = isJson ? ["string"] : ["string", "array", "object"];
  const keywords = isOpaque(parameter) ? [] : isObject ? statedIn(parameter) : undefined;
  if (keywords?.length === 0 && place !== "part") return [];
  const base = `${operationId}.${isInForm(place) ? "request" : "parameter"}.${name}`;
  const ids = { base, string: `${base}.type`, other: `${base}.type` };
  const fixed = { operationId, direction: "request", place, parameter: name } as const;
  const fill = filler(service, operationId);
  const rules = rulesIn({ schemas, fill, ids }, parameter.schema, { level, fixed })
    .filter(
      ({ keyword, value }) =>
        !(keyword === "type" && [value].flat().some((type) => unbreakable.includes(type))) &&
        !(keyword === "format" && UNBREAKABLE_FORMATS.includes(value)) &&
        (keywords?.includes(keyword) ?? true),
    )
    .map((rule) =>
      rule.keyword === "required" && !parameter.required && !isJson
        ? { ...rule, untried: "an object without properties is no value" }
        : rule,
    );
  const several = isObject ? aboutSeveral(schemas, parameter.schema) : [];
  const untried = "it is about several fields of a parameter";
  for (const keyword of several)
    rules.push(wholeRule(fixed, fill(`${base}.fields`), { keyword, untried, level }));
  if (place === "path" || !parameter.required) return rules;
  const schema = resolveRef(schemas, parameter.schema);
  const id = requirements.required ?? `${service}.${base}.required`;
  return [wholeRule(fixed, id, { keyword: "required", schema, level }), ...rules];
};
