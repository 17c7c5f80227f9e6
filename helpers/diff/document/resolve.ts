/** Follows references of an OpenAPI document to what is no schema: parameters, bodies, responses, path items. */

import { errorAt, type OpenApiDocument } from "../../contract/document.ts";
import { isObject, type Json } from "../../contract/json.ts";
import { atPointer, pointerIn } from "../../contract/pointer.ts";

export interface Resolved {
  readonly node: Json;
  /** Where it stands. */
  readonly pointer: string;
  /** `parameter Limit` where it is a component that others may share. */
  readonly component: string | undefined;
}

/** @throws ContractError naming line and pointer of what is no object or leads nowhere */
export const resolveAt = (document: OpenApiDocument, value: unknown, pointer: string): Resolved => {
  let node = objectAt(document, value, pointer);
  let at = pointer;
  const entered = new Set<string>();
  while (typeof node.$ref === "string") {
    const ref = node.$ref;
    const target = ref.startsWith("#") ? atPointer(document.root, pointerIn(ref)) : undefined;
    if (target === undefined) throw wrong(document, at, `$ref "${ref}" leads nowhere`);
    if (entered.has(ref)) throw wrong(document, at, `$ref "${ref}" leads to itself`);
    entered.add(ref);
    at = pointerIn(ref);
    node = objectAt(document, target, at);
  }
  return { node, pointer: at, component: componentAt(at) };
};

export const objectAt = (document: OpenApiDocument, value: unknown, pointer: string): Json => {
  if (isObject(value)) return value;
  throw wrong(document, pointer, "an object is needed here");
};

/** None where the document has none. */
export const objectIn = (document: OpenApiDocument, owner: Json, key: string, pointer: string): Json =>
  owner[key] === undefined ? {} : objectAt(document, owner[key], `${pointer}/${key}`);

export const listIn = (document: OpenApiDocument, owner: Json, key: string, pointer: string): unknown[] => {
  const value = owner[key];
  if (value === undefined || Array.isArray(value)) return value ?? [];
  throw wrong(document, `${pointer}/${key}`, "a list is needed here");
};

export const textIn = (document: OpenApiDocument, owner: Json, key: string, pointer: string): string => {
  const value = owner[key];
  if (typeof value === "string" && value !== "") return value;
  throw wrong(document, pointer, `\`${key}\` has to be a text`);
};

const wrong = (document: OpenApiDocument, pointer: string, problem: string): Error =>
  errorAt(document.main, pointer, problem, "Mend it there, or ask whoever publishes the document.");

const KINDS: Readonly<Record<string, string>> = {
  parameters: "parameter",
  requestBodies: "request body",
  responses: "response",
  headers: "header",
  pathItems: "path",
  callbacks: "callback",
};

const componentAt = (pointer: string): string | undefined => {
  const [, kind = "", name] = /^\/components\/([^/]+)\/([^/]+)$/.exec(pointer) ?? [];
  return name === undefined || KINDS[kind] === undefined ? undefined : `${KINDS[kind]} ${name}`;
};
