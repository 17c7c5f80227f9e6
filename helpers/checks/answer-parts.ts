/** Checks the media type and the headers of an answer against its document. */
import type { Contract, Response } from "../contract/contract.ts";
import { valueOfJson } from "../contract/json.ts";
import { covers, essenceOf } from "../contract/media-type.ts";
import { type ResponseParts, textsIn } from "../contract/response-parts.ts";
import { resolveRef } from "../contract/schemas/rule-walk.ts";
import type { ValidationError, Validator } from "../contract/schemas/schema-validator.ts";
import { typesOf } from "../contract/schemas/schema-visitor.ts";
import { type CheckResult, checkThat, HOLDS, violation } from "../exchange/check-result.ts";
import { type Exchange, sizeOf } from "../exchange/exchange.ts";

/**
 * A missing content type is not judged, because the recipient may examine the content (RFC 9110, 8.3).
 * @returns `undefined` without a body, or if the document shows none
 */
export const checkMediaType = (
  { response, request }: Exchange,
  { mediaTypes = [] }: Pick<Response, "mediaTypes">,
): CheckResult | undefined => {
  const type = response?.headers["content-type"];
  if (response === undefined || request.method === "HEAD" || sizeOf(response) === 0) return undefined;
  if (type === undefined || mediaTypes.length === 0) return undefined;
  const essence = essenceOf(type);
  return checkThat(
    mediaTypes.some((one) => covers(essenceOf(one), essence)),
    {
      pointer: "content-type",
      message: `a ${response.status} response has a media type that its document does not list`,
      expected: mediaTypes.join(" or "),
      actual: type,
    },
  );
};

/** @returns `undefined` if the document does not restrict the text of an answer of this media type */
export const checkText = (
  { response, request }: Exchange,
  { content }: Pick<Response, "content">,
  { validate }: Validator,
): CheckResult | undefined => {
  const declared = response?.headers["content-type"] ?? "";
  const [, schema] = textsIn(content).find(([type]) => essenceOf(type) === essenceOf(declared)) ?? [];
  if (response === undefined || request.method === "HEAD" || schema === undefined) return undefined;
  if (!/^[^;]*$|charset="?(utf-8|us-ascii)/i.test(declared)) return undefined;
  const text = response.body.toString("utf8");
  const [error] = validate(schema, text);
  return checkThat(error === undefined, {
    pointer: "",
    message: `the text of a ${response.status} response ${error?.message}`,
    expected: "a text of its schema",
    actual: text,
  });
};

/** @returns `undefined` if an optional header is absent, or its form is not known */
export const checkHeader = (
  { response }: Exchange,
  name: string,
  { required, schema, isJson }: ResponseParts["headers"][string],
  { schemas, validator }: { readonly schemas: Contract["schemas"]; readonly validator: Validator },
): CheckResult | undefined => {
  const text = response?.headers[name.toLowerCase()];
  if (response === undefined || (text === undefined && !required)) return undefined;
  if (text === undefined)
    return violation({
      pointer: name,
      message: `a ${response.status} response lacks the header ${name}`,
      expected: `${name} is there`,
      actual: "it is absent",
    });
  const values = isJson ? [valueOfJson(text)] : readings(typesOf(schemas, schema), text);
  const errors = values.map((value) => validator.validate(resolveRef(schemas, schema), value));
  const [[first] = []] = errors;
  // A Location may be a relative reference (RFC 9110, 10.2.2).
  const isLeftOut = ({ keyword }: ValidationError) => keyword === "format" && /^location$/i.test(name);
  if (errors.length === 0 || errors.some((one) => one.every(isLeftOut))) return HOLDS;
  return violation({
    pointer: name,
    message: `the header ${name} of a ${response.status} response ${first?.message ?? "does not fit its schema"}`,
    expected: "a value of its schema",
    actual: text,
  });
};

/** Returns the values that a header may state: nobody knows how a text states an object. */
const readings = (types: readonly string[], text: string): readonly unknown[] => {
  if (types.includes("object")) return [];
  const isNumber = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text);
  return [
    text,
    ...(isNumber ? [Number(text)] : []),
    ...(text === "true" || text === "false" ? [text === "true"] : []),
    ...(types.includes("array") ? listReadings(text) : []),
  ];
};

/** The items of a list are texts or numbers. */
const listReadings = (text: string): readonly unknown[] => {
  const items = text === "" ? [] : text.split(",").map((item) => item.trim());
  return [items, items.map((item) => (Number.isFinite(Number(item)) ? Number(item) : item))];
};
