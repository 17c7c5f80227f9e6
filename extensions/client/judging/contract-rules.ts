/** Checks a request against the rules of its operation: parameters, headers and body. */
import { checkRules } from "../../../helpers/checks/rules.ts";
import type { Contract, Operation, Parameter, Rule } from "../../../helpers/contract/contract.ts";
import { essenceOf, JSON_TYPE } from "../../../helpers/contract/media-type.ts";
import { groupBy, memoize } from "../../../helpers/contract/memoize.ts";
import { atPointer } from "../../../helpers/contract/pointer.ts";
import { WHOLE_BODY } from "../../../helpers/contract/rules.ts";
import { flatten } from "../../../helpers/contract/schemas/flatten.ts";
import { placeInForm } from "../../../helpers/contract/schemas/form-fields.ts";
import { createValidator } from "../../../helpers/contract/schemas/schema-validator.ts";
import { propertiesOf } from "../../../helpers/contract/schemas/schema-visitor.ts";
import {
  type CheckResult,
  checkThat,
  HOLDS,
  shownValue,
  violation,
} from "../../../helpers/exchange/check-result.ts";
import { jsonOf } from "../../../helpers/exchange/json-of.ts";
import { roundNumbersIn } from "../../../helpers/exchange/placeholder.ts";
import { isAbsent, isNotUtf8 } from "../../../helpers/traffic/absent.ts";
import type { Seen, StoredResult } from "../../../helpers/traffic/seen.ts";
import { isInOtherNames, isLeftOut, isRedacted, suspected } from "./check.ts";
import { judgeParts, type Standard, sentPart } from "./sent-parts.ts";
import { sentForm, sentParts, sentText, sentValue } from "./written-value.ts";

/** A valid request is checked rule by rule this many times for each operation, and afterwards only as a whole. */
const CHECKED_IN_DETAIL = 50;

/** Returns a function that judges each request by the rules of its operation. */
export const judgeByRules = (contract: Contract) => {
  const { schemas } = contract;
  const validator = createValidator(contract);
  const by = { schemas, validator };
  const rulesOf = requestRules(contract);
  const valid = new Map<string, number>();

  const isValid = ({ operation, body, numeric = body }: Seen): boolean => {
    const schema = operation?.requestBody?.content[JSON_TYPE];
    return schema === undefined || (body !== undefined && validator.validate(schema, numeric).length === 0);
  };

  return (seen: Seen): StoredResult[] => {
    const { operation } = seen;
    if (operation === undefined) return [];
    const { operationId } = operation;
    const known = valid.get(operationId) ?? 0;
    const isBodyValid = isValid(seen);
    if (isBodyValid) valid.set(operationId, known + 1);
    // Another alternative may allow what this one forbids.
    const rules = (rulesOf.get(operationId) ?? []).filter(({ alternative }) => alternative === undefined);
    const ofBody = rules.filter(({ parameter, within }) => parameter === undefined && within === undefined);
    const isKnown = isBodyValid && known > CHECKED_IN_DETAIL;
    const ofParameters = judgeParameters(by, rules, seen);
    const isPartBroken = ofParameters.some(({ result, rule }) => !result.holds && rule?.place === "part");
    const judged = [
      ...bodyPresence(operation, seen),
      ...(isKnown || hasNoBody(seen) || isForm(seen) ? [] : judgeBody(by, ofBody, seen)),
      ...judgeWholeBody(by, ofBody.filter(isOfWholeBody), seen),
      ...ofParameters,
      ...(isPartBroken ? [] : judgeParts(by, ofBody, seen)),
      ...openedValues(by, rules, seen),
    ];
    return judged.filter(({ result }) => result.holds || !isWritten(result.actual, seen));
  };
};

/** Judges the places in a body. What a service accepts in other names is only suspected to be wrong. */
const judgeBody = ({ schemas, validator }: Standard, rules: readonly Rule[], seen: Seen): StoredResult[] => {
  const { level, content = {} } = seen.operation?.requestBody ?? {};
  const names = Object.keys(propertiesOf(flatten(content[JSON_TYPE] ?? {}, schemas)));
  const isOther = level === "assumed" && isInOtherNames(seen, names);
  const inBody = rules.filter((rule) => !isOfWholeBody(rule));
  return checkRules(inBody, seen.numeric ?? seen.body, validator).map(({ rule, result }) => ({
    ...{ requirement: rule.requirement, rule },
    result: result.holds || !isOther ? result : { ...result, suspected: true },
  }));
};

