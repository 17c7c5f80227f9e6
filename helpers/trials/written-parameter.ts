/** Writes parameters as their document says. */
import type { Parameter } from "../contract/contract.ts";
import { isObject } from "../contract/json.ts";
import type { Call } from "./call.ts";

type Query = NonNullable<Call["query"]>;

type Written = Pick<Parameter, "name" | "written">;

/** Whether the suite can write an object as the value of the parameter. */
export const canWriteObject = ({ written }: Parameter): boolean =>
  written !== undefined && written !== "unclear";

/** Returns the parts of a query that state the value of a parameter. */
export const writtenQuery = (parameter: Written, value: unknown): Query => {
  const { name, written } = parameter;
  if (written === "properties" && isObject(value))
    return Object.fromEntries(fieldsOf(value).map(([field, part]) => [field, writtenText(part)]));
  if (written === "deep-object" && isObject(value))
    return Object.fromEntries(
      fieldsOf(value).map(([field, part]) => [`${name}[${field}]`, writtenText(part)]),
    );
  if (Array.isArray(value) && value.length === 0 && written !== "json") return {};
  if (written === "repeated" && Array.isArray(value)) return { [name]: value.map(writtenText) };
  return { [name]: writtenAlone(parameter, value) };
};

/** Returns the text that states the value of a parameter of a path, a header or a cookie. */
export const writtenAlone = ({ name, written }: Written, value: unknown): string => {
  if (written === "json") return JSON.stringify(value);
  if (written === "label" || written === "label-of-one") return `.${partsOf(value, "=").join(".")}`;
  if (written === "matrix") return `;${name}=${flatOf(value).join(",")}`;
  if (written === "matrix-exploded")
    return partsOf(value, "=")
      .map((part) => (isObject(value) ? `;${part}` : `;${name}=${part}`))
      .join("");
  if (written === "pairs" && isObject(value)) return flatOf(value).join(",");
  if (written === "assignments" && isObject(value)) return partsOf(value, "=").join(",");
  const delimiter = DELIMITERS[written ?? ""];
  return Array.isArray(value) && delimiter !== undefined
    ? value.map(String).join(delimiter)
    : writtenText(value);
};

const DELIMITERS: Readonly<Record<string, string>> = { spaces: " ", pipes: "|" };

const fieldsOf = (value: object): [string, unknown][] =>
  Object.entries(value).filter(([, field]) => field !== undefined);

/** Returns the items of a list, or the properties of an object with their names before the sign. */
const partsOf = (value: unknown, sign: string): string[] =>
  isObject(value)
    ? fieldsOf(value).map(([field, part]) => `${field}${sign}${writtenText(part)}`)
    : [value].flat().map(writtenText);

/** Returns the items of a list, or the names and values of an object in turns. */
const flatOf = (value: unknown): string[] =>
  isObject(value)
    ? fieldsOf(value).flatMap(([field, part]) => [field, writtenText(part)])
    : [value].flat().map(writtenText);

export const writtenText = (value: unknown): string => {
  if (Array.isArray(value)) return value.join(",");
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
};

/** Returns the header of cookies with another value of one of them; `undefined` removes the cookie. */
export const withCookie = (header: string, name: string, value: string | undefined): string =>
  [
    ...header.split("; ").filter((pair) => pair !== "" && !pair.startsWith(`${name}=`)),
    ...(value === undefined ? [] : [`${name}=${value}`]),
  ].join("; ");

/**
 * Returns a query without the parameter.
 * @param properties the names of the parameters that state the properties of an object
 */
export const withoutParameter = (
  query: Query,
  { name, written }: Written,
  properties: readonly string[] = [],
): Query =>
  Object.fromEntries(
    Object.entries(query).filter(
      ([key]) =>
        key !== name &&
        !(written === "deep-object" && key.startsWith(`${name}[`)) &&
        !(written === "properties" && properties.includes(key)),
    ),
  );
