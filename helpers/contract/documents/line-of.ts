/** Finds the lines of a document that a change, or the rule of a finding, concerns. */
import { isObject, type Json } from "../json.ts";
import { withoutNames } from "../names.ts";
import { atPointer, escapeSegment } from "../pointer.ts";
import { locator } from "./locate.ts";
import type { BreakingChange } from "./upgrade.ts";

/**
 * Returns the line and column, both from 1, of the nearest part that the document has. With a keyword, the pointer may
 * begin outside of the schema that owns it.
 */
export type LineOf = (
  entry: Pick<BreakingChange, "owner" | "part" | "pointer"> & { readonly keyword?: string },
) => {
  readonly line: number;
  readonly column: number;
};

/** @param text the document, which `root` is read from */
export const linesIn = (text: string, root: Json): LineOf => {
  const locate = locator(text);
  return (entry) => locate(pointerOf(entry, root));
};

/** How owners name the kinds of components, by the key of each kind. */
export const COMPONENTS: Readonly<Record<string, string>> = {
  schemas: "schema",
  parameters: "parameter",
  requestBodies: "request body",
  responses: "response",
  headers: "header",
  pathItems: "path",
  callbacks: "callback",
  securitySchemes: "security scheme",
};

const pointerOf = ({ owner, part, pointer, keyword }: Parameters<LineOf>[0], root: Json): string => {
  const at = ownerPointer(owner, root);
  const inPart = partPointer(part, atPointer(root, at));
  const schema = `${at}${inPart}${schemaPointer(atPointer(root, `${at}${inPart}`))}`;
  const steps = stepsOf(pointer);
  if (keyword === undefined) return `${schema}${steps.join("")}`;
  const inside = steps.map((_, index) => `${schema}${steps.slice(index).join("")}`);
  return `${inside.find((one) => atPointer(root, one) !== undefined) ?? schema}/${keyword}`;
};

const ownerPointer = (owner: string, root: Json): string => {
  const [component] = Object.entries(COMPONENTS).flatMap(([kind, word]) => {
    const [, name] = new RegExp(`^${word} (.+?)( \\(was .+\\))?$`).exec(owner) ?? [];
    return name === undefined ? [] : [`/components/${kind}/${escapeSegment(name)}`];
  });
  if (component !== undefined) return component;
  const [, webhook, webhookMethod = ""] = /^delivery (\S+) ([A-Z]+)$/.exec(owner) ?? [];
  if (webhook !== undefined) return `/webhooks/${escapeSegment(webhook)}/${webhookMethod.toLowerCase()}`;
  const [, method, path] = /([A-Z]+) (\/\S*)/.exec(owner) ?? [];
  if (method === undefined || path === undefined) return "";
  const paths = Object.keys(isObject(root.paths) ? root.paths : {});
  // A contract may give the parameters of a path other names.
  const alike = paths.find((one) => withoutNames(one) === withoutNames(path));
  const named = paths.find((one) => one === path) ?? alike;
  return `/paths/${escapeSegment(named ?? path)}/${method.toLowerCase()}`;
};

const partPointer = (part: string, owner: unknown): string => {
  if (part.startsWith("request body")) return "/requestBody";
  const [, status] = /^response (\S+)/.exec(part) ?? [];
  if (status !== undefined) return `/responses/${status}`;
  const [, place, name] = /^(query|path|header|cookie) (.+)$/.exec(part) ?? [];
  const parameters = isObject(owner) && Array.isArray(owner.parameters) ? owner.parameters : [];
  const index = parameters.findIndex((one) => isObject(one) && one.in === place && one.name === name);
  return index < 0 ? "" : `/parameters/${index}`;
};

/** Returns the pointer from a description to its schema. */
const schemaPointer = (node: unknown): string => {
  if (!isObject(node)) return "";
  if (node.schema !== undefined) return "/schema";
  const [mediaType] = Object.keys(isObject(node.content) ? node.content : {});
  return mediaType === undefined ? "" : `/content/${escapeSegment(mediaType)}/schema`;
};

/** Turns the pointer of an instance into the steps to its schema, as far as properties and items lead. */
const stepsOf = (pointer: string): string[] =>
  (pointer.split(/[({]/)[0] ?? "")
    .split("/")
    .slice(1)
    .map((segment) => (/^(\*|\d+)$/.test(segment) ? "/items" : `/properties/${segment}`));
