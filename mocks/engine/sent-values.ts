/** Values of a request that its answer shows again. */
import type { JsonSchema } from "../../helpers/contract/contract.ts";
import type { Call } from "./call.ts";
import { type Fields, fieldsIn, isObject } from "./values/fields.ts";
import type { Flatten } from "./values/flat-schema.ts";

type Sent = Pick<Call, "operation" | "path" | "body" | "validators">;

/** Returns the fields of the request that the answer shows too. It shows them as they were sent. */
export const sentIn = ({ body, path, validators }: Sent, schema: JsonSchema): Fields =>
  shownIn(validators.flatten, schema, { ...fieldsIn(body), ...path }, 0);

/** The number of objects of the answer in which a sent object may be, for example in `constraints`. */
const DEEPEST = 2;

const shownIn = (flatten: Flatten, schema: JsonSchema, sent: Fields, depth: number): Fields => {
  const { properties } = flatten(schema, sent);
  const objects = Object.entries(sent).filter(([, value]) => isObject(value));
  return Object.fromEntries(
    [...(properties ?? [])].flatMap(([name, property]) => {
      if (sent[name] !== undefined) return [[name, sent[name]]];
      if (depth === DEEPEST || objects.length === 0) return [];
      const inner = shownIn(flatten, property, Object.fromEntries(objects), depth + 1);
      return Object.keys(inner).length === 0 ? [] : [[name, inner]];
    }),
  );
};

/** Returns the known values, and the sent values at all other places. */
export const besideSent = (known: unknown, sent: unknown): unknown => {
  if (known === undefined) return sent;
  if (!isObject(known) || !isObject(sent)) return known;
  const names = [...new Set([...Object.keys(sent), ...Object.keys(known)])];
  return Object.fromEntries(
    names.map((name) => [
      name,
      Object.hasOwn(known, name) && known[name] === undefined
        ? undefined
        : besideSent(known[name], sent[name]),
    ]),
  );
};

/** Returns the identifiers in the path by resource. */
export const namedIn = ({ operation, path }: Sent): Readonly<Record<string, string>> =>
  Object.fromEntries(
    operation.parameters.flatMap(({ in: place, name, resource }) =>
      place === "path" && resource !== undefined ? [[resource, path[name] ?? ""]] : [],
    ),
  );
