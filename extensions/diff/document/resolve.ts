/** Resolves references of an OpenAPI document to parameters, bodies, responses and path items. */
import {
  followed,
  type OpenApiDocument,
  objectAt,
  wrongAt,
} from "../../../helpers/contract/documents/document.ts";
import { COMPONENTS } from "../../../helpers/contract/documents/line-of.ts";
import type { Json } from "../../../helpers/contract/json.ts";
import { pointerIn } from "../../../helpers/contract/pointer.ts";

/**
 * Returns the object, its pointer, and its name if it is a component that operations may share: `parameter Limit`.
 * @throws ContractError naming line and pointer when the value is not an object or the reference has no target
 */
export const resolveAt = (
  document: OpenApiDocument,
  value: unknown,
  pointer: string,
  entered: readonly string[] = [],
): { readonly node: Json; readonly pointer: string; readonly component: string | undefined } => {
  const node = objectAt(document, value, pointer);
  if (typeof node.$ref !== "string") return { node, pointer, component: componentAt(pointer) };
  const target = followed(document, node.$ref, pointer, entered);
  return resolveAt(document, target, pointerIn(node.$ref), [...entered, node.$ref]);
};

/** Returns the object at the key, or an empty object if the owner has none. */
export const objectIn = (document: OpenApiDocument, owner: Json, key: string, pointer: string): Json =>
  owner[key] === undefined ? {} : objectAt(document, owner[key], `${pointer}/${key}`);

export const listIn = (document: OpenApiDocument, owner: Json, key: string, pointer: string): unknown[] => {
  const value = owner[key];
  if (value === undefined || Array.isArray(value)) return value ?? [];
  throw wrongAt(document, `${pointer}/${key}`, "a list is needed here");
};

export const textIn = (document: OpenApiDocument, owner: Json, key: string, pointer: string): string => {
  const value = owner[key];
  if (typeof value === "string" && value !== "") return value;
  throw wrongAt(document, pointer, `\`${key}\` has to be a text`);
};

const componentAt = (pointer: string): string | undefined => {
  const [, kind = "", name] = /^\/components\/([^/]+)\/([^/]+)$/.exec(pointer) ?? [];
  return name === undefined || COMPONENTS[kind] === undefined ? undefined : `${COMPONENTS[kind]} ${name}`;
};
