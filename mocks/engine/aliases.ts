/** Identifiers in the form that a provider's document demands, where the handlers' own identifiers have another form. */
import type { Contract, JsonSchema, Operation } from "../../helpers/contract/contract.ts";
import { memoize } from "../../helpers/contract/memoize.ts";
import { identifierSchemas } from "../../helpers/contract/schemas/identifier-schemas.ts";
import { type FindIdentifiers, identifierFinder, identifiersByName, isScalar } from "./identifiers-in.ts";
import { fits, fitted, madeScalar } from "./values/complete-scalars.ts";
import { isObject } from "./values/fields.ts";
import { type FlatSchema, type Flatten, flattener, NO_LIMITS } from "./values/flat-schema.ts";
import type { Allows } from "./values/identifiers.ts";
import type { Stores } from "./values/image.ts";
import { isLarge } from "./values/parsed-json.ts";
import { randomOf } from "./values/random.ts";
import { withParts } from "./values/visit.ts";

/** The field of a service's data with the identifiers that clients get in place of the sandbox's own. */
export const ALIASES = "aliases";

export interface Aliases {
  /** The objects in which the aliases are kept. */
  readonly stores: Stores;
  /** Replaces the handlers' identifiers in an answer. */
  out(json: unknown, schema: JsonSchema | undefined, operation: Operation): unknown;
  /** Replaces the identifiers in a value whose fields show by their names what they identify. */
  outByName(value: unknown, schema?: JsonSchema): unknown;
  /** Replaces the identifiers in configuration values by environment name. */
  outOfEnvironment(values: Readonly<Record<string, string>>): Record<string, string>;
  /** Replaces the clients' identifiers in a value for the handlers. */
  into(value: unknown): unknown;
  /** Whether clients get the chosen identifier of the resource as it is, or under an alias of the data. */
  readonly keeps: Allows;
  /** Returns the aliases, by the handlers' identifiers. */
  known(): Readonly<Record<string, string>>;
  /** Whether a client got this identifier of the resource. */
  wasGiven(resource: string, id: string): boolean;
}

/** The demanded forms of the identifiers of each resource. */
interface Forms {
  readonly flatten: Flatten;
  readonly find: FindIdentifiers;
  readonly byResource: ReadonlyMap<string, readonly FlatSchema[]>;
}

const formsOf = memoize((contract: Contract): Forms => {
  const flatten = flattener(contract.schemas);
  const forms = [...identifierSchemas(contract)].map(([resource, schemas]) => {
    const flat = schemas.map((schema) => ({
      ...flatten(schema, undefined),
      resource: undefined,
      preset: undefined,
    }));
    return [resource, flat] as const;
  });
  return { flatten, find: identifierFinder(flatten, contract.schemas), byResource: new Map(forms) };
});

/** The aliases of one tenant. */
interface Book {
  readonly forms: Forms["byResource"];
  /** From the handlers' identifier to the alias, and back. */
  readonly outward: Map<string, string>;
  readonly inward: Map<string, string>;
  readonly given: Set<string>;
}

/** @param known the aliases of the data, by the handlers' identifiers */
export const aliasesOf = (contract: Contract, known: Readonly<Record<string, string>> = {}): Aliases => {
  const { flatten, find, byResource } = formsOf(contract);
  const book: Book = {
    forms: byResource,
    outward: new Map(Object.entries(known)),
    inward: new Map(Object.entries(known).map(([own, alias]) => [alias, own])),
    given: new Set(),
  };
  const { outward, inward, given } = book;
  const written = (value: unknown, schema: JsonSchema | undefined): unknown => {
    const known = replaced(value, outward);
    return schema === undefined || known === value ? known : withTypes(flatten, inward, schema, known);
  };
  return {
    stores: { outward, inward, given },
    out(json, schema, operation) {
      find(operation, schema, json, (resource, value) => learn(book, resource, value));
      return written(json, schema);
    },
    outByName(value, schema) {
      for (const one of identifiersByName(contract, value)) learn(book, one.resource, one.value);
      return written(value, schema);
    },
    outOfEnvironment(values) {
      for (const [resource, value] of identifiersOf(byResource, values)) learn(book, resource, value);
      return replaced(values, outward) as Record<string, string>;
    },
    into: (value) => replaced(value, inward),
    keeps(resource, id) {
      given.add(`${resource} ${id}`);
      const demanded = byResource.get(resource) ?? [];
      const form = outward.has(id) ? undefined : demanded.find((one) => !fitsAll([one], id));
      return form === undefined || inWords(form);
    },
    known: () => Object.fromEntries(outward),
    wasGiven: (resource, id) => given.has(`${resource} ${inward.get(id) ?? id}`),
  };
};

