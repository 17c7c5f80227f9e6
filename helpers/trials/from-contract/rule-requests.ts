/** Builds the requests for a rule: valid calls with the tested value inserted. */
import fc from "fast-check";
import type { Contract, JsonSchema, Operation, Parameter, Rule } from "../../contract/contract.ts";
import { isObject, isSame } from "../../contract/json.ts";
import { getOrInsert } from "../../contract/memoize.ts";
import { isInForm, namesCondition } from "../../contract/operation-requirements.ts";
import { atPointer, segmentsOf } from "../../contract/pointer.ts";
import { placeInForm } from "../../contract/schemas/form-fields.ts";
import { resolveRef } from "../../contract/schemas/rule-walk.ts";
import type { ValidationError } from "../../contract/schemas/schema-validator.ts";
import { innerSchemas } from "../../contract/schemas/schema-visitor.ts";
import { itemsIn } from "../../contract/written-form.ts";
import { applyEdit, type ProbePair } from "../../generate/edit.ts";
import type { Call } from "../call.ts";
import { inOtherPlaces } from "../namesakes.ts";
import { withField } from "../other-body.ts";
import { NotTried } from "../stopped.ts";
import type { TrialContext } from "../trial.ts";
import { type ValueSource, validCalls } from "../valid-call.ts";
import { withCookie, withoutParameter, writtenAlone, writtenQuery } from "../written-parameter.ts";
import type { Subject } from "./operation-trial.ts";
import type { Requests, Sample } from "./policy.ts";
import { sharedControls } from "./shared-controls.ts";
import { consumes } from "./valid-calls.ts";

/** Returns requests for rules of one operation, from the policy or else from the contract. */
export const requestsByRule = async (
  context: TrialContext,
  { policy, operation }: Subject,
  rules: readonly Rule[],
): Promise<{
  readonly known: ReadonlyMap<Rule, Requests>;
  /** Why a rule has no requests. Other rules of the same requirement may not need what this one needs. */
  readonly missing: NotTried | undefined;
}> => {
  const known = new Map<Rule, Requests>();
  const shared = new Map<Rule["place"], Requests>();
  let missing: NotTried | undefined;
  for (const rule of rules) {
    // Another alternative may allow what this one forbids.
    if (rule.alternative !== undefined) continue;
    try {
      const own = await policy.requests?.(context, operation, rule, 0);
      const sentAs = isInForm(rule.place) ? rule.place : undefined;
      const requests = own ?? shared.get(sentAs) ?? (await contractRequests(context, operation, sentAs));
      if (own === undefined) shared.set(sentAs, requests);
      known.set(rule, requests);
    } catch (error) {
      if (!(error instanceof NotTried)) throw error;
      missing = error;
    }
  }
  return { known, missing };
};

/**
 * @param turn the number of probes before this one. Each gets its own resource, if the call uses it up.
 * @param source the values of the controls
 */
export const requestsFor = (
  context: TrialContext,
  { policy, operation }: Subject,
  rule: Rule,
  turn: number,
  source?: ValueSource,
): Promise<Requests> => {
  const own = consumes(operation) ? { ...context, arrange: context.arrange.exclusive() } : context;
  const sentAs = isInForm(rule.place) ? rule.place : undefined;
  return policy.requests?.(own, operation, rule, turn) ?? contractRequests(own, operation, sentAs, source);
};

/** @throws NotTried or TargetLost when the resources of the calls can't be arranged */
export const contractRequests = async (
  context: TrialContext,
  operation: Operation,
  sentAs?: Rule["place"],
  source?: ValueSource,
): Promise<Requests> => {
  const { calls, body: json, other, generation } = await validCalls(context, operation, sentAs, source);
  const body = json ?? other?.schema ?? {};
  const isValidBody = (json: unknown): boolean => generation.validator.validate(body, json).length === 0;
  const everywhere = (call: Call, rule: Rule): Call => changedEverywhere(call, rule, isValidBody);
  const written = (call: Call, rule: Rule, value: unknown): Call =>
    other !== undefined && rule.parameter === undefined
      ? withText(call, value === undefined ? undefined : other.write(value))
      : withValue(call, rule, value, parameterOf(operation, rule, generation.schemas));
  const probeOf = (call: Call, rule: Rule, { edited }: ProbePair): Call =>
    everywhere(written(call, rule, edited), rule);
  const shared = sharedControls(context, operation).map(({ call }) => call);
  const alike = (control: Call, rule: Rule, pair: ProbePair): Sample | undefined => {
    if (rule.parameter !== undefined)
      return pair.base !== undefined && hasValue(control, rule)
        ? { control, probe: probeOf(control, rule, pair) }
        : undefined;
    const edited = json && editedAlike(control.json, pair, (one) => generation.validator.validate(json, one));
    return edited && { control, probe: probeOf(control, rule, { ...pair, edited: edited.json }) };
  };
  // A probe next to a shared control differs from that call. What the probe names belongs to what its path names.
  const besideShared = ({ path }: Call, rule: Rule, pair: ProbePair): Sample | undefined => {
    for (const control of shared.toReversed()) {
      const sample = isSame(control.path, path) ? alike(control, rule, pair) : undefined;
      if (sample !== undefined) return sample;
    }
    return undefined;
  };
  return {
    // The rule of a parameter applies to its value only.
    schemaOf: (rule) => {
      if (rule.parameter === undefined) return body;
      const own = ownParameter(operation, rule);
      if (own === undefined) return rule.schema;
      return rule.pointer !== "" ? own.schema : withData(rule.schema, own.data);
    },
    generation,
    samples: (rule, pairs) =>
      fc.tuple(calls, pairs).map(
        ([call, pair]) =>
          besideShared(call, rule, pair) ?? {
            control: everywhere(controlOf(call, operation, rule, pair, generation, written), rule),
            probe: probeOf(call, rule, pair),
          },
      ),
  };
};

