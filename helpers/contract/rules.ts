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
import { type RuleIds, resolveRef, type Walk, walkSchema } from "./schemas/rule-walk.ts";
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

const walkBody = (
  { service, schemas, ruleIds }: RuleSource,
  schema: JsonSchema,
  body: { readonly operation: Operation } & Pick<Rule, "direction" | "status" | "mediaType">,
): Rule[] => {
  const { operation, ...place } = body;
  const { direction, status } = place;
  const ids = ruleIds[direction];
  const { operationId, level } = operation;
  const fixed = { operationId, ...place };
  const walk: Walk = { schemas, fill: filler(service, operationId, status), ids, rules: [], path: new Set() };
  const sharedLevel = level === "documented" && ids.base === undefined ? "assumed" : level;
  walkSchema(walk, schema, { pointer: "", base: ids.base ?? null, level, sharedLevel, fixed });
  const whole = walk.fill(ids.other);
  // A body of a document has to fit its schema, also if no rule of it says so.
  if (ids.other === WHOLE_ANSWER && !walk.rules.some(({ requirement }) => requirement === whole)) {
    const resolved = resolveRef(schemas, schema);
    const rule = {
      ...fixed,
      requirement: whole,
      pointer: "",
      keyword: "schema",
      value: true,
      schema: resolved,
      level,
    };
    if (Object.keys(resolved).length > 0) walk.rules.push(rule);
  }
  if (ids.whole !== undefined) {
    const requirement = walk.fill(ids.whole);
    const whole = { ...fixed, requirement, pointer: "", schema: resolveRef(schemas, schema), level };
    const isRequired = operation.requestBody?.required === true;
    const value = walk.rules.filter(isNamed).map(({ pointer, keyword }) => `${pointer} ${keyword}`);
    walk.rules.unshift(
      { ...whole, keyword: WHOLE_BODY, value },
      ...(isRequired ? [{ ...whole, keyword: "required", value: true }] : []),
    );
  }
  if (ids.alternative === undefined) return walk.rules;
  const requirement = walk.fill(ids.alternative);
  return walk.rules.map((rule) => (rule.alternative === undefined ? rule : { ...rule, requirement }));
};

/** Returns the rules of a body that is a form or a text, and of what the suite does not try of it. */
const rulesOfOtherBody = (source: RuleSource, operation: Operation): Rule[] => {
  const { service, schemas, ruleIds } = source;
  const { operationId, level, requestBody } = operation;
  const { base, whole } = ruleIds.request;
  if (requestBody === undefined || base === undefined || whole === undefined) return [];
  const { content, fields = [], required } = requestBody;
  const fill = filler(service, operationId);
  const fixed = { operationId, direction: "request" } as const;
  const isJson = jsonIn(requestBody).length > 0;
  const row = { ...fixed, pointer: "", schema: {}, level };
  const [mediaType = ""] = Object.keys(content);
  const [[textType, text] = []] = isJson || formIn(content, "form") !== undefined ? [] : textsIn(content);
  const walk: Walk = { schemas, fill, ids: ruleIds.request, rules: [], path: new Set() };
  if (text !== undefined && textType !== undefined) {
    const place = { ...fixed, mediaType: textType };
    walkSchema(walk, text, { pointer: "", base, level, sharedLevel: level, fixed: place });
  }
  const untried = untriedIn(schemas, content);
  return [
    ...(required && !isJson
      ? [{ ...row, mediaType, requirement: fill(whole), keyword: "required", value: true }]
      : []),
    ...fields.flatMap((field) => walkParameter(source, operation, field)),
    ...walk.rules.filter(({ keyword }) => [...OF_TEXTS, "enum", "const"].includes(keyword)),
    ...untried.map(([keyword, why]) => ({
      ...{ ...row, requirement: fill(`${base}.fields`), keyword, value: true, untried: why },
    })),
  ];
};

/** Returns the keywords of forms that nobody tries: only whole bodies of JSON are tried. */
const untriedIn = (schemas: Contract["schemas"], content: MediaTypes): [string, string][] => {
  const [, form = {}] = formIn(content, "form") ?? [];
  const hasParts = Object.keys(content).some((type) => /^multipart\//i.test(type));
  return [
    ...aboutSeveral(schemas, form).map((one): [string, string] => [
      one,
      "it is about several fields of a form",
    ]),
    ...(hasParts ? [[PARTS, "files, and media types of parts of a multipart body"] as [string, string]] : []),
  ];
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
  const walk: Walk = { schemas, fill: filler(service, operationId), ids, rules: [], path: new Set() };
  walkSchema(walk, parameter.schema, { pointer: "", base, level, sharedLevel: level, fixed });
  const rules = walk.rules
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
  for (const keyword of several) {
    const whole = { ...fixed, requirement: walk.fill(`${base}.fields`), pointer: "", keyword, value: true };
    rules.push({ ...whole, schema: {}, level, untried: "it is about several fields of a parameter" });
  }
  if (place === "path" || !parameter.required) return rules;
  const required: Rule = {
    ...fixed,
    requirement: requirements.required ?? `${service}.${base}.required`,
    pointer: "",
    keyword: "required",
    value: true,
    schema: resolveRef(schemas, parameter.schema),
    level,
  };
  return [required, ...rules];
};