/** Makes an alias for an identifier whose form does not fit. Most identifiers of an answer were in earlier ones. */
const learn = ({ forms, outward, inward, given }: Book, resource: string, value: string | number): void => {
  const own = String(value);
  const named = `${resource} ${own}`;
  if (given.has(named)) return;
  given.add(named);
  const demanded = forms.get(resource);
  if (demanded === undefined || outward.has(own) || inward.has(own) || fitsAll(demanded, own)) return;
  const alias = aliasFor(demanded, resource, own, (taken) => inward.has(taken));
  if (alias === undefined) return;
  outward.set(own, alias);
  inward.set(alias, own);
};

/** Finds identifiers in configuration values: `SERVICE_MICRO_DEPOSIT_ACCOUNT_ID` has a `micro-deposit-account`. */
function* identifiersOf(
  forms: Forms["byResource"],
  values: Readonly<Record<string, string>>,
): Generator<readonly [resource: string, value: string]> {
  const resources = [...forms.keys()].sort((one, other) => other.length - one.length);
  for (const [name, value] of Object.entries(values)) {
    const resource = resources.find((one) => name.endsWith(`_${one.toUpperCase().replaceAll("-", "_")}_ID`));
    if (resource !== undefined && value !== "") yield [resource, value];
  }
}

/** An integer that a double does not hold fits as the nearest one that it holds. */
const fitsAll = (forms: readonly FlatSchema[], value: unknown): boolean =>
  forms.every((form) => {
    const isNumber = isLarge(value) && form.types.includes("integer") && !form.types.includes("string");
    return fits(form, isNumber ? Number(value) : fitted({ ...form, limits: NO_LIMITS }, value));
  });

/** Says what a form allows. */
const inWords = ({ types, format, limits, patterns, values }: FlatSchema): string => {
  const stated = Object.entries({ format, ...limits }).filter(([, limit]) => limit !== undefined);
  const rules = [...stated, ...patterns.map(({ source }) => ["pattern", source])];
  const kind = values === undefined ? `ids of type ${types.join(" or ")}` : `the ids ${values.join(", ")}`;
  return [kind, ...rules.map(([rule, limit]) => `${rule} ${limit}`)].join(", ");
};

const ATTEMPTS = 20;
/** The lengths of digits to try. JSON numbers keep all digits of the first three. */
const DIGITS = [12, 9, 16, 18, 32];

/** The number of digits that every JSON number keeps. Zeros follow, because some places may demand a number. */
const EXACT = 15;

/** Returns another identifier in the demanded form; `undefined` if there is none that all places allow. */
const aliasFor = (
  forms: readonly FlatSchema[],
  resource: string,
  own: string,
  isTaken: (alias: string) => boolean,
): string | undefined => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const random = randomOf(`${resource} ${own} ${attempt}`);
    const digits = DIGITS.map((count) => `1${random.digits(Math.min(count, EXACT) - 1)}`.padEnd(count, "0"));
    const made = forms.map((form) => String(madeScalar(form, "", random, 0)));
    const alias = [...digits, ...made].find((one) => !isTaken(one) && fitsAll(forms, one));
    if (alias !== undefined) return alias;
  }
  return undefined;
};

/** Returns the value itself if nothing in it is replaced. */
const replaced = (value: unknown, table: ReadonlyMap<string, string>): unknown => {
  if (table.size === 0) return value;
  if (isScalar(value)) return table.get(String(value)) ?? value;
  if (Array.isArray(value)) {
    const items = value.map((item) => replaced(item, table));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isObject(value)) return value;
  let copy: Record<string, unknown> | undefined;
  for (const name of Object.keys(value)) {
    const inner = replaced(value[name], table);
    if (inner === value[name]) continue;
    copy ??= { ...value };
    copy[name] = inner;
  }
  return copy ?? value;
};

/** Writes aliases as numbers where the schema demands numbers. */
const withTypes = (
  flatten: Flatten,
  aliases: ReadonlyMap<string, string>,
  schema: JsonSchema,
  value: unknown,
): unknown => {
  const flat = flatten(schema, value);
  if (typeof value === "string" && aliases.has(value)) {
    const isNumber = flat.types.includes("integer") || flat.types.includes("number");
    return isNumber && !flat.types.includes("string") ? Number(value) : value;
  }
  return withParts(flat, value, (part, inner) => withTypes(flatten, aliases, inner, part));
};