/** Returns the schema with the data of its parameter: another valid value may be outside the period that a server knows. */
const withData = (schema: JsonSchema, data: string | undefined): JsonSchema =>
  data === undefined ? schema : getOrInsert(dated, schema, () => ({ "x-data": data, ...schema }));

const dated = new WeakMap<JsonSchema, JsonSchema>();

/**
 * Returns an accepted body after the edit of a pair.
 * @returns `undefined` unless the edit is all that the pair changes, replaces, removes or adds as in the base of the pair,
 * and breaks the same rules
 */
const editedAlike = (
  accepted: unknown,
  { base, edit, edited }: ProbePair,
  errorsOf: (json: unknown) => readonly ValidationError[],
): { readonly json: unknown } | undefined => {
  const parent = edit.pointer.slice(0, edit.pointer.lastIndexOf("/"));
  const hasPlace = (body: unknown, pointer: string): boolean => atPointer(body, pointer) !== undefined;
  if (edit.pointer === "" || !hasPlace(accepted, parent)) return undefined;
  if (hasPlace(accepted, edit.pointer) !== hasPlace(base, edit.pointer)) return undefined;
  if (!isSame(applyEdit(base, edit), edited)) return undefined;
  const json = applyEdit(accepted, edit);
  const broken = (one: unknown): string[] =>
    errorsOf(one).map(({ keyword, pointer }) => `${keyword} ${pointer}`);
  return isSame(broken(json), broken(edited)) ? { json } : undefined;
};

/**
 * Returns the valid call next to a probe. It has the default of a parameter, because a server may refuse another valid
 * value, such as an offset behind the last item. It omits the parameter if the probe has the default.
 */
const controlOf = (
  call: Call,
  operation: Operation,
  rule: Rule,
  { base, edited }: ProbePair,
  { validator }: Requests["generation"],
  written: (call: Call, rule: Rule, value: unknown) => Call,
): Call => {
  if (isGiven(operation, rule)) return call;
  const value = rule.schema.default;
  const isPlain = ["string", "number", "boolean"].includes(typeof value);
  if (rule.parameter === undefined || rule.pointer !== "" || !isPlain) return written(call, rule, base);
  if (validator.validate(rule.schema, value).length > 0) return written(call, rule, base);
  return written(call, rule, value === edited ? undefined : value);
};

const withText = ({ raw: _, ...call }: Call, raw: Call["raw"]): Call =>
  raw === undefined ? call : { ...call, raw };

/** Whether the rule is about an identifier in the path: of its valid values, the server accepts only known ones. */
export const namesResource = ({ parameters }: Operation, { place, parameter }: Rule): boolean =>
  place === "path" && parameters.find(({ name }) => name === parameter)?.resource !== undefined;

/** Whether a path has a value that the document limits and does not list: nothing may be there, such as at a line of an order. */
export const isPosition = ({ in: place, resource, schema }: Parameter): boolean =>
  place === "path" && resource === undefined && schema.enum === undefined && schema.const === undefined;

/** Whether the server accepts only known values: an identifier that exists, or the condition that a resource fulfils. */
export const isGiven = (operation: Operation, rule: Rule): boolean =>
  namesResource(operation, rule) || namesCondition(rule.place, rule.parameter);

/** Returns why a server can't read the value of the rule's parameter from its place; `undefined` if it can. */
export const whyUnread = (
  { path = {}, query, headers = {} }: Call,
  { place, parameter = "" }: Pick<Rule, "place" | "parameter">,
): string | undefined => {
  if (JSON.stringify([path, query, headers]).length > LONGEST)
    return `the value is longer than the ${LONGEST} characters of an address or a header that servers should read`;
  // Servers see another path if the value is empty, dots, or has a slash.
  if (place === "path" && /^\.{0,2}$|[/\\]/.test(path[parameter] ?? ""))
    return "what breaks the rule is an empty value, or has a slash";
  const pairs = (headers.cookie ?? "").split("; ");
  return place === "cookie" && !pairs.every((pair) => pair === "" || COOKIE.test(pair))
    ? "what breaks the rule has a character that no cookie can have"
    : undefined;
};

