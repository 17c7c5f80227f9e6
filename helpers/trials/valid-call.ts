/** Generates valid calls of an operation from the contract, with the ids of arranged resources. */
import fc from "fast-check";
import type { Contract, JsonSchema, Operation, Parameter } from "../contract/contract.ts";
import { JSON_TYPE } from "../contract/media-type.ts";
import { getOrInsert, memoize } from "../contract/memoize.ts";
import { isInForm, namesCondition } from "../contract/operation-requirements.ts";
import { escapeSegment } from "../contract/pointer.ts";
import { isObjectParameter } from "../contract/rules.ts";
import { formIn } from "../contract/schemas/form-fields.ts";
import { withoutNull } from "../contract/schemas/keywords.ts";
import { resolveRef } from "../contract/schemas/rule-walk.ts";
import { inPlace, propertiesOf, statesValues } from "../contract/schemas/schema-visitor.ts";
import type { GenerateContext } from "../generate/context.ts";
import { allowingGiven } from "../generate/given-identifiers.ts";
import { validValues } from "../generate/valid.ts";
import type { Arranger, Demand } from "./arrange.ts";
import type { Call } from "./call.ts";
import { childrenFirst } from "./named-resources.ts";
import { type OtherBody, otherBodyIn } from "./other-body.ts";
import { NotTried } from "./stopped.ts";
import type { TrialContext } from "./trial.ts";
import { canWriteObject, writtenAlone, writtenQuery } from "./written-parameter.ts";

/** The values of a call: plausible ones, only the required ones, or the ones that the document states. */
export type ValueSource = "plausible" | "bare" | "stated";

/** A generator of calls, with the generation context of their bodies, so that a trial can change one place. */
export interface CallMaker {
  readonly calls: fc.Arbitrary<Call>;
  /** Schema of the JSON body; absent when the operation has none. */
  readonly body?: JsonSchema;
  /** A body of another media type; absent if the body is JSON. */
  readonly other?: OtherBody;
  readonly generation: GenerateContext;
}

/**
 * Generates calls with all required parameters, and with the optional parameters that are always sent.
 * @param sentAs the place of the fields of the body, if it is a form and not of the usual media type
 * @throws NotTried or TargetLost when a resource that the call names can't be arranged
 */
export const validCalls = async (
  given: Pick<TrialContext, "contract" | "validator" | "arrange" | "tag">,
  operation: Operation,
  sentAs?: Parameter["in"],
  source: ValueSource = "plausible",
): Promise<CallMaker> => {
  const context =
    CHANGING.includes(operation.method) && operation.creates === undefined
      ? { ...given, arrange: given.arrange.mutable() }
      : given;
  for (const resource of operation.needs) {
    // The operation that finds the resource may be the operation that arranges it, so the resource is optional here.
    if (operation.finds.some((place) => place.resource === resource)) await context.arrange.get(resource);
    else await context.arrange.need(resource);
  }
  const body = isInForm(sentAs) ? undefined : operation.requestBody?.content["application/json"];
  const other = otherBodyOf(operation, context.contract.schemas, sentAs);
  const schema = body ?? other?.schema;
  const sent = await sentWith(context.arrange, operation);
  const object = sent.find(
    (parameter) =>
      isUnclear(parameter, context.contract.schemas) ||
      (isObjectParameter(parameter, context.contract.schemas) && !canWriteObject(parameter)),
  );
  if (object !== undefined)
    throw new NotTried("left-open", `the document leaves open how ${object.name} is written`);
  // The caller chooses the identifier of a resource that the operation creates.
  const isMade = (resource: string) =>
    operation.creates === resource || operation.produces.some((made) => made.resource === resource);
  const wanted = sent.flatMap(({ resource }) =>
    resource === undefined || (isMade(resource) && context.arrange.given?.[resource] === undefined)
      ? []
      : [resource],
  );
  const resources = await resourcesFor(context, operation, wanted, isMade);
  const { schemas, country } = context.contract;
  const validator = allowingGiven(context.validator, schemas, resources);
  const generation = {
    ...{ schemas, country, validator, resources, tag: context.tag, takesStated: source === "stated" },
    without: [
      ...(other === undefined ? [] : unclearIn(operation)),
      ...(source === "bare" && schema !== undefined ? optionalIn(schemas, schema) : []),
    ],
  };
  return {
    calls: fc
      .tuple(
        fc.tuple(...sent.map((parameter) => valuesOf(parameter, generation))),
        schema !== undefined && (isBodySent(operation) || sentAs !== undefined)
          ? bodiesOf(operation, schema, generation)
          : fc.constant(undefined),
      )
      .map(([values, value]) => ({
        ...toCall(operation, sent, values, other === undefined ? value : undefined),
        ...(other !== undefined && { raw: other.write(value) }),
      })),
    ...(body !== undefined && { body }),
    ...(other !== undefined && { other }),
    generation,
  };
};

