/** Identifiers in the form that a provider's document demands, where the handlers' own identifiers have another form. */
import type { Contract, JsonSchema } from "../../helpers/contract/contract.ts";
import { identifierSchemas } from "../../helpers/contract/identifier-schemas.ts";
import { oncePer } from "../../helpers/contract/once.ts";
import { fits, fitted, madeScalar } from "./values/complete-scalars.ts";
import { isObject } from "./values/fields.ts";
import { type FlatSchema, type Flatten, flattener } from "./values/flat-schema.ts";
import { randomOf } from "./values/random.ts";

export interface Aliases {
  /** Replaces the handlers' identifiers in a value that a client gets. */
  out(value: unknown, schema?: JsonSchema): unknown;
  /** As `out`, for configuration values by environment name. */
  outOfEnvironment(values: Readonly<Record<string, string>>): Record<string, string>;
  /** Replaces the clients' identifiers in a value for the handlers. */
  into(value: unknown): unknown;
}

/** The demanded forms of the identifiers of each resource, except those that any text has. */
interface Forms {
  readonly flatten: Flatten;
  readonly byResource: ReadonlyMap<string, readonly FlatSchema[]>;
}

const formsOf = oncePer((contract: Contract): Forms => {
  const flatten = flattener(contract.schemas);
  const forms = [...identifierSchemas(contract)].map(([resource, schemas]) => {
    const flat = schemas.map((schema) => {
      const { resource: _, preset: __, ...form } = flatten(schema, undefined);
      return form;
    });
    return [resource, flat] as const;
  });
  return { flatten, byResource: new Map(forms) };
});

export const aliasesOf = (contract: Contract): Aliases => {
  const { flatten, byResource } = formsOf(contract);
  const outward = new Map<string, string>();
  const inward = new Map<string, string>();
  const learn = (resource: string, own: unknown): void => {
    const forms = byResource.get(resource);
    if (forms === undefined || outward.has(String(own)) || inward.has(String(own)) || fitsAll(forms, own)) return;
    const alias = aliasFor(forms, resource, String(own), (taken) => inward.has(taken));
    if (alias === undefined) return;
    outward.set(String(own), alias);
    inward.set(alias, String(own));
  };
  const learnIn = (schema: JsonSchema, value: unknown): void => {
    const { resource, properties, items } = flatten(schema, value);
    if (resource !== undefined && isScalar(value)) learn(resource, value);
    if (Array.isArray(value) && items !== undefined) for (const item of value) learnIn(items, item);
    if (!isObject(value)) return;
    for (const [name, property] of properties ?? [])
      if (value[name] !== undefined) learnIn(property, value[name]);
  };
  return {
    out(value, schema) {
      if (schema !== undefined && byResource.size > 0) learnIn(schema, value);
      return outward.size === 0 ? value : replaced(value, outward);
    },
    outOfEnvironment(values) {
      for (const [name, value] of Object.entries(values)) {
        const resource = [...byResource.keys()].find((one) => name.endsWith(`_${variableOf(one)}_ID`));
        if (resource !== undefined && value !== "") learn(resource, value);
      }
      return replaced(values, outward) as Record<string, string>;
    },
    into: (value) => (inward.size === 0 ? value : replaced(value, inward)),
  };
};

const variableOf = (resource: string): string => resource.toUpperCase().replaceAll("-", "_");

const isScalar = (value: unknown): value is string | number =>
  typeof value === "string" || typeof value === "number";

const fitsAll = (forms: readonly FlatSchema[], value: unknown): boolean =>
  forms.every((form) => fits(form, fitted({ ...form, limits: {} }, value)));

const ATTEMPTS = 20;

/** Returns another identifier in the demanded form; `undefined` if there is none that all places allow. */
const aliasFor = (
  forms: readonly FlatSchema[],
  resource: string,
  own: string,
  isTaken: (alias: string) => boolean,
): string | undefined => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const random = randomOf(`${resource} ${own} ${attempt}`);
    const made = forms.map((form) => String(madeScalar(form, "", random, 0)));
    const digits = [18, 9, 12, 16, 32].map((count) => `1${random.digits(count - 1)}`);
    const alias = [...made, ...digits].find((one) => !isTaken(one) && fitsAll(forms, one));
    if (alias !== undefined) return alias;
  }
  return undefined;
};

const replaced = (value: unknown, table: ReadonlyMap<string, string>): unknown => {
  if (isScalar(value)) {
    const other = table.get(String(value));
    if (other === undefined) return value;
    return typeof value === "number" && /^\d+$/.test(other) ? Number(other) : other;
  }
  if (Array.isArray(value)) return value.map((item) => replaced(item, table));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, replaced(inner, table)]));
};
