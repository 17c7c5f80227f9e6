/** Serializes parameter values, and lists all values that a text may represent (OpenAPI, Style Values). */
import { isObject } from "../../../helpers/contract/json.ts";
import type { ApiParameter } from "../document/model.ts";

export type NamedTexts = readonly (readonly [name: string, text: string])[];

const SEPARATORS: Readonly<Record<string, string>> = { spaceDelimited: " ", pipeDelimited: "|" };

/** Returns pairs of name and text; a path or header parameter has one pair. */
export const textsOf = (parameter: ApiParameter, value: unknown): NamedTexts => {
  const { name, style, explode, mediaType } = parameter;
  if (mediaType !== undefined) return [[name, JSON.stringify(value)]];
  const separator = separatorOf(parameter);
  if (Array.isArray(value)) {
    const items = value.map(scalarText);
    return explode && style === "form"
      ? items.map((item) => [name, item])
      : [[name, prefixed(parameter, items.join(separator))]];
  }
  if (!isObject(value)) return [[name, prefixed(parameter, scalarText(value))]];
  const members = Object.entries(value).map(([key, inner]) => [key, scalarText(inner)] as const);
  if (style === "deepObject") return members.map(([key, text]) => [`${name}[${key}]`, text]);
  if (style === "form" && explode) return members;
  const pairs = explode ? members.map(([key, text]) => `${key}=${text}`) : members.flat();
  return [[name, prefixed(parameter, pairs.join(separator))]];
};

const separatorOf = ({ style, explode, name }: ApiParameter): string => {
  if (explode && style === "label") return ".";
  return explode && style === "matrix" ? `;${name}=` : (SEPARATORS[style] ?? ",");
};

const prefixed = ({ style, name }: ApiParameter, text: string): string => {
  if (style === "label") return `.${text}`;
  return style === "matrix" ? `;${name}=${text}` : text;
};

const scalarText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/**
 * Returns the values that the texts of a message may represent; an empty list if the parameter is absent, `undefined` if
 * the texts are not in its style. A text may represent a string, or the number or boolean with the same notation.
 */
export const readingsOf = (parameter: ApiParameter, given: NamedTexts): unknown[] | undefined => {
  const { name, style, explode, mediaType, in: place } = parameter;
  const isIt = (other: string): boolean =>
    place === "header" ? other.toLowerCase() === name.toLowerCase() : other === name;
  const own = given.filter(([other]) => isIt(other)).map(([, text]) => text);
  const texts = own.flatMap((text) => unprefixed(parameter, text));
  const isRepeatable = explode && style === "form";
  if (texts.length < own.length || (texts.length > 1 && !isRepeatable)) return undefined;
  const members = membersOf(parameter, given, texts);
  const [first] = texts;
  if (first === undefined) return members.length === 0 ? [] : objectsOf(members);
  if (mediaType !== undefined) return parsed(first);
  const items = isRepeatable ? texts : first.split(separatorOf(parameter));
  return [
    ...(texts.length === 1 ? [first, scalarOf(first)] : []),
    items,
    items.map(scalarOf),
    ...(members.length > 0 ? objectsOf(members) : []),
  ];
};

/** Returns the text without the prefix of its style; an empty list if the prefix is missing. */
const unprefixed = ({ style, name }: ApiParameter, text: string): readonly string[] => {
  const prefix = style === "label" ? "." : style === "matrix" ? `;${name}=` : "";
  return text.startsWith(prefix) ? [text.slice(prefix.length)] : [];
};

const membersOf = (
  { name, style, explode, schema }: ApiParameter,
  given: NamedTexts,
  texts: readonly string[],
): NamedTexts => {
  if (style === "deepObject")
    return given
      .filter(([key]) => key.startsWith(`${name}[`))
      .map(([key, text]) => [key.slice(name.length + 1, -1), text]);
  if (style === "form" && explode) {
    const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {};
    return given.filter(([key]) => key in properties);
  }
  const parts = (texts[0] ?? "").split(",");
  if (explode)
    return parts.flatMap((part) => (part.includes("=") ? [part.split("=", 2) as [string, string]] : []));
  return parts.length % 2 === 0
    ? Array.from({ length: parts.length / 2 }, (_, at) => [
        parts[2 * at] as string,
        parts[2 * at + 1] as string,
      ])
    : [];
};

const objectsOf = (members: NamedTexts): unknown[] => [
  Object.fromEntries(members),
  Object.fromEntries(members.map(([key, text]) => [key, scalarOf(text)])),
];

const scalarOf = (text: string): unknown => {
  if (/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return Number(text);
  return text === "true" ? true : text === "false" ? false : text;
};

const parsed = (text: string): unknown[] => {
  try {
    return [JSON.parse(text)];
  } catch {
    return [text];
  }
};
