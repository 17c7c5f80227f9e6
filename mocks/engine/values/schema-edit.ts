/** Edits a schema for one instance location, and copies the parts that other locations share. */
import type { JsonSchema } from "../../../helpers/contract/contract.ts";
import { referenced, segmentsOf } from "../../../helpers/contract/pointer.ts";

/**
 * `drop` and `set` change a keyword of the schema at that place. `admit` also accepts values of another schema.
 * `forbid` rejects every value. `waive` makes the property optional, and `demand` makes it required. `measure` limits
 * the length in another unit. `firstOnly` checks only the first item of a list.
 */
export type SchemaEdit =
  | { readonly drop: string }
  | { readonly set: string; readonly to: unknown }
  | { readonly admit: JsonSchema }
  | { readonly forbid: true }
  | { readonly waive: true }
  | { readonly demand: true }
  | { readonly measure: "bytes"; readonly most: number }
  | { readonly firstOnly: true };

export interface SchemaChange {
  /** An operationId for its body, or the name of a component schema for a structure that arrives encrypted. */
  readonly of: string;
  readonly pointer: string;
  readonly edit: SchemaEdit;
}

/**
 * @param pointer to the instance, `*` for the items of an array
 * @returns a copy that replaces every `$ref` on the path with its schema
 */
export const editSchema = (
  schema: JsonSchema,
  schemas: Readonly<Record<string, JsonSchema>>,
  pointer: string,
  edit: SchemaEdit,
): JsonSchema => {
  const tokens = segmentsOf(pointer);
  const isOfParent = "waive" in edit || "demand" in edit;
  if (isOfParent && tokens.length === 0) return schema;
  const place = isOfParent ? tokens.slice(0, -1) : tokens;
  return change(schema, schemas, place, changeFor(edit, tokens.at(-1) ?? ""));
};

const changeFor = (edit: SchemaEdit, property: string): Change => {
  if ("drop" in edit) return (at) => without(at, edit.drop);
  if ("set" in edit) return (at) => replaced(at, edit.set, edit.to);
  if ("forbid" in edit) return () => ({ not: {} });
  if ("admit" in edit) return (at) => ({ anyOf: [at, edit.admit] });
  if ("measure" in edit) return (at) => ({ ...without(at, "maxLength"), [MOST_BYTES]: edit.most });
  if ("firstOnly" in edit) return firstOnly;
  return (at) => {
    const others = ((at.required ?? []) as string[]).filter((name) => name !== property);
    return { ...at, required: "waive" in edit ? others : [...others, property] };
  };
};

/** The keyword of a limit in UTF-8 bytes. */
export const MOST_BYTES = "x-most-bytes";

const firstOnly: Change = ({ items, ...list }) => ({
  ...list,
  ...(items !== undefined && { prefixItems: [items] }),
});

type Change = (schema: JsonSchema) => JsonSchema;

const BRANCHES = ["allOf", "anyOf", "oneOf"] as const;

const change = (
  schema: JsonSchema,
  schemas: Readonly<Record<string, JsonSchema>>,
  tokens: readonly string[],
  edit: Change,
  entered: ReadonlySet<string> = new Set(),
): JsonSchema => {
  if (typeof schema.$ref === "string") {
    if (entered.has(schema.$ref)) return schema;
    const { $ref, ...siblings } = schema;
    const whole = { ...referenced($ref, schemas), ...siblings };
    return change(whole, schemas, tokens, edit, new Set([...entered, $ref]));
  }
  const branches = BRANCHES.filter((keyword) => Array.isArray(schema[keyword])).map((keyword) => [
    keyword,
    (schema[keyword] as JsonSchema[]).map((branch) => change(branch, schemas, tokens, edit, entered)),
  ]);
  const whole: JsonSchema = { ...schema, ...Object.fromEntries(branches) };
  const [token, ...rest] = tokens;
  if (token === undefined) return edit(whole);
  const inside = (child: JsonSchema) => change(child, schemas, rest, edit);
  if (token === "*" && whole.items !== undefined)
    return { ...whole, items: inside(whole.items as JsonSchema) };
  const properties = whole.properties as Record<string, JsonSchema> | undefined;
  const child = properties?.[token];
  if (child === undefined) return whole;
  return { ...whole, properties: { ...properties, [token]: inside(child) } };
};

const without = (schema: JsonSchema, keyword: string): JsonSchema => {
  const { [keyword]: _, ...others } = schema;
  return others;
};

/** Replaces an existing keyword only, since just one branch of `allOf` may have it. */
const replaced = (schema: JsonSchema, keyword: string, value: unknown): JsonSchema =>
  schema[keyword] === undefined ? schema : { ...schema, [keyword]: value };