/** The number of characters of an address or a header that servers should read (RFC 9112, 3). */
const LONGEST = 8_000;

/** A pair of a cookie (RFC 6265, 4.1.1). Some servers decode percent signs, others don't. */
const COOKIE = /^[^=]+=[!#$&-+\--:<-[\]-~]*$/;

const PLACES = { query: "query", header: "headers", path: "path", cookie: "headers" } as const;

/** Returns the value of the rule's parameter in the call; `undefined` also for a cookie. */
const sentIn = (call: Call, { parameter = "", place }: Rule) => {
  if (place === undefined || place === "cookie") return undefined;
  return (isInForm(place) ? formOf(call, place)?.form : call[PLACES[place]])?.[parameter];
};

/** Returns the body of a call if it is the form of this place. */
const formOf = ({ raw }: Call, place: Rule["place"]): Call["raw"] =>
  placeInForm(raw?.contentType ?? "") === place ? raw : undefined;

/** Whether the call has a value of the rule's parameter. */
const hasValue = (call: Call, rule: Rule): boolean => rule.pointer === "" && sentIn(call, rule) !== undefined;

const ownParameter = ({ parameters, requestBody }: Operation, rule: Rule): Parameter | undefined =>
  [...parameters, ...(requestBody?.fields ?? [])].find(
    ({ name, in: place }) => place === rule.place && name === rule.parameter,
  );

/**
 * Returns the parameter of a rule, with the names of the properties of an object, and the fewest items of a list: a single
 * item, as a probe tries it, is repeated as often.
 */
const parameterOf = (operation: Operation, rule: Rule, schemas: Contract["schemas"]) => {
  const found = ownParameter(operation, rule);
  const { minItems = 1 } = resolveRef(schemas, found?.schema ?? {});
  const properties = innerSchemas(schemas, found?.schema).flatMap(({ name = [] }) => name);
  return { name: rule.parameter ?? "", ...found, properties, least: Number(minItems) };
};

const withValue = (
  call: Call,
  rule: Rule,
  given: unknown,
  parameter: ReturnType<typeof parameterOf>,
): Call => {
  if (rule.parameter === undefined || rule.place === undefined) return { ...call, json: given };
  const isItem = parameter.least > 1 && given !== undefined && !Array.isArray(given);
  const value = isItem ? Array.from({ length: parameter.least }, () => given) : given;
  if (rule.place === "query") {
    const others = withoutParameter(call.query ?? {}, parameter, parameter.properties);
    return {
      ...call,
      query: value === undefined ? others : { ...others, ...writtenQuery(parameter, value) },
    };
  }
  if (isInForm(rule.place)) {
    const form = formOf(call, rule.place);
    return form ? { ...call, raw: withField(form, parameter, parameter.properties, value) } : call;
  }
  const text = value === undefined ? undefined : writtenAlone(parameter, value);
  if (rule.place === "cookie") {
    const cookie = withCookie(call.headers?.cookie ?? "", rule.parameter, text);
    return { ...call, headers: { ...call.headers, cookie: cookie === "" ? null : cookie } };
  }
  const place = PLACES[rule.place];
  const { [rule.parameter]: _, ...others } = { ...call[place] } as Record<string, string>;
  return { ...call, [place]: text === undefined ? others : { ...others, [rule.parameter]: text } };
};

/** Returns the call with the value of the rule's parameter or field in each place that carries its name. */
const changedEverywhere = (call: Call, rule: Rule, isValidBody: (json: unknown) => boolean): Call => {
  if (rule.place === "cookie" || isInForm(rule.place)) return call;
  if (rule.parameter !== undefined && rule.place !== undefined) {
    const place = PLACES[rule.place];
    return inOtherPlaces(call, { place, name: rule.parameter }, call[place]?.[rule.parameter], isValidBody);
  }
  const [name, ...inner] = segmentsOf(rule.pointer);
  if (name === undefined || inner.length > 0 || !isObject(call.json)) return call;
  return inOtherPlaces(call, { place: "json", name }, call.json[name], isValidBody);
};

/** Whether list items, sent as the whole parameter, look like more or fewer items. */
export const looksLikeList = (
  call: Call,
  operation: Operation,
  rule: Rule,
  schemas: Contract["schemas"],
): boolean => {
  if (rule.place === undefined || rule.place === "cookie" || rule.parameter === undefined) return true;
  const { written, least } = parameterOf(operation, rule, schemas);
  const sent = [sentIn(call, rule) ?? ""].flat().map(String);
  const items = written === "repeated" ? sent : itemsIn(sent[0] ?? "", written);
  return items.length !== Math.max(1, least) || items.includes("");
};