/**
 * Arranges the resources that a call names, in its parameters and in its body.
 * @param isMade whether the call creates a resource, so that its caller chooses the identifier
 */
const resourcesFor = async (
  context: Pick<TrialContext, "contract" | "arrange">,
  operation: Operation,
  wanted: readonly string[],
  isMade: (resource: string) => boolean,
): Promise<Readonly<Record<string, string>>> => {
  const resources: Record<string, string> = {};
  // Asking for the last one first tells what its parents are for: a customer must have accounts.
  const last = wanted.at(-1);
  if (wanted.length > 1 && last !== undefined) await context.arrange.get(last, demandOf(operation, last));
  for (const resource of wanted) {
    resources[resource] = await context.arrange.need(resource, demandOf(operation, resource));
  }
  for (const [resource, required] of childrenFirst(context.contract, operation)) {
    const given = context.arrange.given?.[resource];
    if (given !== undefined) resources[resource] ??= given;
    if (resources[resource] !== undefined || isMade(resource)) continue;
    if (required) resources[resource] = await context.arrange.need(resource);
    else {
      const arranged = await context.arrange.get(resource);
      if ("value" in arranged) resources[resource] = arranged.value;
    }
  }
  return resources;
};

/**
 * Generates bodies. A server may know few of the values that a schema allows, so that the example of the document is taken. If
 * the call creates or changes something, it is taken only on demand: a second equal body may be refused, and shows no change.
 */
const bodiesOf = (
  { requestBody, method, produces }: Operation,
  schema: JsonSchema,
  generation: GenerateContext,
): fc.Arbitrary<unknown> => {
  const example = requestBody?.example;
  const isUsable =
    example !== undefined &&
    (generation.takesStated || (method === "POST" && produces.length === 0)) &&
    Object.keys(generation.resources).length === 0 &&
    generation.validator.validate(schema, example).length === 0;
  return isUsable ? fc.constant(example) : validValues(schema, generation);
};

/** Whether no value of the parameter is read in one way. */
const isUnclear = ({ written, schema }: Parameter, schemas: Contract["schemas"]): boolean =>
  written === "unclear" ||
  (written === "label-of-one" && Number(resolveRef(schemas, schema).minItems ?? 0) > 1);

/** Returns what a resource has to be so that the operation may be called with it. */
export const demandOf = (operation: Operation, resource: string): Demand => ({
  isChanged: !SAFE.includes(operation.method),
  types: operation.kinds[resource] ?? [],
  within: operation.parameters.flatMap((one) =>
    one.in === "path" && one.resource !== undefined && one.resource !== resource ? [one.resource] : [],
  ),
});

/** RFC 9110, 9.2.1. */
export const SAFE: readonly string[] = ["GET", "HEAD", "OPTIONS"];

/** Methods that change or delete the resource in their path. */
const CHANGING: readonly string[] = ["PUT", "PATCH", "DELETE"];

/** Returns the parameters to send, with the first set of parameters that belong together and can all be arranged. */
const sentWith = async (arrange: Arranger, operation: Operation): Promise<Parameter[]> => {
  for (const together of operation.parameterSets.slice(0, -1)) {
    const sent = sentBy(operation, together);
    const resources = sent.flatMap(({ name, resource }) => (together.includes(name) && resource) || []);
    const arranged = await Promise.all(resources.map((resource) => arrange.get(resource)));
    if (arranged.every((one) => "value" in one)) return sent;
  }
  return sentBy(operation, operation.parameterSets.at(-1));
};

/** Returns the parameters to send. @param together the chosen set of parameters that belong together; the first set by default */
export const sentBy = (
  { parameters, parameterSets }: Operation,
  together: readonly string[] = parameterSets[0] ?? [],
): Parameter[] => {
  return parameters.filter(
    ({ name, required, send }) => required || send === "always" || together.includes(name),
  );
};