/** Whether a rule is about the body as a whole, and not about a place in it. */
const isOfWholeBody = ({ parameter, pointer, keyword }: Rule): boolean =>
  parameter === undefined && pointer === "" && (keyword === WHOLE_BODY || keyword === "required");

const judgeWholeBody = (by: Standard, rules: readonly Rule[], seen: Seen): StoredResult[] => {
  const { body: text = "" } = seen.exchange.request;
  if (isAbsent(text)) return [];
  const absent = { message: "the request has no body", expected: "a body", actual: "no body" };
  return rules.flatMap((rule) => {
    const result = rule.keyword === "required" ? checkThat(text !== "", absent) : fit(by, rule, seen);
    return result === undefined ? [] : [{ requirement: rule.requirement, result, rule }];
  });
};

/** @returns `undefined` if a rule of one place names what does not fit, or if redaction may have changed it */
const fit = ({ validator }: Standard, { schema, value }: Rule, seen: Seen): CheckResult | undefined => {
  const { body, numeric = body, exchange } = seen;
  if (body === undefined) return undefined;
  const errors = validator.validate(schema, numeric);
  const [error] = errors;
  if (error === undefined) return HOLDS;
  const named = new Set(value as string[]);
  const isNamed = errors.some(({ pointer, keyword }) => named.has(`${templateOf(pointer)} ${keyword}`));
  if (isNamed || isRedacted(exchange.request.body)) return undefined;
  return violation({
    pointer: error.pointer,
    message: `${error.pointer.slice(1) || "the body"} ${error.message}`,
    ...{ expected: "a body that fits its schema", actual: shownValue(atPointer(numeric, error.pointer)) },
  });
};

const templateOf = (pointer: string): string => pointer.replaceAll(/\/\d+(?=\/|$)/g, "/*");

/** A decrypted value is never written, and a log does not contain it. */
const openedValues = ({ validator }: Standard, rules: readonly Rule[], { opened }: Seen): StoredResult[] =>
  Object.entries(opened).flatMap(([pointer, value]) => {
    const own = value === undefined ? [] : rules.filter(({ within }) => within === pointer);
    return checkRules(own, value, validator).map(({ rule, result }) => ({
      requirement: rule.requirement,
      result: result.holds ? result : { ...result, actual: sizeOf(value) },
    }));
  });

/** Judges the parameters of a request, and the fields of its form. */
const judgeParameters = (by: Standard, rules: readonly Rule[], seen: Seen): StoredResult[] => {
  const { parameters = [], requestBody } = seen.operation ?? {};
  const shown = rules.filter(({ parameter, place }) => isShown(seen, parameter, place));
  const sent = sentForm(seen) ? "form" : sentParts(seen) && "part";
  const fields = (requestBody?.fields ?? []).filter((field) => field.in === sent);
  return [...parameters, ...fields].flatMap((parameter) => {
    const own = shown.filter((rule) => rule.parameter === parameter.name && rule.place === parameter.in);
    return own.length === 0 ? [] : judgeParameter(by, parameter, own, seen);
  });
};

const judgeParameter = (
  { schemas, validator }: Standard,
  parameter: Parameter,
  rules: readonly Rule[],
  seen: Seen,
): StoredResult[] => {
  const text = sentText(parameter, seen);
  if (text === undefined) {
    const required = rules.find(({ keyword, pointer }) => keyword === "required" && pointer === "");
    if (required === undefined || !parameter.required) return [];
    const result = violation({
      pointer: parameter.name,
      message: `${nameOf(parameter)} is missing`,
      ...{ expected: `${parameter.name} is sent`, actual: "it is absent" },
    });
    return [{ requirement: required.requirement, result, rule: required }];
  }
  const value =
    parameter.in === "part"
      ? sentPart(parameter.name, seen, schemas)
      : sentValue(parameter, text, seen, schemas);
  return rules.flatMap((rule) => {
    if (rule.keyword === "required" && rule.pointer === "")
      return [{ requirement: rule.requirement, result: HOLDS }];
    if (value === undefined) return [];
    return checkRules([asShown(rule)], value, validator).map(({ result }) => ({
      ...{ requirement: rule.requirement, rule },
      result: result.holds ? result : inParameter(parameter, result, value),
    }));
  });
};

