/** Checks a request against the rules of its operation: parameters, headers and body. */
import { checkRules } from "../../../helpers/checks/rules.ts";
import type { Contract, Operation, Parameter, Rule } from "../../../helpers/contract/contract.ts";
import { flatten } from "../../../helpers/contract/flatten.ts";
import { placeInForm } from "../../../helpers/contract/form-fields.ts";
import { essenceOf, JSON_TYPE } from "../../../helpers/contract/media-type.ts";
import { groupBy, memoize } from "../../../helpers/contract/memoize.ts";
import { createValidator, type Validator } from "../../../helpers/contract/schema-validator.ts";
import { propertiesOf } from "../../../helpers/contract/schema-visitor.ts";
import type { CheckResult } from "../../../helpers/exchange/check-result.ts";
import { HOLDS, shownValue, violation } from "../../../helpers/exchange/check-result.ts";
import { jsonOf } from "../../../helpers/exchange/json-of.ts";
import { roundNumbersIn } from "../../../helpers/exchange/placeholder.ts";
import { isAbsent, isNotUtf8 } from "../../../helpers/traffic/absent.ts";
import type { Seen, StoredResult } from "../../../helpers/traffic/seen.ts";
import { isInOtherNames, isLeftOut, isRedacted } from "./check.ts";
import { sentParts } from "./form-parts.ts";
import { judgeParts, sentPart } from "./sent-parts.ts";
import { isOfWholeBody, judgeWholeBody, sentForm } from "./whole-body.ts";
import { sentText, sentValue } from "./written-value.ts";

/** A valid request is checked rule by rule this many times for each operation, and afterwards only as a whole. */
const CHECKED_IN_DETAIL = 50;

/** Returns a function that judges each request by the rules of its operation. */
export const judgeByRules = (contract: Contract) => {
  const validator = createValidator(contract);
  const rulesOf = requestRules(contract);
  const valid = new Map<string, number>();

  const isValid = ({ operation, body, numeric = body }: Seen): boolean => {
    const schema = operation?.requestBody?.content["application/json"];
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
    const inBody = ofBody.filter((rule) => !isOfWholeBody(rule));
    const inParameters = rules.filter(({ parameter, place }) => isShown(seen, parameter, place));
    const ofParameters = parametersIn(operation, seen).flatMap((parameter) => {
      const own = inParameters.filter(
        (rule) => rule.parameter === parameter.name && rule.place === parameter.in,
      );
      return own.length === 0 ? [] : judgeParameter({ contract, validator }, parameter, own, seen);
    });
    const { level, content = {} } = operation.requestBody ?? {};
    const names = Object.keys(propertiesOf(flatten(content[JSON_TYPE] ?? {}, contract.schemas)));
    const isOther = level === "assumed" && isInOtherNames(seen, names);
    const isPartBroken = ofParameters.some(({ result, rule }) => !result.holds && rule?.place === "part");
    const judged = [
      ...bodyPresence(operation, seen),
      ...((isBodyValid && known > CHECKED_IN_DETAIL) || hasNoBody(seen) || isForm(seen)
        ? []
        : checkRules(inBody, seen.numeric ?? seen.body, validator).map(({ rule, result }) => ({
            ...{ requirement: rule.requirement, rule },
            result: result.holds || !isOther ? result : { ...result, suspected: true as const },
          }))),
      ...judgeWholeBody(ofBody.filter(isOfWholeBody), seen, validator),
      ...ofParameters,
      ...(isPartBroken ? [] : judgeParts(ofBody, seen, contract, validator)),
      ...openedValues(rules, seen),
    ];
    return judged.filter(({ result }) => result.holds || !isWritten(result.actual, seen));
  };

  function openedValues(rules: readonly Rule[], { opened }: Seen): StoredResult[] {
    return openedIn(opened).flatMap(([pointer, value]) => {
      const own = rules.filter(({ within }) => within === pointer);
      return checkRules(own, value, validator).map(({ rule, result }) => ({
        requirement: rule.requirement,
        // A decrypted value is never written.
        result: result.holds ? result : { ...result, actual: sizeOf(value) },
      }));
    });
  }
};

const judgeParameter = (
  { contract, validator }: { readonly contract: Contract; readonly validator: Validator },
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
      ? sentPart(parameter, seen, contract)
      : sentValue(parameter, text, seen, contract.schemas);
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

/** A log does not contain opened values. */
const openedIn = (opened: Seen["opened"]): [pointer: string, value: unknown][] =>
  Object.entries(opened).filter(([, value]) => value !== undefined);

const sizeOf = (value: unknown): string => `${shownValue(value).length} characters in all`;

/** Returns the parameters of a request, and the fields of its form. */
const parametersIn = ({ parameters, requestBody }: Operation, seen: Seen): readonly Parameter[] => {
  const sent = sentForm(seen) ? "form" : sentParts(seen) && "part";
  return [...parameters, ...(requestBody?.fields ?? []).filter((field) => field.in === sent)];
};

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
  const text = exchange.request.body;
  const { requirement, schemaRequirement, required } = requestBody ?? {};
  if (text === undefined || text === "") {
    if (required !== true || requirement === undefined) return [];
    const details = { message: `a ${operationId} request has no body`, actual: "no body" };
    return [{ requirement, result: violation({ pointer: "", expected: "a JSON body", ...details }) }];
  }
  const id = schemaRequirement ?? requirement;
  if (requestBody === undefined || id === undefined) return [];
  const { "content-type": header } = exchange.request.headers;
  const type = header && essenceOf(header);
  if (type !== undefined && !isRedacted(type) && !(type in requestBody.content) && !/[/+]json$/.test(type)) {
    const details = { message: `the body of a ${operationId} request has another media type`, actual: type };
    const expected = Object.keys(requestBody.content).join(" or ");
    return [{ requirement: id, result: violation({ pointer: "content-type", expected, ...details }) }];
  }
  const isOther = type !== undefined && type !== JSON_TYPE && type in requestBody.content;
  const [oddity] = isOther ? [] : (jsonOf(Buffer.from(text)).oddities ?? []);
  if ((body !== undefined && oddity === undefined) || isOther)
    return requirement === undefined ? [] : [{ requirement, result: HOLDS }];
  if (isRedacted(text) && !isNotUtf8(text)) return [];
  const what = isNotUtf8(text) ? "is not UTF-8" : oddity === undefined ? "is not JSON" : `has ${oddity}`;
  const details = { message: `the body of a ${operationId} request ${what}`, expected: "a JSON body" };
  const result = violation({ pointer: "", ...details, actual: `${text.length} characters` });
  return [{ requirement: id, result: oddity === undefined ? result : { ...result, suspected: true } }];
};

/** Whether there is no body to check: the operation needs none, or the recording does not have it. */
const hasNoBody = ({ operation, exchange: { request } }: Seen): boolean =>
  isAbsent(request.body) || ((request.body ?? "") === "" && operation?.requestBody?.required !== true);
