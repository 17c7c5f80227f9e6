/** Kinds of schemas: each keyword in bodies of requests and of answers. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import type { Json } from "../server/files.ts";
import type { Draft, Kind } from "./kind.ts";
import { addPost } from "./parts.ts";

interface Row {
  /** The version of OpenAPI that the kind needs, if it does not exist in both. */
  readonly only?: "3.0" | "3.1";
  /** Schemas of a field, or of a whole body. */
  readonly field?: readonly unknown[];
  readonly whole?: readonly unknown[];
  /** A schema in which the chosen one takes the place of `$`. */
  readonly within?: Json;
  readonly components?: Readonly<Record<string, Json>>;
}

const ROWS = parse(readFileSync(new URL("./body-kinds.yaml", import.meta.url), "utf8")) as Record<
  string,
  Row
>;

/** An object with a field that the kind is about, and others. */
const around = ({ random }: Draft, field: unknown, required = random.chance(60)): Json => {
  const inner = {
    type: "object",
    ...(required && { required: ["value"] }),
    properties: { value: field, note: { type: "string", maxLength: 20 } },
  };
  const list = { type: "array", items: inner, maxItems: 3 };
  return random.one<Json>([
    inner,
    inner,
    { type: "object", required: ["inner"], properties: { inner } },
    { type: "object", required: ["list"], properties: { list } },
  ]);
};

const kindOf =
  ({ field, whole, within, components = {} }: Row): Kind =>
  (draft) => {
    const number = draft.name("N");
    const named = <Value>(value: Value): Value =>
      JSON.parse(JSON.stringify(value).replaceAll(/([A-Z][a-z]+)N\b/g, `$1${number}`)) as Value;
    Object.assign(draft.schemas, named(components));
    const chosen = named(draft.random.one(field ?? whole ?? []));
    const schema =
      within === undefined
        ? chosen
        : Object.fromEntries(
            Object.entries(within).map(([key, value]) => [key, value === "$" ? chosen : value]),
          );
    if (whole !== undefined) addPost(draft, "wholes", schema, schema);
    else addPost(draft, "values", around(draft, schema), around(draft, schema, true));
  };

/** The kinds that a version of OpenAPI has. */
export const bodyKinds = (version: "3.0" | "3.1"): Record<string, Kind> =>
  Object.fromEntries(
    Object.entries(ROWS).flatMap(([name, row]) =>
      (row.only ?? version) === version ? [[name, kindOf(row)]] : [],
    ),
  );
