/** Turns references to a part of a schema into references to separate components, so that recursion ends. */
import { isObject, type Json, rewritten } from "../json.ts";
import { atPointer, pointerIn } from "../pointer.ts";

/** Returns the document itself, or a copy if a reference was moved to a component. */
export const liftSchemaRefs = (root: Json): Json => {
  const lifted = new Map<string, string>();
  const copy = lift(root, root, lifted) as Json;
  if (lifted.size === 0) return root;
  const components = isObject(copy.components) ? copy.components : {};
  const schemas = { ...(isObject(components.schemas) ? components.schemas : {}) };
  // A new component may contain further references. Iterating over a map includes entries that are added meanwhile.
  for (const [ref, name] of lifted) schemas[name] = lift(atPointer(root, pointerIn(ref)), root, lifted);
  return { ...copy, components: { ...components, schemas } };
};

const lift = (node: unknown, root: Json, lifted: Map<string, string>): unknown =>
  rewritten(node, (object) =>
    typeof object.$ref === "string" ? { ...object, $ref: liftedRef(object.$ref, root, lifted) } : object,
  );

/** Matches pointers to a part of a schema, but not to a whole component. */
const INSIDE_A_SCHEMA =
  /^#\/(?:components\/schemas\/[^/]+\/.+|(?:components|paths|webhooks)\/.+\/schema(?:\/.*)?)$/;

const liftedRef = (ref: string, root: Json, lifted: Map<string, string>): string => {
  if (!INSIDE_A_SCHEMA.test(ref) || atPointer(root, pointerIn(ref)) === undefined) return ref;
  const name = lifted.get(ref) ?? ref.replace(/^#\/(components\/schemas\/)?/, "").replaceAll("/", ".");
  lifted.set(ref, name);
  return `#/components/schemas/${name.replaceAll("~", "~0")}`;
};