/** @throws NotTried when the suite writes no body of the operation's media types */
const otherBodyOf = (
  operation: Operation,
  schemas: Contract["schemas"],
  sentAs: Parameter["in"] | undefined,
): OtherBody | undefined => {
  const { content: all = {}, fields = [] } = operation.requestBody ?? {};
  const form = isInForm(sentAs) ? formIn(all, sentAs) : undefined;
  const content = form === undefined ? all : Object.fromEntries([form]);
  const types = Object.keys(content);
  if (!(isBodySent(operation) || form) || types.length === 0 || JSON_TYPE in content) return undefined;
  const other = otherBodyIn(content, schemas, fields);
  const unclear = fields.find((one) => one.written === "unclear" && one.required && one.in === other?.place);
  if (unclear !== undefined)
    throw new NotTried("left-open", `the document leaves open how ${unclear.name} is written`);
  if (other === undefined)
    throw new NotTried("limit-of-suite", `the suite writes no body of ${types.join(" or ")}`);
  return other;
};

/** Returns the places of the fields of a form that can be read in several ways. */
const unclearIn = ({ requestBody }: Operation): string[] =>
  (requestBody?.fields ?? []).flatMap(({ name, written }) =>
    written === "unclear" ? [`/${escapeSegment(name)}`] : [],
  );

const optionalIn = (schemas: Contract["schemas"], schema: JsonSchema): string[] => {
  const parts = inPlace(schemas, schema, "always");
  const required = parts.flatMap((part) => (Array.isArray(part.required) ? part.required : []));
  return parts
    .flatMap((part) => Object.keys(propertiesOf(part)))
    .filter((name) => !required.includes(name))
    .map((name) => `/${escapeSegment(name)}`);
};

/** Whether the document states values for fields of the body. */
export const hasStatedValues = ({ requestBody }: Operation, { schemas }: Contract): boolean =>
  Object.values(requestBody?.content ?? {}).some((schema) => statesValues(schemas, schema)) ||
  requestBody?.example !== undefined;

const isBodySent = ({ requestBody }: Operation): boolean =>
  requestBody?.required === true || requestBody?.send === "always";

const valuesOf = (parameter: Parameter, generation: GenerateContext): fc.Arbitrary<unknown> => {
  const arranged = parameter.resource === undefined ? undefined : generation.resources[parameter.resource];
  if (arranged !== undefined) return fc.constant(arranged);
  const schema = resolveRef(generation.schemas, parameter.schema);
  if (isCondition(parameter) && generation.validator.validate(schema, ANY).length === 0)
    return fc.constant(ANY);
  const sent = sentSchema(parameter, generation.schemas);
  const { example, resource } = parameter;
  // A server may know few of the values that a schema allows.
  return example !== undefined &&
    resource === undefined &&
    generation.validator.validate(sent, example).length === 0
    ? fc.constant(example)
    : validValues(sent, generation);
};

/** The condition that a resource exists, which each state of it fulfils (RFC 9110, 13.1.1). */
const ANY = "*";

const isCondition = ({ in: place, name }: Parameter): boolean => namesCondition(place, name);

/** Returns the schema of the values that are sent, always the same object, so that it is compiled once. */
const sentSchema = (parameter: Parameter, schemas: Contract["schemas"]): JsonSchema =>
  getOrInsert(sentSchemas(schemas), parameter, () => narrowed(parameter, schemas));

const sentSchemas = memoize((_: Contract["schemas"]) => new WeakMap<Parameter, JsonSchema>());

const narrowed = (parameter: Parameter, schemas: Contract["schemas"]): JsonSchema => {
  const data = parameter.data === undefined ? {} : { "x-data": parameter.data };
  const schema = withoutNull(resolveRef(schemas, parameter.schema));
  const { type, minItems } = schema;
  // A query can't state an empty list.
  const least =
    parameter.in === "query" && [type].flat().includes("array")
      ? { minItems: Math.max(1, Number(minItems ?? 0)) }
      : {};
  const most = parameter.written === "label-of-one" ? { minItems: 1, maxItems: 1 } : {};
  return { ...data, ...schema, ...least, ...most };
};

const toCall = (
  operation: Operation,
  sent: readonly Parameter[],
  values: readonly unknown[],
  json: unknown,
): Call => {
  const of = (place: Parameter["in"]): Record<string, string> =>
    Object.fromEntries(
      sent.flatMap((parameter, index) =>
        parameter.in === place ? [[parameter.name, writtenAlone(parameter, values[index])]] : [],
      ),
    );
  const cookies = Object.entries(of("cookie")).map(([name, value]) => `${name}=${value}`);
  const query = sent.flatMap((parameter, index) =>
    parameter.in === "query" ? Object.entries(writtenQuery(parameter, values[index])) : [],
  );
  return {
    operationId: operation.operationId,
    path: of("path"),
    query: Object.fromEntries(query),
    headers: { ...of("header"), ...(cookies.length > 0 && { cookie: cookies.join("; ") }) },
    ...(json !== undefined && { json }),
  };
};
