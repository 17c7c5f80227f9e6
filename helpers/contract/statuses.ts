/** The statuses of an operation: a document may name classes such as `4XX`, and `default` (OpenAPI 3.1, 4.8.16). */
import type { Json } from "./json.ts";
import { jsonTypeIn } from "./media-type.ts";

/** The causes for which an operation may refuse a call. */
export interface Causes {
  /** The statuses that may refuse a call without credentials. */
  readonly unauthenticated: readonly number[];
  readonly isChecked: boolean;
  /** Whether more than an identifier may be wrong. */
  readonly mayBeInvalid: boolean;
  /** Whether the path names a resource. */
  readonly mayBeUnknown: boolean;
}

/** For an operation whose document lists all refusals. */
export const NO_CAUSES: Causes = {
  unauthenticated: [],
  isChecked: false,
  mayBeInvalid: false,
  mayBeUnknown: false,
};

export interface Statuses {
  /** The responses by status code. */
  readonly responses: Json;
  /** By class, such as `4XX`, the listed status whose response holds for the others of the class. */
  readonly classes: Readonly<Record<string, string>>;
}

/** Statuses that may stand for their class: the first that the document does not list by itself. */
const CANDIDATES: Readonly<Record<string, readonly string[]>> = {
  "1XX": ["100", "102"],
  "2XX": ["200", "201", "202", "203"],
  "3XX": ["300", "302", "307"],
  "4XX": ["400", "404", "422", "409", "418"],
  "5XX": ["500", "502", "504"],
};

/** The classes that `default` covers: a response for all other statuses makes no failure of a server right. */
const OF_DEFAULT = ["2XX", "3XX", "4XX"];

/** @param given the responses of the document, by status, class (in capitals) or `DEFAULT` */
export const listedStatuses = (
  given: ReadonlyMap<string, Json>,
  { unauthenticated, isChecked, mayBeInvalid, mayBeUnknown }: Causes,
): Statuses => {
  const responses: Record<string, Json> = Object.fromEntries(
    [...given].filter(([status]) => /^\d{3}$/.test(status)),
  );
  const classes: Record<string, string> = {};
  const stand = (name: string, response: Json, candidates: readonly string[]): void => {
    const isFree = (known: Json | undefined): boolean =>
      known === undefined || known === response || known["x-class"] === name;
    const free = candidates.find((status) => isFree(responses[status]));
    if (free !== undefined) [responses[free], classes[name]] = [response, free];
  };
  const refusals = given.get("4XX");
  const refused = [...(mayBeInvalid || !mayBeUnknown ? ["400"] : []), ...(mayBeUnknown ? ["404"] : [])];
  if (refusals !== undefined)
    for (const status of refused) responses[status] ??= { ...refusals, "x-class": "4XX" };
  for (const [name, candidates] of Object.entries(CANDIDATES)) {
    const response = given.get(name);
    if (response !== undefined) stand(name, response, candidates);
  }
  const other = given.get("DEFAULT");
  if (Object.keys(responses).every((status) => Number(status) >= 300)) {
    responses[200] = other ?? { "x-class": "2XX" };
    if (other !== undefined) classes["2XX"] = "200";
  }
  const error = other ?? { "x-level": "assumed", description: "" };
  if (isChecked) responses[400] ??= error;
  const [usual, ...unusual] = unauthenticated;
  if (usual !== undefined) responses[usual] ??= error;
  // A response for a class of statuses holds for the others.
  if (other === undefined && refusals === undefined)
    for (const status of unusual) responses[status] ??= error;
  if (mayBeUnknown && other !== undefined) responses[404] ??= { ...other, "x-class": "4XX" };
  for (const name of OF_DEFAULT)
    if (other !== undefined && classes[name] === undefined) stand(name, other, CANDIDATES["4XX"] ?? []);
  return { responses, classes };
};

/** Returns the schema of the first success, and whether it names the address of what was created. */
export const successIn = (responses: Json): { readonly schema: unknown; readonly isLocated: boolean } => {
  const { content = {} } = firstSuccess(responses);
  const { schema } = ((content as Json)[jsonTypeIn(Object.keys(content as Json)) ?? ""] ?? {}) as Json;
  return { schema, isLocated: headersIn(responses).has("location") };
};

/** Returns the names of the headers of the first success, in lower case. */
export const headersIn = (responses: Json): ReadonlySet<string> =>
  new Set(Object.keys((firstSuccess(responses).headers ?? {}) as Json).map((name) => name.toLowerCase()));

const firstSuccess = (responses: Json): Json =>
  (responses[Object.keys(responses).find((one) => /^2/.test(one)) ?? ""] ?? {}) as Json;
