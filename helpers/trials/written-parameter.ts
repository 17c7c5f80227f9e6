/** Writes parameters as their document says. */
import type { Parameter } from "../contract/contract.ts";
import { isObject } from "../contract/json.ts";
import type { Call } from "./call.ts";

type Query = NonNullable<Call["query"]>;

/** Whether the suite can write an object as the value of the parameter. */
export const canWriteObject = ({ written }: Parameter): boolean =>
  written === "deep-object" || written === "json";

/** Returns the parts of a query that state the value of a parameter. */
export const writtenQuery = (
  { name, written }: Pick<Parameter, "name" | "written">,
  value: unknown,
): Query => {
  if (written === "json") return { [name]: JSON.stringify(value) };
  if (written === "deep-object" && isObject(value)) {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined);
    return Object.fromEntries(fields.map(([field, part]) => [`${name}[${field}]`, writtenText(part)]));
  }
  if (!Array.isArray(value)) return { [name]: writtenText(value) };
  if (value.length === 0) return {};
  if (written === "repeated") return { [name]: value.map(writtenText) };
  const delimiter = written === undefined ? "," : (DELIMITERS[written] ?? ",");
  return { [name]: value.map(String).join(delimiter) };
};

const DELIMITERS: Readonly<Record<string, string>> = { spaces: " ", pipes: "|" };

export const writtenText = (value: unknown): string => {
  if (Array.isArray(value)) return value.join(",");
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
};

/** Returns a query without the parameter. */
export const withoutParameter = (
  query: Query,
  { name, written }: Pick<Parameter, "name" | "written">,
): Query =>
  Object.fromEntries(
    Object.entries(query).filter(
      ([key]) => key !== name && !(written === "deep-object" && key.startsWith(`${name}[`)),
    ),
  );