/** An object that was sent shows which properties it lacks. */
const asShown = (rule: Rule): Rule => {
  const { untried, ...shown } = rule;
  return rule.keyword === "required" ? shown : rule;
};

/** Whether a value is what redaction wrote in place of another: a placeholder, or a rounded number. */
const isWritten = (actual: string, { exchange }: Seen): boolean =>
  isRedacted(actual) ||
  roundNumbersIn(exchange.request.body ?? "").some((number) => actual.includes(String(number)));

const sizeOf = (value: unknown): string => `${shownValue(value).length} characters in all`;

const isForm = ({ exchange: { request } }: Seen): boolean =>
  placeInForm(request.headers["content-type"] ?? "") !== undefined;

/** Whether a rule is about a parameter that the recording has. */
const isShown = (seen: Seen, parameter: string | undefined, place: Rule["place"]): boolean =>
  parameter !== undefined &&
  !(place === "header" && isLeftOut(seen, parameter.toLowerCase())) &&
  !(place === "cookie" && isRedacted(seen.exchange.request.headers.cookie));

/** A cookie may be the key of a session, so that its value is never written. */
const inParameter = (parameter: Parameter, result: CheckResult, value: unknown): CheckResult => ({
  ...result,
  pointer: parameter.name,
  message:
    result.pointer === ""
      ? result.message.replace(/^the body/, nameOf(parameter))
      : `${nameOf(parameter)}: ${result.message}`,
  ...(parameter.in === "cookie" && { actual: sizeOf(value) }),
});

const nameOf = ({ in: place, name }: Parameter): string =>
  place === "part" ? `the part ${name}` : `the ${place} parameter ${name}`;

const requestRules = memoize(({ rules, contradicted }: Contract) =>
  groupBy(
    [...rules, ...contradicted].filter(
      // Texts of callers are not judged.
      ({ direction, keyword, mediaType }) =>
        direction === "request" && mediaType === undefined && !SHOWN_BY_SERVICE.has(keyword),
    ),
    ({ operationId }) => operationId,
  ),
);

/** Keywords of rules that oblige only the service: what it must accept. */
const SHOWN_BY_SERVICE: ReadonlySet<string> = new Set(["optional", "enum-value"]);

const bodyPresence = ({ requestBody, operationId }: Operation, { exchange, body }: Seen): StoredResult[] => {
  const { body: text = "", headers } = exchange.request;
  const { requirement, schemaRequirement: id = requirement, required, content = {} } = requestBody ?? {};
  const of = `a ${operationId} request`;
  if (text === "") {
    if (required !== true || requirement === undefined) return [];
    const details = { message: `${of} has no body`, expected: "a JSON body", actual: "no body" };
    return [{ requirement, result: violation(details) }];
  }
  if (id === undefined) return [];
  const type = headers["content-type"] && essenceOf(headers["content-type"]);
  if (type !== undefined && !isRedacted(type) && !(type in content) && !/[/+]json$/.test(type)) {
    const message = `the body of ${of} has another media type`;
    const expected = Object.keys(content).join(" or ");
    return [
      { requirement: id, result: violation({ pointer: "content-type", message, expected, actual: type }) },
    ];
  }
  const isOther = type !== undefined && type !== JSON_TYPE && type in content;
  const [oddity] = isOther ? [] : (jsonOf(Buffer.from(text)).oddities ?? []);
  if ((body !== undefined && oddity === undefined) || isOther)
    return requirement === undefined ? [] : [{ requirement, result: HOLDS }];
  if (isRedacted(text) && !isNotUtf8(text)) return [];
  const what = isNotUtf8(text) ? "is not UTF-8" : oddity === undefined ? "is not JSON" : `has ${oddity}`;
  const message = `the body of ${of} ${what}`;
  const details = { message, expected: "a JSON body", actual: `${text.length} characters` };
  return [{ requirement: id, result: oddity === undefined ? violation(details) : suspected(details) }];
};

/** Whether there is no body to check: the operation needs none, or the recording does not have it. */
const hasNoBody = ({ operation, exchange: { request } }: Seen): boolean =>
  isAbsent(request.body) || ((request.body ?? "") === "" && operation?.requestBody?.required !== true);
