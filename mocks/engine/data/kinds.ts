/**
 * The kinds of data of a service, one row each. The schema of its data, the code that fills a state with them and the
 * code that prints the present state follow from the rows.
 */
import type { JsonSchema } from "../../../helpers/contract/contract.ts";
import { type Fields, listIn } from "../values/fields.ts";
import type { Allows } from "../values/identifiers.ts";
import { refuseRepeated, within } from "./data-error.ts";
import type { Part } from "./parts.ts";

export interface Kind<State> {
  readonly name: string;
  /** The stores of the state whose content it describes, by the names of `stores()`. */
  readonly holds: readonly string[];
  readonly schema: JsonSchema;
  /** @throws DataError when the data cannot be used */
  load(state: State, value: unknown, allows: Allows): void;
  dump(state: State): unknown;
}

/** A list of resources, one row each. */
export const resources = <State, Row extends object>({
  name,
  holds,
  row,
  key,
  limits = {},
  description,
  all,
  clear,
  add,
}: {
  readonly name: string;
  readonly holds: readonly string[];
  readonly row: Part<Row>;
  /** The field with the id: no two rows have the same one. */
  readonly key?: keyof Row & string;
  /** Limits of the number of rows. */
  readonly limits?: JsonSchema;
  readonly description?: string;
  all(state: State): Iterable<Row>;
  /** Removes what the state starts with. */
  clear?(state: State): void;
  add(state: State, row: Row): void;
}): Kind<State> => ({
  name,
  holds,
  schema: { type: "array", items: row.schema, ...limits, ...(description !== undefined && { description }) },
  load(state, value, allows) {
    clear?.(state);
    const seen = new Set<unknown>();
    for (const [index, one] of listIn(value).entries()) {
      within(index, () => {
        const read = row.read(one, allows);
        const id = key === undefined ? undefined : read[key];
        if (key !== undefined && id !== undefined) refuseRepeated(seen.has(id), key, id);
        seen.add(id);
        add(state, read);
      });
    }
  },
  dump: (state) => Array.from(all(state), row.write),
});

/** One value. */
export const single = <State, Value>({
  name,
  holds,
  part,
  of,
  set,
}: {
  readonly name: string;
  readonly holds: readonly string[];
  readonly part: Part<Value>;
  of(state: State): Value | undefined;
  set(state: State, value: Value): void;
}): Kind<State> => ({
  name,
  holds,
  schema: part.schema,
  load: (state, value, allows) => set(state, part.read(value, allows)),
  dump: (state) => {
    const value = of(state);
    return value === undefined ? undefined : part.write(value);
  },
});

// biome-ignore lint/suspicious/noExplicitAny: the schema does not depend on the state.
export const schemaOf = (title: string, kinds: readonly Kind<any>[]): JsonSchema => ({
  title,
  type: "object",
  properties: Object.fromEntries(kinds.map(({ name, schema }) => [name, schema])),
  additionalProperties: false,
});

/** @throws DataError when ids repeat, name nothing, or have a form that the contract does not allow */
export const fillState = <State>(
  kinds: readonly Kind<State>[],
  state: State,
  data: Fields,
  allows: Allows,
): void => {
  for (const { name, load } of kinds)
    if (data[name] !== undefined) within(name, () => load(state, data[name], allows));
};

/** Returns the present state in the form of the schema. */
export const dumpOf = <State>(kinds: readonly Kind<State>[], state: State): Fields =>
  Object.fromEntries(
    kinds.flatMap(({ name, dump }) => {
      const value = dump(state);
      return value === undefined ? [] : [[name, value]];
    }),
  );
