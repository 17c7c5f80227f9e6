/** Values of a request that its answer shows again. */
import type { JsonSchema } from "../../helpers/contract/contract.ts";
import type { Call } from "./service.ts";
import { fieldsIn } from "./values/fields.ts";

type Sent = Pick<Call, "operation" | "path" | "body" | "validators">;

/** Returns the fields of the request that the answer shows too. It shows them as they were sent. */
export const sentIn = ({ body, path, validators }: Sent, schema: JsonSchema): unknown => {
  const sent = { ...fieldsIn(body), ...path };
  const { properties } = validators.flatten(schema, sent);
  return Object.fromEntries(Object.entries(sent).filter(([name]) => properties?.has(name)));
};

/** Returns the identifiers in the path by resource. */
export const namedIn = ({ operation, path }: Sent): Readonly<Record<string, string>> =>
  Object.fromEntries(
    operation.parameters.flatMap(({ in: place, name, resource }) =>
      place === "path" && resource !== undefined ? [[resource, path[name] ?? ""]] : [],
    ),
  );
